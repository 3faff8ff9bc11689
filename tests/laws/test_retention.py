"""Laws of retention: it deletes what it has planned and nothing else, and nothing behind the horizon comes back."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from datetime import datetime
from random import Random
from typing import Any
from uuid import UUID

import pytest

from lineage_core.openlineage.identity import dataset_uuid, job_uuid
from lineage_core.postgres.store import Store
from lineage_core.retention import application as retention
from lineage_core.retention.store.policies import set_policy
from tests.support.examples import numbers
from tests.support.moving_runs import chain_of_runs, names_that_move, runs_that_move, schemas_that_go
from tests.support.named_contents import astray
from tests.support.retention_histories import Document, RetentionHistory, history
from tests.support.row_counts import counted
from tests.support.staying_entities import Staying, staying
from tests.support.staying_runs import jobs_of_runs
from tests.support.stores import contents, differences, empty, rows, take_in
from tests.support.verdicts_anew import judged_anew, kept

pytestmark = pytest.mark.postgres

EXAMPLES = 11
MANY = 80

_REFERENCES = (
    ("dataset_versions", "run_uuid", "runs"),
    ("job_versions", "latest_run_uuid", "runs"),
    ("datasets", "current_version_uuid", "dataset_versions"),
    ("jobs", "current_version_uuid", "job_versions"),
    ("jobs", "current_run_uuid", "runs"),
    ("runs", "job_uuid", "jobs"),
    ("column_lineage_versions", "output_dataset_version_uuid", "dataset_versions"),
    ("column_lineage_versions", "input_dataset_version_uuid", "dataset_versions"),
    ("dataset_version_timeline", "version_uuid", "dataset_versions"),
    ("dataset_schema_verdicts", "version_uuid", "dataset_versions"),
    ("dataset_schema_alerts", "version_uuid", "dataset_versions"),
    ("dataset_mentions", "version_uuid", "dataset_versions"),
    ("dataset_mentions", "schema_uuid", "dataset_schemas"),
    ("dataset_mentions", "lineage_uuid", "dataset_column_lineages"),
    ("dataset_mentions", "facets_uuid", "facet_sets"),
    ("dataset_mentions", "io_facets_uuid", "facet_sets"),
    ("event_ledger", "job_version_uuid", "job_versions"),
    ("event_ledger", "run_facets_uuid", "facet_sets"),
    ("event_ledger", "job_facets_uuid", "facet_sets"),
    ("run_facets_kept_once", "facet_uuid", "facets"),
)
"""Columns that name a row of another table, and that no foreign key holds."""

_OF_RUNS = (
    ("dataset_mentions", "run_uuid"),
    ("event_ledger", "run_uuid"),
    ("parent_mentions", "run_uuid"),
    ("parent_mentions", "made_run_uuid"),
)
"""Those that name a run, unless it was purged."""

DANGLING = {
    **{
        f"{table}.{column}": f"SELECT {column} FROM {table}"
        f" WHERE {column} IS NOT NULL AND {column} NOT IN (SELECT uuid FROM {named})"
        for table, column, named in _REFERENCES
    },
    **{
        f"{table}.{column} not purged": f"SELECT {column} FROM {table}"
        f" WHERE NOT is_purged AND {column} IS NOT NULL AND {column} NOT IN (SELECT uuid FROM runs)"
        for table, column in _OF_RUNS
    },
    **{
        f"{table} purged": f"SELECT run_uuid FROM {table} WHERE is_purged AND run_uuid IN (SELECT uuid FROM runs)"
        for table in ("dataset_mentions", "event_ledger", "parent_mentions")
    },
    "pairs": "SELECT pairs_uuid FROM column_lineage_versions"
    " WHERE pairs_uuid NOT IN (SELECT pairs_uuid FROM column_lineage_pairs)",
    "facets of sets": "SELECT uuid FROM facet_sets, unnest(facets) AS named (facet)"
    " WHERE facet NOT IN (SELECT uuid FROM facets)",
}
"""What names something that is not there, of all that no foreign key holds."""


def purge(store: Store, example: RetentionHistory) -> Counter[str]:
    """Applies the policies; the rows that have gone. What is protected stays, all else that is old goes, nothing
    dangles, and a second plan is empty.
    """
    expected = staying(store, example.before, example.policies[0].keep_last or 0, example.entities_before)
    planned = retention.plan(store, example.as_of)
    before, judged = counted(store), kept(store)
    applied = retention.apply(store, planned)
    assert dict(applied.deleted) == dict(planned.tables)
    assert before - counted(store) == applied.deleted, "nothing goes along with what goes"
    assert {name: found for name, query in DANGLING.items() if (found := rows(store, query))} == {}
    assert Staying(*(frozenset(uuids(store, table)) for table in ("runs", "jobs", "datasets"))) == expected
    assert astray(store) == []
    assert [verdict for verdict in kept(store) if verdict not in judged] == []
    assert retention.plan(store, example.as_of).tables == {}
    return Counter(applied.deleted)


def prepare(store: Store, example: RetentionHistory) -> None:
    empty(store)
    for policy in example.policies:
        set_policy(store, policy)


def named_by(event: Document) -> set[UUID]:
    """The runs, jobs and datasets that an event names."""
    found = [UUID(bytes=dataset_uuid(one["namespace"], one["name"])) for one in _datasets(event)]
    facet = event.get("run", {}).get("facets", {}).get("parent", {})
    found += [UUID(one["runId"]) for one in (event.get("run"), facet.get("run")) if one]
    named = [one for one in (event.get("job"), facet.get("job")) if one]
    found += [UUID(bytes=job_uuid(one["namespace"], one["name"])) for one in named]
    if len(named) == 2:  # a job that another starts has the name of both
        found.append(UUID(bytes=job_uuid(named[0]["namespace"], f"{named[1]['name']}.{named[0]['name']}")))
    return set(found)


def _datasets(event: Document) -> Iterator[Document]:
    for one in (*event.get("inputs", ()), *event.get("outputs", ()), *filter(None, [event.get("dataset")])):
        yield one
        for column in one.get("facets", {}).get("columnLineage", {}).get("fields", {}).values():
            yield from column["inputFields"]


def uuids(store: Store, *tables: str) -> set[UUID]:
    return {uuid for table in tables for (uuid,) in rows(store, f"SELECT uuid FROM {table}")}


def shown(store: Store, example: RetentionHistory, repeated: dict[str, set[str]]) -> dict[str, list[str]]:
    """All rows but the facts that are left of purged runs. Of content that came again after it was deleted, without
    its first times, and without what was stated of it before the horizon: who has deleted it knows of neither. A column
    is as it is since the first time of its schema.
    """
    parsed = {table: [json.loads(text) for text in texts] for table, texts in contents(store).items()}
    earlier = set(_earlier_versions(parsed, example.before, repeated["dataset_versions"]))
    timeless = repeated | {"dataset_schema_versions": _repeated_schemas(parsed, repeated)}
    for column in parsed["dataset_fields"]:
        if column["schema_uuid"] in repeated["dataset_schemas"]:
            del column["updated_at"]
    return {
        table: sorted(
            json.dumps(_timeless(row) if key(row) in timeless[table] else row, sort_keys=True)
            for row in found
            if not row.get("is_purged") and row.get("event_order") not in earlier
        )
        for table, found in parsed.items()
    }


def _earlier_versions(parsed: dict[str, list[dict[str, Any]]], before: datetime, versions: set[str]) -> Iterator[str]:
    """The dataset events from before the horizon that have described one of these versions."""
    for mention in parsed["dataset_mentions"]:
        is_old = datetime.fromisoformat(mention["event_time"]) < before
        if is_old and mention["run_uuid"] is None and mention["version_uuid"] in versions:
            yield mention["event_order"]


def _repeated_schemas(parsed: dict[str, list[dict[str, Any]]], repeated: dict[str, set[str]]) -> set[str]:
    """Schema versions that came again, or that a version has which was: they are as old as their first version."""
    again = repeated["dataset_versions"]
    of_versions = {row["dataset_schema_version_uuid"] for row in parsed["dataset_versions"] if row["uuid"] in again}
    return repeated["dataset_schema_versions"] | of_versions


def key(row: dict[str, Any]) -> str:
    return str(row.get("uuid") or row.get("pairs_uuid"))


FIRST_TIMES = ("created_at", "first_event", "updated_at", "latest_event", "location")


def _timeless(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name not in FIRST_TIMES}


def keys(store: Store) -> dict[str, set[str]]:
    return {table: {key(json.loads(text)) for text in texts} for table, texts in contents(store).items()}


_NAMED = ("runs", "jobs", "datasets")

FLOORS = {
    "runs that go": 40,
    "jobs that go": 5,
    "datasets that go": 2,
    "jobs and datasets that others need": 5,
    "dataset versions that go": 8,
    "job versions that go": 30,
    "runs that are known from their children only and go": 5,
    "facts that stay of runs that have gone": 20,
    "events that arrive after a purge": 60,
    "content that is stated again after it was deleted": 5,
    "parents that stay for a run that stays": 20,
    "open runs that stay": 15,
    "versions that stay as they were current at the horizon": 2,
    "verdicts that follow from deleted versions": 5,
}
"""How often all examples together must have met what."""


@pytest.mark.slow
def test_what_comes_after_a_purge_gives_what_one_purge_of_all_gives(database: Store) -> None:
    met: Counter[str] = Counter()
    for number in numbers(EXAMPLES):
        hold(database, number, met)
    assert {situation: met[situation] for situation, floor in FLOORS.items() if met[situation] < floor} == {}


MOVING = {chain_of_runs: (2, 4), runs_that_move: (1, 10), names_that_move: (0,), schemas_that_go: (0, 5)}
"""Examples of each kind, by their numbers."""

FLOORS_OF_MOVING = {
    "parents of parents that go": 1,
    "runs of several jobs": 5,
    "jobs and datasets that others need": 2,
    "columns that outlive the schema that describes them": 2,
}


@pytest.mark.slow
def test_so_does_what_moves_runs_versions_and_names_after_a_purge(database: Store) -> None:
    met: Counter[str] = Counter()
    for make, chosen in MOVING.items():
        for number in chosen:
            hold(database, number, met, make)
    assert {situation: met[situation] for situation, floor in FLOORS_OF_MOVING.items() if met[situation] < floor} == {}


@pytest.mark.long
@pytest.mark.parametrize("make", MOVING, ids=lambda make: make.__name__)
def test_so_do_many_that_move(database: Store, make: Callable[[Random], RetentionHistory]) -> None:
    for number in numbers(20):
        hold(database, number, Counter(), make)


@pytest.mark.long
def test_so_do_many_others(database: Store) -> None:
    for number in numbers(MANY, EXAMPLES):
        hold(database, number, Counter())


def hold(database: Store, number: int, met: Counter[str], make: Callable[[Random], RetentionHistory] = history) -> None:
    """Fails if the example of that number gives other tables in two steps than in one."""
    example = make(Random(number))
    prepare(database, example)
    take_in(database, example.events)
    before, known, made = uuids(database, *_NAMED), keys(database), made_runs(database)
    parents = named_parents(database)
    protected = retention.plan(database, example.as_of).protected
    deleted = purge(database, example)
    gone = before - uuids(database, *_NAMED)
    left, left_by_schemas = keys(database), columns_left_by_schemas(database)
    repeated = {table: known[table] - left[table] for table in known}
    late = [event for event in example.late if not (named_by(event) | parents_of(event, parents)) & gone]
    take_in(database, late)
    anew = judged_anew(database)
    back = keys(database)
    met.update(
        {
            "runs that go": deleted["runs"],
            "jobs that go": deleted["jobs"],
            "datasets that go": deleted["datasets"],
            "jobs and datasets that others need": protected.get("used by what stays", 0),
            "dataset versions that go": deleted["dataset_versions"],
            "job versions that go": deleted["job_versions"],
            "runs that are known from their children only and go": len(gone & made),
            "facts that stay of runs that have gone": facts(database),
            "events that arrive after a purge": len(late),
            "content that is stated again after it was deleted": sum(
                len(repeated[table] & back[table]) for table in repeated
            ),
            "parents that stay for a run that stays": protected.get("parent of a run that stays", 0),
            "parents of parents that go": len(gone & {uuid for run in before - gone for uuid in parents.get(run, ())}),
            "runs of several jobs": sum(len(jobs) > 1 for jobs in jobs_of_runs(database).values()),
            "open runs that stay": protected.get("open run", 0),
            "versions that stay as they were current at the horizon": protected.get("current at the horizon", 0),
            "columns that outlive the schema that describes them": left_by_schemas,
            "verdicts that follow from deleted versions": sum(verdict not in anew for verdict in kept(database)),
        }
    )
    purge(database, example)
    one_by_one = shown(database, example, repeated)
    prepare(database, example)
    take_in(database, [*example.events, *late])
    purge(database, example)
    assert differences(one_by_one, shown(database, example, repeated)) == {}, (make.__name__, number)


def columns_left_by_schemas(store: Store) -> int:
    """How many name the last event of a schema that is gone."""
    return len(rows(store, "SELECT FROM dataset_fields WHERE latest_event IS NOT NULL"))


def made_runs(store: Store) -> set[UUID]:
    return {uuid for (uuid,) in rows(store, "SELECT uuid FROM runs WHERE first_event IS NULL")}


def named_parents(store: Store) -> dict[UUID, set[UUID]]:
    """The parents that each run has named."""
    named: defaultdict[UUID, set[UUID]] = defaultdict(set)
    for child, parent in rows(store, "SELECT run_uuid, parent_run_uuid FROM parent_mentions WHERE NOT is_purged"):
        named[child].add(parent)
    return named


def parents_of(event: Document, parents: dict[UUID, set[UUID]]) -> set[UUID]:
    """Those that the run of an event has named. Where one has gone, the run has stayed as a parent of others alone."""
    return parents.get(UUID(event["run"]["runId"]), set()) if "run" in event else set()


def facts(store: Store) -> int:
    tables = ("event_ledger", "dataset_mentions", "parent_mentions")
    return sum(len(rows(store, f"SELECT FROM {table} WHERE is_purged")) for table in tables)
