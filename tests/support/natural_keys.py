"""The store's rows as the recordings of a live Marquez write them: each uuid replaced by what it stands for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lineage_core.answers.graph.orders import END, time_of
from lineage_core.postgres.connection import Connection

NOT_COMPARED = {
    "run_facets": {"created_at"},
    "job_facets": {"created_at"},
    "dataset_facets": {"created_at"},
    "job_versions_io_mapping": {"made_current_at"},
    "jobs": {"updated_at"},
    "datasets": {"updated_at"},
}
"""Columns that Marquez fills by its own clock, and ours that it does not have."""

_LEFT_OUT = {"namespaces": " WHERE name <> 'default'"}
"""Rows that the recorder leaves out: Marquez makes that namespace when it starts, and an upgrade does here."""

_NAMES = {
    "namespaces": "SELECT uuid, to_jsonb(name) FROM namespaces",
    "sources": "SELECT uuid, to_jsonb(name) FROM sources",
    "datasets": "SELECT uuid, to_jsonb(namespace_name || '|' || name) FROM datasets",
    "jobs": "SELECT uuid, to_jsonb(namespace_name || '|' || name) FROM jobs",
    "dataset_versions": "SELECT uuid, to_jsonb(version) FROM dataset_versions",
    "job_versions": "SELECT uuid, to_jsonb(version) FROM job_versions",
    "dataset_fields": (
        "SELECT f.uuid, jsonb_build_array(d.namespace_name || '|' || d.name, f.name, f.type)"
        " FROM dataset_fields AS f JOIN datasets AS d ON d.uuid = f.dataset_uuid"
    ),
    "dataset_names": "SELECT uuid, to_jsonb(namespace_name || '|' || name) FROM dataset_names",
    "tags": "SELECT uuid, to_jsonb(name) FROM tags",
    "owners": "SELECT uuid, to_jsonb(name) FROM owners",
    "run_args": "SELECT uuid, to_jsonb(checksum) FROM run_args",
    "run_states": "SELECT uuid, jsonb_build_array(state, transitioned_at) FROM run_states",
}

_STANDS_FOR = {
    "namespace_uuid": "namespaces",
    "source_uuid": "sources",
    "dataset_uuid": "datasets",
    "job_uuid": "jobs",
    "parent_job_uuid": "jobs",
    "symlink_target_uuid": "jobs",
    "job_symlink_target_uuid": "jobs",
    "dataset_version_uuid": "dataset_versions",
    "current_version_uuid": None,
    "job_version_uuid": "job_versions",
    "dataset_field_uuid": "dataset_fields",
    "input_dataset_version_uuid": "dataset_versions",
    "input_dataset_field_uuid": "dataset_fields",
    "output_dataset_version_uuid": "dataset_versions",
    "output_dataset_field_uuid": "dataset_fields",
    "name_uuid": "dataset_names",
    "renamed_to": "dataset_names",
    "tag_uuid": "tags",
    "owner_uuid": "owners",
    "run_args_uuid": "run_args",
    "start_run_state_uuid": "run_states",
    "end_run_state_uuid": "run_states",
}

_PLACES = {"event_order", "since_event", "until_event"}
"""Places in the order of events, for which the time of the event stands; null for the place behind all."""

_OWN_UUID = {"runs", "dataset_schema_versions"}
"""Tables whose own uuid Marquez derives, so that it can be compared."""


def natural_rows(connection: Connection, table: str, columns: Iterable[str]) -> list[dict[str, Any]]:
    """The rows of a table with the given columns, uuids named, in no order."""
    names = _known_names(connection)
    wanted = [column for column in columns if column not in NOT_COMPARED.get(table, set())]
    selected = ", ".join(f'"{column}"' for column in wanted)
    rows = connection.execute(
        f"SELECT to_jsonb(r) FROM (SELECT {selected} FROM {table}{_LEFT_OUT.get(table, '')}) AS r"
    )
    return [{column: _named(table, column, value, names) for column, value in row.items()} for (row,) in rows]


def _known_names(connection: Connection) -> dict[str, dict[str, Any]]:
    return {table: {str(key): name for key, name in connection.execute(query)} for table, query in _NAMES.items()}


def _named(table: str, column: str, value: Any, names: dict[str, dict[str, Any]]) -> Any:
    kind = _STANDS_FOR.get(column)
    if column == "parent_job_uuid_string":
        # Blank in every job of the recorded database; the recorder of the cases wrote the blanks as null.
        return (value and value.strip()) or None
    if column == "current_version_uuid":
        kind = "dataset_versions" if table == "datasets" else "job_versions"
    if column in _PLACES:
        order = bytes.fromhex(value.removeprefix("\\x"))
        return None if order == END else time_of(order).isoformat()
    if kind is None or value is None:
        return value
    return names[kind].get(value, f"dangling {kind}")
