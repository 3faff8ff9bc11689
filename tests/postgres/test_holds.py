"""A legal hold keeps what it is about, whichever way it is named; horizons and policies mean by a name what it does."""

from __future__ import annotations

from collections import Counter
from datetime import datetime, timedelta
from uuid import UUID

import pytest

from lineage_core.postgres.store import Store
from lineage_core.retention import application as retention
from lineage_core.retention.policies import Policy, matches
from lineage_core.retention.store.policies import HeldThing, add_hold, set_policy
from lineage_core.retention.store.reports import RAW
from lineage_core.retention.tables import PolicyKind
from lineage_core.testing import TIME, Document, dataset, dataset_event, facet, job_event, named_job, parent, run_event
from tests.support.stores import rows, take_in

pytestmark = pytest.mark.postgres

DAY = timedelta(days=1)
NOW = TIME + 100 * DAY
SHOP = "postgres://shop:5432"
RUN, DAG_RUN = "0190a0a0-0000-7000-8000-000000000001", "0190a0a0-1111-7000-8000-000000000001"
HOSTILE = ("my shop (eu)", "s3://bücket", "C:\\data", "a_b", "100%", "x\ny", "𝕏", "Shop", "a*b", "~", "a.b", "[a]", "")


@pytest.fixture
def store(database: Store) -> Store:
    """Whatever is older than thirty days goes."""
    for kind in (PolicyKind.RUNS, PolicyKind.VERSIONS, PolicyKind.ENTITIES, PolicyKind.RAW_EVENTS):
        set_policy(database, Policy(kind, "*", 30 * DAY, 0 if kind in {PolicyKind.RUNS, PolicyKind.VERSIONS} else None))
    return database


def ran(namespace: str = "shop", run: str = RUN, *, alias: str = "alias", time: datetime = TIME) -> list[Document]:
    """A run of the job `dag.task` that writes the dataset `sums`, which has a symlink."""
    links = facet(identifiers=[{"namespace": "links", "name": alias, "type": "TABLE"}])
    return [
        run_event(
            kind,
            run_id=run,
            job=named_job("task", namespace),
            time=time,
            outputs=[dataset("sums", SHOP, fields=[("a", "INT")], facets={"symlinks": links})],
            facets=parent(DAG_RUN, "dag", namespace),
        )
        for kind in ("START", "COMPLETE")
    ]


def what_goes(database: Store) -> dict[str, int]:
    planned = retention.plan(database, NOW)
    return dict(+Counter({**planned.tables, RAW: planned.raw_events.rows}))


@pytest.mark.parametrize("namespace", ["my shop (eu)", "s3://bücket", "C:\\data"])
@pytest.mark.parametrize("spelled", ["as producers do", "as the tables do", "by a pattern"])
def test_a_namespace_is_held_however_it_is_spelled(store: Store, namespace: str, spelled: str) -> None:
    take_in(store, ran(namespace))
    ((stored,),) = rows(store, "SELECT DISTINCT namespace_name FROM jobs")
    pattern = {"as producers do": namespace, "as the tables do": stored, "by a pattern": namespace[:-1] + "*"}[spelled]
    add_hold(store, HeldThing(pattern), "an audit", None)
    assert what_goes(store) == {}


@pytest.mark.parametrize("name", ["task", "dag.task", "dag"])
def test_a_job_is_held_by_each_of_its_names_and_by_its_parent(store: Store, name: str) -> None:
    take_in(store, ran())
    add_hold(store, HeldThing("shop", job=name), "an audit", None)
    assert what_goes(store) == {}


@pytest.mark.parametrize("run", [RUN, DAG_RUN], ids=["itself", "its parent's"])
def test_a_run_is_held_by_its_number_and_by_its_parents(store: Store, run: str) -> None:
    take_in(store, ran())
    add_hold(store, HeldThing("shop", run=UUID(run)), "an audit", None)
    assert not {"runs", "lineage_events", "dataset_versions"} & what_goes(store).keys()


