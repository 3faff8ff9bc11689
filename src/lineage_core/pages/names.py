"""The names of jobs and datasets that an answer knows by their ids, so that a page can lead to them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from pydantic import with_config
from typing_extensions import TypedDict

from lineage_core.answers.explain.explanation import EvidenceKind, Explanation
from lineage_core.answers.explain.loading import LARGEST_FACET
from lineage_core.pages.description import WHOLE
from lineage_core.pages.members import members_of
from lineage_core.pages.rows import every
from lineage_core.postgres.connection import Connection


class ThingName(TypedDict):
    """kind: job or dataset."""

    kind: str
    namespace: str | None
    name: str | None


class RunName(TypedDict):
    """A run, and its job."""

    run: UUID
    job: UUID | None
    namespace: str | None
    name: str | None
    state: str | None
    started_at: datetime | None
    ended_at: datetime | None


class VersionName(TypedDict):
    """A dataset version, and its dataset."""

    version: UUID
    dataset: UUID
    namespace: str | None
    name: str
    made_at: datetime


class EvidenceFacet(TypedDict):
    """content: as the events have it."""

    name: str
    content: Any


class EventMoment(TypedDict):
    """When an event was, and of which run."""

    at: datetime
    run: UUID | None


class CauseEvidence(TypedDict):
    """What lies behind the causes of a run.

    subjects: each `namespace/name` that they are about, as far as their runs and their evidence say, and the job of the
    run. facets: each that is evidence, by its id, unless it is a large one. datasets, events: by id.
    """

    subjects: dict[str, ThingName]
    facets: dict[str, EvidenceFacet]
    datasets: dict[str, ThingName]
    events: dict[str, EventMoment]


@with_config(WHOLE)
@dataclass(frozen=True, kw_only=True)
class ExplainedRun(Explanation):
    """An explanation, and what lies behind it."""

    evidence: CauseEvidence


class _Thing(ThingName):
    uuid: UUID


class _Facet(EvidenceFacet):
    uuid: UUID


class _Event(EventMoment):
    event: str


def names_of(connection: Connection, uuids: Collection[UUID]) -> dict[str, ThingName]:
    """Kind, namespace and name of jobs and datasets, by their ids as texts."""
    found = every(connection, _Thing, "things", uuids=list(uuids))
    return {str(one["uuid"]): _named(one["kind"], one) for one in found}


def with_evidence(connection: Connection, explained: Explanation) -> ExplainedRun:
    """The explanation, and the names and contents of what it names by ids."""
    return ExplainedRun(**members_of(explained), evidence=_evidence(connection, explained))


def _evidence(connection: Connection, explained: Explanation) -> CauseEvidence:
    given = explained.causes
    runs = [explained.run, *(cause.run for cause in given)]
    ids = {kind: [one.id for cause in given for one in cause.evidence if one.kind is kind] for kind in EvidenceKind}
    datasets = names_of(connection, [UUID(one) for one in ids[EvidenceKind.DATASET]])
    versions = every(connection, VersionName, "named_versions", versions=ids[EvidenceKind.VERSION])
    things = [
        *(_named("job", one) for one in every(connection, RunName, "named_runs", runs=runs)),
        *(_named("dataset", one) for one in versions),
        *datasets.values(),
    ]
    orders = [bytes.fromhex(one) for one in ids[EvidenceKind.EVENT]]
    facets = every(connection, _Facet, "facets_by_id", facets=ids[EvidenceKind.FACET], largest=LARGEST_FACET)
    events = every(connection, _Event, "named_events", events=orders)
    return {
        "subjects": {f"{one['namespace']}/{one['name']}": one for one in things},
        "facets": {str(one["uuid"]): {"name": one["name"], "content": one["content"]} for one in facets},
        "datasets": datasets,
        "events": {one["event"]: {"at": one["at"], "run": one["run"]} for one in events},
    }


def _named(kind: str, row: RunName | VersionName | ThingName) -> ThingName:
    return {"kind": kind, "namespace": row["namespace"], "name": row["name"]}
