"""The statements that take a staged slice into the tables, in their order, as paths below `sql/`."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from lineage_core.model.vocabulary import Table

_DERIVED = (
    "moved_datasets",
    "parent_mentions",
    "made_parents",
    "run_facets",
    "dataset_schemas",
    "dataset_fields",
    "dataset_tags",
    "dataset_ownerships",
    "dataset_mentions",
    "dataset_version_timeline",
    "inputs_read",
    "made_versions",
    "dataset_schema_versions",
    "dataset_versions",
    "dataset_versions_field_mapping",
    "runs_input_mapping",
    "column_lineage",
    "dataset_facets",
    "event_ledger",
    "job_versions",
    "job_facets",
    "job_tags",
    "job_ownerships",
    "unreferenced",
)
"""Each reads what the ones before it have written, the temporary tables of its slice among that."""

_NAMES = (
    "merge/namespaces",
    "merge/sources",
    "merge/dataset_names",
    "derive/changed_names",
    "derive/datasets",
)
"""Whose the names of datasets are. All that speaks of datasets asks for it, so it comes first."""


def merge_steps(tables: Iterable[Table], replaced: Collection[str] = ()) -> tuple[str, ...]:
    """Which events are new, and whose names are; then what events say, parents first; then what follows from it.

    replaced: names of tables that are views by now, which nothing writes.
    """
    said = [table for table in tables if table.rows is not None and not table.by_hand]
    folded = [f"merge/{table.name}" for table in said if not table.append]
    return (
        "derive/new_events",
        "derive/now_reported",
        *_NAMES,
        *(step for step in folded if step not in _NAMES),
        *(f"merge/{table.name}" for table in said if table.append),
        *(f"derive/{name}" for name in _DERIVED if name not in replaced),
    )