def test_a_run_holds_what_it_has_started_down_to_the_last(store: Store) -> None:
    leaf = RUN[:-1] + "9"
    facets = parent(RUN, "dag.task")
    ended = run_event("COMPLETE", run_id=leaf, job=named_job("leaf"), time=TIME, facets=facets)
    take_in(store, [*ran(), ended])
    add_hold(store, HeldThing("shop", run=UUID(DAG_RUN)), "an audit", None)
    assert not {"runs", "lineage_events"} & what_goes(store).keys()


def test_a_parent_holds_what_is_declared_of_its_children(store: Store) -> None:
    """Job events name no parent; the first is not the last of the job's version, so nothing else keeps it."""
    declared = [job_event(named_job("dag.task"), time=TIME + number * timedelta(hours=1)) for number in range(3)]
    take_in(store, [*ran(), *declared])
    add_hold(store, HeldThing("shop", job="dag"), "an audit", None)
    assert what_goes(store) == {}


@pytest.mark.parametrize("held", ["old", "new"])
def test_jobs_that_a_person_has_made_one_are_held_by_either_name(store: Store, held: str) -> None:
    runs = [UUID(int=number) for number in (1, 2)]
    take_in(
        store,
        [
            run_event(kind, run_id=str(run), job=named_job(name))
            for run, name in zip(runs, ("old", "new"), strict=True)
            for kind in ("START", "COMPLETE")
        ],
    )
    with store.connect() as connection:
        connection.execute(
            "UPDATE jobs SET symlink_target_uuid = (SELECT uuid FROM jobs WHERE name = 'new') WHERE name = 'old'"
        )
    add_hold(store, HeldThing("shop", job=held), "an audit", None)
    assert not {"runs", "jobs", "lineage_events"} & what_goes(store).keys()


def test_a_dataset_is_held_by_a_symlink_with_the_raw_events_that_name_it(store: Store) -> None:
    take_in(store, [*ran(), dataset_event(dataset("sums", SHOP), time=TIME)])
    add_hold(store, HeldThing("links", dataset="alias"), "an audit", None)
    assert not {"runs", "dataset_versions", "lineage_events"} & what_goes(store).keys()


def test_a_held_dataset_keeps_its_facets_and_the_run_and_the_job_version_of_each_version(store: Store) -> None:
    job = job_event(named_job("described"), time=TIME, outputs=[dataset("sums", SHOP)])
    take_in(store, [*ran(), *ran(run=RUN[:-1] + "2", time=TIME + DAY), job])
    reads = (
        "SELECT * FROM dataset_facets ORDER BY 1, 2, 3, 4, 5, 6, 7, 8",
        "SELECT uuid, run_uuid FROM dataset_versions ORDER BY uuid",
        "SELECT * FROM job_versions_io_mapping ORDER BY 1, 2, 3",
    )
    before = [rows(store, read) for read in reads]
    add_hold(store, HeldThing(SHOP, dataset="sums"), "an audit", None)
    retention.apply(store, retention.plan(store, NOW))
    assert [rows(store, read) for read in reads] == before


def test_a_hold_on_some_time_is_about_what_was_stated_then(store: Store) -> None:
    later = RUN[:-1] + "2"
    take_in(store, [*ran(), *ran(run=later, time=TIME + 2 * DAY), *ran(run=RUN[:-1] + "3", time=NOW)])
    held = HeldThing(SHOP, dataset="sums", events_since=TIME + DAY, events_until=TIME + 3 * DAY)
    add_hold(store, held, "an audit", None)
    assert what_goes(store)["lineage_events"] == 2
    retention.apply(store, retention.plan(store, NOW))
    assert rows(store, "SELECT count(*) FROM runs WHERE uuid = %s", [later]) == [(1,)]
    assert rows(store, "SELECT count(*) FROM runs WHERE uuid = %s", [RUN]) == [(0,)]


