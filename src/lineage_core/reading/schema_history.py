"""The history of a dataset's schema, and what a new schema would be in it (seed 004)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from lineage_core.errors import WrongUsage
from lineage_core.evolution.data_types import text_of
from lineage_core.evolution.dataset_history import DatasetHistory, DescribedField, Judgement, judged, recorded_fields
from lineage_core.reading.store.schemas import DatasetReading, RecordedSchema, dataset_named


@dataclass(frozen=True)
class JudgedVersion:
    """A version of a dataset that became current, and what its schema is to those before it."""

    version: UUID
    current_from: datetime
    judgement: Judgement


def schema_history(dsn: str, namespace: str, name: str) -> list[JudgedVersion]:
    """Every version of a dataset that was written or declared. Raises WrongUsage if there is no such dataset."""
    recorded = _recorded(dsn, namespace, name)
    judgements = judged(recorded_fields(schema.fields) for schema in recorded)
    return [
        JudgedVersion(schema.version, schema.current_from, judgement)
        for schema, judgement in zip(recorded, judgements, strict=True)
    ]


def schema_difference(dsn: str, namespace: str, name: str, first: int, second: int) -> Judgement:
    """What the schema of one version is to that of another, by their numbers in the history, from 1 on; -1 is the last.

    Versions without a schema do not count. Raises WrongUsage if there is no such version.
    """
    known = [
        fields for schema in _recorded(dsn, namespace, name) if (fields := recorded_fields(schema.fields)) is not None
    ]
    return judged([_numbered(known, first), _numbered(known, second)])[-1]


def _numbered(known: Sequence[tuple[DescribedField, ...]], number: int) -> tuple[DescribedField, ...]:
    if number == 0 or abs(number) > len(known):
        raise WrongUsage(f"There is no schema {number}: the dataset has had {len(known)}, numbered from 1")
    return known[number - 1 if number > 0 else number]


def judgement_of(dsn: str, namespace: str, name: str, fields: Sequence[DescribedField]) -> Judgement:
    """What a schema would be if it came next, and which jobs it would fence. Raises WrongUsage as `schema_history`."""
    with dataset_named(dsn, namespace, name) as dataset:
        history = DatasetHistory()
        for schema in _known(dataset, namespace, name).schemas():
            _, history = history.next(recorded_fields(schema.fields))
        columns: dict[str, list[str]] = {}
        for read in dataset.read_columns():
            columns.setdefault(read.job, []).append(text_of((read.column,)))
    return history.next(fields, columns)[0]


def _recorded(dsn: str, namespace: str, name: str) -> list[RecordedSchema]:
    with dataset_named(dsn, namespace, name) as dataset:
        return _known(dataset, namespace, name).schemas()


def _known(dataset: DatasetReading, namespace: str, name: str) -> DatasetReading:
    if dataset.dataset is None:
        raise WrongUsage(f"The store has no dataset {name!r} in the namespace {namespace!r}; check both names")
    return dataset
