"""What a change to come is to the columns of a dataset, by what the store knows of them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from uuid import UUID

from lineage_core.answers.graph.orders import END
from lineage_core.answers.graph.store import GraphReader
from lineage_core.answers.impact.model import SchemaToCome
from lineage_core.answers.impact.walk import MOST_WALKED, ColumnNames, ColumnPaths, Readings, column_names
from lineage_core.errors import NotInStore, WrongUsage
from lineage_core.evolution.data_types import Path, parsed_path, text_of
from lineage_core.evolution.dataset_history import DatasetHistory, DescribedField, recorded_fields
from lineage_core.evolution.rules import Refusal
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.typed_rows import one_value, value_or_none
from lineage_core.reading.schema_history import history_of
from lineage_core.reading.store import DatasetReading


@dataclass(frozen=True)
class ChangedColumns:
    """paths: of what whoever takes it loses. refused: what the rules of schemas refuse, whoever reads. is_known:
    whether any event gives a schema that the change can be compared with."""

    dataset: str
    paths: tuple[Path, ...]
    refused: tuple[str, ...] = ()
    is_known: bool = True

    @property
    def is_any(self) -> bool:
        return bool(self.paths or self.refused) or not self.is_known


def changed_columns(connection: Connection, dataset: str, change: SchemaToCome) -> ChangedColumns:
    """Of a row of `datasets`. Raises WrongUsage for a column that no event has named, and what changes nothing."""
    if change.fields is not None:
        return _of_schema(connection, dataset, change.fields, ignores_case=change.ignores_case)
    lost = [*change.dropped, *(before for before, _ in change.renamed)]
    if not lost:
        raise WrongUsage("Say what changes: --schema FILE, --drop COLUMN or --rename OLD NEW")
    for before, after in change.renamed:
        if before == after:
            raise WrongUsage(f"The column {before!r} keeps its name: say which other one it gets")
    used = [after for _, after in change.renamed if _is_used(connection, dataset, after)]
    refused = tuple(f"{text_of((name,))}: a column had this name before" for name in used)
    return ChangedColumns(dataset, _paths(connection, dataset, lost), refused)


def _paths(connection: Connection, dataset: str, columns: Collection[str]) -> tuple[Path, ...]:
    """Of columns, as events name them. Raises WrongUsage if no event has."""
    names = column_names(connection, [dataset])[dataset]
    for column in columns:
        _check_named(connection, dataset, column, names)
    return tuple(dict.fromkeys(map(names.path, columns)))


def _check_named(connection: Connection, dataset: str, column: str, names: ColumnNames) -> None:
    asked = {"dataset": dataset, "column": column}
    if one_value(connection, bool, "answers/impact/has_column", asked):
        return
    readings = Readings(connection, GraphReader(connection, END, shows_hidden=False), MOST_WALKED)
    readings.load([dataset])
    taken = ColumnPaths(path for one in readings.readers[dataset].taken.values() for path in one.paths())
    if not taken.meet(names.path(column)):
        raise NotInStore(f"No event has named a column {column!r} of the dataset; `lineage query` shows which it has.")


def _is_used(connection: Connection, dataset: str, name: str) -> bool:
    return one_value(connection, bool, "answers/graph/has_column", {"dataset": dataset, "name": name})


def _of_schema(
    connection: Connection, dataset: str, fields: Sequence[DescribedField], *, ignores_case: bool
) -> ChangedColumns:
    """By the rules of `lineage schema check`. Of a dataset that only readers describe, by what they stated last."""
    history = history_of(DatasetReading(connection, UUID(dataset)).last_schema())
    if history.struct is None:
        asked = {"dataset": dataset}
        described = value_or_none(connection, str, "answers/impact/schema_by_readers", asked)
        history = DatasetHistory().next(recorded_fields(described))[1]
    stored = [field.name for field in history.struct.fields if not field.deleted] if history.struct else []
    judgement = history.next_for_all(_named_as(fields, stored) if ignores_case else fields)[0]
    return ChangedColumns(
        dataset,
        tuple(dict.fromkeys(parsed_path(fenced.refusal.path) for fenced in judgement.fenced)),
        tuple(map(_refused, judgement.refusals)),
        is_known=history.struct is not None,
    )


def _named_as(fields: Sequence[DescribedField], stored: Collection[str]) -> list[DescribedField]:
    """The fields by the names that are stored, where only capitals are others."""
    alike = {name.casefold(): name for name in stored}
    return [
        field
        if field.name in stored
        else DescribedField(alike.get(field.name.casefold(), field.name), field.type, field.fields)
        for field in fields
    ]


def _refused(refusal: Refusal) -> str:
    return f"{refusal.path}: {refusal.reason} (rule {refusal.rule})"
