"""Verdicts on the schemas of datasets, and their alerts: kept by the merge that changes the timeline."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from typing import Any
from uuid import UUID

import psycopg

from lineage_core.errors import SliceRefused
from lineage_core.evolution import Verdict
from lineage_core.normalize.schema_walks import JudgedPlace, SchemaWalk, TimelinePlace, known_before, listed
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.failures import lies_in_data
from lineage_core.postgres.typed_rows import each_row, every_row, execute

DATASETS_AT_ONCE = 200
PLACES_AT_FIRST, MOST_PLACES = 2, 512
"""Places of each dataset that are looked for at once: mostly there is one that is new, and none behind it."""
PLACES_AT_ONCE = 100
"""Places that this process holds, of all datasets."""


@dataclass(frozen=True)
class _ChangedPlace:
    dataset: UUID
    places: list[bytes]
    is_moved: bool


@dataclass(frozen=True)
class _KnownHistory:
    dataset: UUID
    history_uuid: UUID | None
    history: Any
    fields: str | None
    is_before: bool


def judge_schemas(connection: Connection) -> None:
    """Judges the schemas of the timelines that this merge has changed, from the earliest change on.

    It needs the temporary tables of the merge, and ends in the same transaction. Raises SliceRefused if Postgres does
    not take what is to be kept.
    """
    try:
        execute(connection, "normalize/keep_repeated_verdicts")
        changed = every_row(connection, _ChangedPlace, "normalize/changed_schemas")
        for start in range(0, len(changed), DATASETS_AT_ONCE):
            _judge(connection, changed[start : start + DATASETS_AT_ONCE])
    except psycopg.Error as error:
        if connection.broken or not lies_in_data(error):
            raise
        raise SliceRefused(f"The verdict on a schema cannot be kept: {error.diag.message_primary or error}") from error


def _judge(connection: Connection, changed: Sequence[_ChangedPlace]) -> None:
    replaced: set[UUID] = set()
    kept: set[UUID] = set()
    """Ids of histories that are known to be stored: most of a walk are one, and each is large."""
    walks = [SchemaWalk(one.dataset, one.places) for one in changed]
    most = PLACES_AT_FIRST
    while walks:
        for judged in _portions(_next_round(connection, walks, most, kept)):
            _keep_histories(connection, judged, kept)
            _keep_verdicts(connection, judged)
            replaced |= {one.place.history for one in judged if one.place.history not in (None, one.history.uuid)}
        walks = [walk for walk in walks if walk.place is not None]
        most = min(2 * most, MOST_PLACES)
    moved = [one.dataset for one in changed if one.is_moved]
    if moved:
        execute(connection, "normalize/forget_schema_verdicts", {"datasets": moved})
    if moved or replaced:
        execute(connection, "normalize/forget_schema_histories", {"replaced": list(replaced), "moved": moved})
    execute(connection, "normalize/resolve_schema_alerts", {"datasets": [one.dataset for one in changed]})


def _next_round(
    connection: Connection, walks: Sequence[SchemaWalk], most: int, kept: set[UUID]
) -> Iterator[JudgedPlace]:
    """All walks side by side, a few places further. No more places are held than come at once: schemas may be large."""
    _begin(connection, [walk for walk in walks if walk.begins], kept)
    by_dataset = {walk.dataset: walk for walk in walks}
    parameters = {**_asked(walks), "most": most}
    for walk in walks:
        walk.place = None
    places = each_row(connection, TimelinePlace, "normalize/schemas_to_judge", parameters, at_once=PLACES_AT_ONCE)
    for dataset, of_dataset in groupby(places, key=lambda place: place.dataset):
        yield from by_dataset[dataset].judge(of_dataset, most)


def _portions(judged: Iterator[JudgedPlace]) -> Iterator[list[JudgedPlace]]:
    while portion := list(islice(judged, PLACES_AT_ONCE)):
        yield portion


def _asked(walks: Sequence[SchemaWalk]) -> dict[str, Any]:
    return {"datasets": [walk.dataset for walk in walks], "places": [walk.place for walk in walks]}


def _begin(connection: Connection, walks: Sequence[SchemaWalk], kept: set[UUID]) -> None:
    if not walks:
        return
    found = {one.dataset: one for one in every_row(connection, _KnownHistory, "normalize/known_schemas", _asked(walks))}
    kept.update(one.history_uuid for one in found.values() if one.history_uuid is not None)
    for walk in walks:
        known = found.get(walk.dataset, _KnownHistory(walk.dataset, None, None, None, is_before=False))
        walk.begin(known_before(known.history, known.fields, is_before=known.is_before))


def _keep_histories(connection: Connection, judged: Sequence[JudgedPlace], kept: set[UUID]) -> None:
    """kept: ids of those that are known to be stored; what is stored now comes to them."""
    new = {one.history.uuid: one for one in judged if one.history.uuid is not None and one.history.uuid not in kept}
    if not new:
        return
    histories = {
        "uuids": list(new),
        "datasets": [one.place.dataset for one in new.values()],
        "histories": [one.history.history for one in new.values()],
    }
    execute(connection, "normalize/keep_schema_histories", histories)
    kept.update(new)


def _keep_verdicts(connection: Connection, judged: Sequence[JudgedPlace]) -> None:
    places = {
        "datasets": [one.place.dataset for one in judged],
        "places": [one.place.event_order for one in judged],
    }
    verdicts = {
        "versions": [one.place.version for one in judged],
        "times": [one.place.current_from for one in judged],
        "verdicts": [one.judgement.verdict.value for one in judged],
        "changes": [listed(one.judgement.changes) for one in judged],
        "refusals": [listed(one.judgement.refusals) for one in judged],
        "fencings": [listed([fenced.refusal for fenced in one.judgement.fenced]) for one in judged],
        "histories": [one.history.uuid for one in judged],
    }
    execute(connection, "normalize/keep_schema_verdicts", {**places, **verdicts})
    if any(one.judgement.verdict is Verdict.REFUSED for one in judged):
        execute(connection, "normalize/raise_schema_alerts", places)
