"""Rows and bytes: what runs read and wrote of them, and how the numbers of a dataset were over time."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from typing_extensions import TypedDict

from lineage_core.answers.explain.facet_kinds import MEASURED
from lineage_core.answers.explain.loading import LARGEST_FACET, measures_of_runs, numbers_of_facet
from lineage_core.pages.rows import listed
from lineage_core.postgres.connection import Connection

MOST_MENTIONS = 200
"""Of datasets by one run, among which its numbers are looked for."""

MENTIONS_LOOKED_AT = 400
"""Of what was written of a dataset."""

MOST_SERIES = 24
"""Of the numbers of one dataset: those of all of it first, then those of its columns that have changed."""

_ROWS = ("rowCount",)
_BYTES = ("size", "bytes")
_TITLES = {"rowCount": "rows", "size": "bytes", "bytes": "bytes"}


@dataclass(frozen=True)
class Volume:
    """None where no event counts it."""

    rows: float | None
    bytes: float | None


class VersionUse(TypedDict):
    """A dataset version that a run used. uses: reads or writes."""

    uses: str
    dataset: UUID
    namespace: str | None
    name: str
    version: UUID


class VersionVolume(VersionUse):
    """Null where no event counts it."""

    rows: float | None
    bytes: float | None


class SeriesPoint(TypedDict):
    """run: null where no run wrote it."""

    at: datetime
    run: UUID | None
    value: float


class NumberSeries(TypedDict):
    """A number of a dataset, or of one of its columns, in order of time."""

    name: str
    points: list[SeriesPoint]


class _Statistic(TypedDict):
    at: datetime
    run: UUID | None
    name: str
    content: Any


def with_volumes(connection: Connection, run: UUID, versions: Sequence[VersionUse], most: int) -> list[VersionVolume]:
    """Rows of what a run read and wrote, each with how many rows and bytes of its dataset that was."""
    measures = measures_of_runs(connection, [run], most).by_run
    numbers = {key: measure.value for key, measure in measures.get(run, {}).items()}
    return [{**one, "rows": _first(numbers, one, _ROWS), "bytes": _first(numbers, one, _BYTES)} for one in versions]


def _first(numbers: Mapping[Any, float], use: VersionUse, names: Collection[str]) -> float | None:
    keys = ((use["dataset"], use["uses"] == "writes", name) for name in names)
    return next((numbers[key] for key in keys if key in numbers), None)


def volumes_of(connection: Connection, runs: Collection[UUID]) -> dict[UUID, tuple[Volume, Volume]]:
    """What runs read and what they wrote, of all datasets together, by run."""
    found = measures_of_runs(connection, runs, MOST_MENTIONS).by_run if runs else {}
    return {
        run: (_volume(numbers, of_outputs=False), _volume(numbers, of_outputs=True)) for run, numbers in found.items()
    }


def _volume(numbers: Mapping[tuple[UUID, bool, str], Any], *, of_outputs: bool) -> Volume:
    own = {key: measure for key, measure in numbers.items() if key[1] is of_outputs}
    return Volume(_sum(own, _ROWS), _sum(own, _BYTES))


def _sum(numbers: Mapping[tuple[UUID, bool, str], Any], names: Collection[str]) -> float | None:
    """A dataset that is counted under two names is counted once."""
    counted = {dataset: measure.value for (dataset, _, name), measure in numbers.items() if name in names}
    return sum(counted.values()) if counted else None


def statistics_over_time(connection: Connection, dataset: UUID) -> list[NumberSeries]:
    """The numbers that facets give of what was written of a dataset: a series of points for each, in order of time. Of
    a run, the last word counts. Numbers of columns are left out that never changed."""
    asked = {
        "dataset": dataset,
        "looked_at": MENTIONS_LOOKED_AT,
        "names": list(MEASURED),
        "largest": LARGEST_FACET,
    }
    found = listed(connection, _Statistic, "statistics_of_dataset", 2 * MENTIONS_LOOKED_AT, **asked)
    series: dict[str, dict[UUID | datetime, SeriesPoint]] = {}
    for row in found.rows:
        for name, value in numbers_of_facet(row["content"]):
            points = series.setdefault(_TITLES.get(name, name), {})
            points.setdefault(row["run"] or row["at"], {"at": row["at"], "run": row["run"], "value": value})
    chosen: list[NumberSeries] = [
        {"name": name, "points": sorted(points.values(), key=lambda point: point["at"])}
        for name, points in series.items()
        if name in _TITLES.values() or len({point["value"] for point in points.values()}) > 1
    ]
    return sorted(chosen, key=lambda one: (one["name"] not in _TITLES.values(), one["name"]))[:MOST_SERIES]