def test_what_the_tables_do_not_know_is_held_by_what_it_says(store: Store) -> None:
    """Events that are expired or refused are passed, too."""
    take_in(store, ran())
    with store.connect() as connection:
        connection.execute("TRUNCATE namespaces, jobs, runs, datasets, dataset_names, identity_map CASCADE")
    add_hold(store, HeldThing("shop", job="dag.task"), "an audit", None)
    assert "lineage_events" not in what_goes(store)


def test_no_one_deletes_an_archived_event_that_a_hold_came_upon(store: Store) -> None:
    take_in(store, ran())
    add_hold(store, HeldThing("links", dataset="alias"), "an audit", None)
    delete = (
        "SELECT delete_archived_events(array_agg(arrived_xid), array_agg(arrival_seq), array_agg(event_time))"
        " FROM lineage_events"
    )
    assert rows(store, delete) == [(0,)]
    add_hold(store, HeldThing("shop", job="dag"), "another", None)
    assert rows(store, delete) == [(0,)]


@pytest.mark.parametrize("name", ["its symlink", "itself, by a job of which nothing goes"])
def test_purged_versions_do_not_come_back_by(store: Store, name: str) -> None:
    """The horizon wins over a policy `never` of the namespace of the job: the event is expired."""
    set_policy(store, Policy(PolicyKind.RUNS, "never", None, None))
    runs = ran(), ran(run=RUN[:-1] + "2", time=TIME + DAY), ran(run=RUN[:-1] + "3", time=NOW)
    take_in(store, [event for events in runs for event in events])
    retention.apply(store, retention.plan(store, NOW))
    purged = rows(store, "SELECT uuid FROM dataset_versions ORDER BY uuid")
    late = {
        "its symlink": dataset_event(dataset("alias", "links", fields=[("b", "INT")]), time=TIME),
        "itself, by a job of which nothing goes": run_event(
            "COMPLETE",
            job=named_job("late", "never"),
            time=TIME,
            outputs=[dataset("sums", SHOP, fields=[("b", "INT")])],
        ),
    }[name]
    assert take_in(store, [late]).expired == 1
    assert rows(store, "SELECT uuid FROM dataset_versions ORDER BY uuid") == purged
    assert rows(store, "SELECT count(*) FROM dataset_schema_alerts") == [(0,)]
    assert rows(store, "SELECT count(*) FROM lineage_events WHERE event_time = %s", [TIME]) == [(3,)], "it is kept"


def test_what_an_emptied_namespace_keeps_for_another_keeps_who_has_written_it(store: Store) -> None:
    """Its facets are read by that run."""
    reader = run_event(
        "COMPLETE", run_id=RUN[:-1] + "7", job=named_job("read", "depot"), time=NOW, inputs=[dataset("sums", SHOP)]
    )
    take_in(store, [*ran(SHOP), reader])
    before = rows(store, "SELECT * FROM dataset_facets ORDER BY 1, 2, 3, 4, 5, 6, 7, 8")
    retention.apply(store, retention.plan(store, NOW, SHOP))
    assert rows(store, "SELECT * FROM dataset_facets ORDER BY 1, 2, 3, 4, 5, 6, 7, 8") == before
    assert rows(store, "SELECT count(*) FROM dataset_versions WHERE run_uuid IS NULL AND dataset_name = 'sums'") == [
        (0,)
    ]


def test_policies_and_holds_mean_the_same_by_a_pattern(database: Store) -> None:
    patterns = [*HOSTILE, "*", "my*", "*(eu)", "C:*", "s3://*", "a*", "*_b", "!_", "%", "_"]
    with database.connect() as connection:
        for pattern in patterns:
            found = connection.execute(
                "SELECT namespace_fits(%s, formatted_namespace(named)) FROM unnest(%s::text[]) AS named",
                [pattern, list(HOSTILE)],
            ).fetchall()
            assert [fits for (fits,) in found] == [matches(pattern, name) for name in HOSTILE], pattern
