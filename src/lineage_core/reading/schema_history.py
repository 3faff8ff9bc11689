"""The history of a dataset's schema, and what a new schema would be in it (seed 004)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

import msgspec

from lineage_core.errors import WrongUsage
from lineage_core.evolution.data_types import text_of
from lineage_core.evolution.dataset_history import (
    DatasetHistory,
    DescribedField,
    Judgement,
    Readers,
    Verdict,
    fenced_readers,
    judged,
    recorded_fields,
)
from lineage_core.evolution.rules import Refusal, TypeChange
from lineage_core.postgres.store import Store
from lineage_core.reading.store import DatasetReading, KeptVerdict, LastSchema, ReadColumn, dataset_named
from lineage_core.reading.unknown_names import unknown_dataset


@dataclass(frozen=True)
class JudgedVersion:
    """A version of a dataset that became current, and what its schema is to those before it.

    number: of its schema among those that are known, from 1 on; None if its own is not.
    """

    number: int | None
    version: UUID
    current_from: datetime
    judgement: Judgement


def schema_history(store: Store, namespace: str, name: str) -> list[JudgedVersion]:
    """Every version of a dataset that was written or declared, with the verdict that the store keeps.

    It fences the jobs that have read such a column last before the change, by the column lineage of what they last
    wrote, and those that read the dataset then and do not say which columns. Raises WrongUsage if there is no such
    dataset.
    """
    with _known(store, namespace, name) as dataset:
        return _judged(dataset.verdicts()[::-1], dataset.read_columns())


def schema_changes(dataset: DatasetReading, most: int) -> list[JudgedVersion]:
    """The versions that became current with another schema than before, the last first, within a snapshot."""
    return _judged(dataset.verdicts(only_changes=True, most=most), dataset.read_columns())


def _judged(verdicts: Iterable[KeptVerdict], reads: Sequence[ReadColumn]) -> list[JudgedVersion]:
    return [JudgedVersion(kept.number, kept.version, kept.current_from, _judgement(kept, reads)) for kept in verdicts]


def _judgement(kept: KeptVerdict, reads: Sequence[ReadColumn]) -> Judgement:
    fencing = msgspec.convert(kept.fencing, tuple[Refusal, ...])
    readers = _readers(read for read in reads if read.is_before(kept.event_order)) if fencing else {}
    return Judgement(
        Verdict(kept.verdict),
        msgspec.convert(kept.changes, tuple[TypeChange, ...]),
        msgspec.convert(kept.refusals, tuple[Refusal, ...]),
        fenced_readers(fencing, readers),
    )


def _readers(reads: Iterable[ReadColumn]) -> Readers:
    columns: dict[str, list[str] | None] = {}
    for read in reads:
        if read.column is None:
            columns[read.job] = None
        elif (known := columns.setdefault(read.job, [])) is not None:
            known.append(text_of(tuple(read.column)))
    return columns


def schema_difference(store: Store, namespace: str, name: str, first: int | None, second: int) -> Judgement:
    """What the schema of one version is to that of another, by their numbers in the history, from 1 on; -1 is the last.

    Versions without a schema, or with one without fields, do not count. first: None for the last before the second that
    differs from it, or for the first of all if none does. Raises WrongUsage if there is no such version.
    """
    with _known(store, namespace, name) as dataset:
        schemas = [recorded_fields(schema.fields) for schema in dataset.schemas()]
    known = [fields for fields in schemas if fields]
    after = _place(known, second)
    before = _last_other(known, after) if first is None else _place(known, first)
    return judged([known[before], known[after]])[-1]


def _last_other(known: Sequence[tuple[DescribedField, ...]], place: int) -> int:
    others = (before for before in reversed(range(place)) if _differ(known[before], known[place]))
    return next(others, 0)


def _differ(before: tuple[DescribedField, ...], after: tuple[DescribedField, ...]) -> bool:
    return judged([before, after])[-1].verdict is not Verdict.UNCHANGED


def _place(known: Sequence[tuple[DescribedField, ...]], number: int) -> int:
    if number == 0 or abs(number) > len(known):
        raise WrongUsage(f"There is no schema {number}: the dataset has had {len(known)}, numbered from 1")
    return number - 1 if number > 0 else len(known) + number


def judgement_of(store: Store, namespace: str, name: str, fields: Sequence[DescribedField]) -> Judgement:
    """What a schema would be if it came next, and which jobs it would fence. Raises WrongUsage as `schema_history`."""
    with _known(store, namespace, name) as dataset:
        last, reads = dataset.last_schema(), dataset.read_columns()
    judgement = history_of(last).next_for_all(fields)[0]
    fencing = [fenced.refusal for fenced in judgement.fenced]
    return replace(judgement, fenced=fenced_readers(fencing, _readers(reads)))


def history_of(last: LastSchema | None) -> DatasetHistory:
    """What a schema that comes next is judged by."""
    if last is None:
        return DatasetHistory()
    before = DatasetHistory() if last.history is None else DatasetHistory.from_json(last.history)
    return before.next(recorded_fields(last.fields))[1]


@contextmanager
def _known(store: Store, namespace: str, name: str) -> Iterator[DatasetReading]:
    with dataset_named(store, namespace, name) as dataset:
        if dataset.dataset is None:
            raise unknown_dataset(dataset.connection, namespace, name)
        yield dataset
