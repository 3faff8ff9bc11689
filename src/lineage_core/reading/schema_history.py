"""The history of a dataset's schema, and what a new schema would be in it (seed 004)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
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
from lineage_core.reading.store.schemas import DatasetReading, KeptVerdict, ReadColumn, dataset_named


@dataclass(frozen=True)
class JudgedVersion:
    """A version of a dataset that became current, and what its schema is to those before it."""

    version: UUID
    current_from: datetime
    judgement: Judgement


def schema_history(dsn: str, namespace: str, name: str) -> list[JudgedVersion]:
    """Every version of a dataset that was written or declared, with the verdict that the store keeps.

    It fences the jobs that have read such a column last before the change, by the column lineage of what they last
    wrote. Raises WrongUsage if there is no such dataset.
    """
    with _known(dsn, namespace, name) as dataset:
        verdicts, reads = dataset.verdicts(), dataset.read_columns()
    return [JudgedVersion(kept.version, kept.current_from, _judgement(kept, reads)) for kept in verdicts]


def _judgement(kept: KeptVerdict, reads: Sequence[ReadColumn]) -> Judgement:
    fencing = msgspec.convert(kept.fencing, tuple[Refusal, ...])
    return Judgement(
        Verdict(kept.verdict),
        msgspec.convert(kept.changes, tuple[TypeChange, ...]),
        msgspec.convert(kept.refusals, tuple[Refusal, ...]),
        fenced_readers(fencing, _readers(read for read in reads if read.is_before(kept.event_order))),
    )


def _readers(reads: Iterable[ReadColumn]) -> Readers:
    columns: dict[str, list[str]] = {}
    for read in reads:
        columns.setdefault(read.job, []).append(text_of((read.column,)))
    return columns


def schema_difference(dsn: str, namespace: str, name: str, first: int, second: int) -> Judgement:
    """What the schema of one version is to that of another, by their numbers in the history, from 1 on; -1 is the last.

    Versions without a schema do not count. Raises WrongUsage if there is no such version.
    """
    with _known(dsn, namespace, name) as dataset:
        schemas = [recorded_fields(schema.fields) for schema in dataset.schemas()]
    known = [fields for fields in schemas if fields is not None]
    return judged([_numbered(known, first), _numbered(known, second)])[-1]


def _numbered(known: Sequence[tuple[DescribedField, ...]], number: int) -> tuple[DescribedField, ...]:
    if number == 0 or abs(number) > len(known):
        raise WrongUsage(f"There is no schema {number}: the dataset has had {len(known)}, numbered from 1")
    return known[number - 1 if number > 0 else number]


def judgement_of(dsn: str, namespace: str, name: str, fields: Sequence[DescribedField]) -> Judgement:
    """What a schema would be if it came next, and which jobs it would fence. Raises WrongUsage as `schema_history`."""
    with _known(dsn, namespace, name) as dataset:
        last, reads = dataset.last_schema(), dataset.read_columns()
    history = DatasetHistory()
    if last is not None:
        before = history if last.history is None else DatasetHistory.from_json(last.history)
        history = before.next(recorded_fields(last.fields))[1]
    return history.next(fields, _readers(reads))[0]


@contextmanager
def _known(dsn: str, namespace: str, name: str) -> Iterator[DatasetReading]:
    with dataset_named(dsn, namespace, name) as dataset:
        if dataset.dataset is None:
            raise WrongUsage(f"The store has no dataset {name!r} in the namespace {namespace!r}; check both names")
        yield dataset
