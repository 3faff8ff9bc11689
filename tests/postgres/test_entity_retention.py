"""Jobs and datasets go under a policy of their own kind, or with their namespace, and nothing that stays names them."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest

from lineage_core.cli import main
from lineage_core.normalize.normalization import normalize
from lineage_core.normalize.store.event_choices import interval
from lineage_core.postgres.store import Store
from lineage_core.retention import application as retention
from lineage_core.retention.policies import Policy
from lineage_core.retention.store import purge
from lineage_core.retention.store.policies import HeldThing, add_hold, set_policy
from lineage_core.retention.tables import PolicyKind
from lineage_core.tasks import SerialRunner
from lineage_core.testing import TIME, Document, dataset, dataset_event, facet, job_event, named_job, parent, run_event
from tests.support.row_counts import counted
from tests.support.stores import contents, differences, put, rows, take_in

DAY = timedelta(days=1)
NOW = TIME + 100 * DAY
NAMESPACE = "postgres://shop:5432"


@pytest.fixture
def store(database: Store) -> Store:
    """Whatever is older than thirty days goes, jobs and datasets too."""
    set_policy(database, Policy(PolicyKind.VERSIONS, "*", 30 * DAY, 0))
    set_policy(database, Policy(PolicyKind.ENTITIES, "*", 30 * DAY, None))
    return database


def purge_old(database: Store, emptied: str | None = None) -> dict[str, int]:
    """The rows that have gone, as they were planned; no other row goes along with them."""
    planned = retention.plan(database, NOW, emptied)
    before = counted(database)
    assert dict(retention.apply(database, planned).deleted) == dict(planned.tables)
    assert before - counted(database) == dict(planned.tables)
    return dict(planned.tables)


def ran(
    number: int, job: str, day: int = 0, *, read: str | None = None, wrote: str | None = None, **parts: str
) -> list[Document]:
    """A run of a job that reads and writes a dataset each, some days after TIME; `parts`: namespace, parent_job."""
    facets = {"ownership": facet(owners=[{"name": "ann", "type": "TEAM"}]), "tags": facet(tags=[{"key": "gold"}])}
    described = {
        **facets,
        "symlinks": facet(identifiers=[{"namespace": NAMESPACE, "name": f"{wrote}_alias", "type": "TABLE"}]),
    }
    by = parent(f"0190a0a0-1111-7000-8000-{number:012}", parts["parent_job"]) if "parent_job" in parts else None
    return [
        run_event(
            kind,
            run_id=f"0190a0a0-0000-7000-8000-{number:012}",
            job=named_job(job, parts.get("namespace", "shop"), facets=facets),
            time=TIME + day * DAY,
            inputs=[dataset(read, NAMESPACE, fields=[("a", "INT")])] if read else [],
            outputs=[dataset(wrote, NAMESPACE, fields=[("a", "INT")], facets=described)] if wrote else [],
            facets=by,
        )
        for kind in ("START", "COMPLETE")
    ]


def jobs(database: Store) -> list[str]:
    return [name for (name,) in rows(database, 'SELECT name FROM jobs ORDER BY name COLLATE "C"')]


def datasets(database: Store) -> list[str]:
    return [name for (name,) in rows(database, 'SELECT name FROM datasets ORDER BY name COLLATE "C"')]


def test_what_nothing_was_heard_of_goes_with_all_that_is_its(store: Store) -> None:
    take_in(store, [*ran(1, "old", read="raw", wrote="sums"), *ran(2, "new", 99, read="orders", wrote="report")])
    gone = purge_old(store)
    assert (jobs(store), datasets(store)) == (["new"], ["orders", "report"])
    assert (gone["jobs"], gone["datasets"], gone["runs"], gone["job_versions"], gone["dataset_versions"]) == (
        1,
        2,
        1,
        1,
        2,
    )
    assert (gone["dataset_symlinks"], gone["dataset_names"], gone["dataset_fields"]) == (3, 3, 2)
    assert (gone["job_labels"], gone["job_ownerships"], gone["jobs_tag_mapping"]) == (1, 1, 1)
    assert (gone["dataset_labels"], gone["dataset_ownerships"], gone["datasets_tag_mapping"]) == (1, 1, 1)
    assert gone["identity_map"] == 1
    assert rows(store, "SELECT count(*) FROM event_ledger") == [(2,)]


def test_without_a_policy_of_entities_they_stay(store: Store) -> None:
    set_policy(store, Policy(PolicyKind.ENTITIES, "*", None, None))
    take_in(store, [*ran(1, "old", read="raw", wrote="sums"), *ran(2, "old", 1)])
    purge_old(store)
    assert (jobs(store), datasets(store)) == (["old"], ["raw", "sums"])


@pytest.mark.parametrize("kind", [PolicyKind.RUNS, PolicyKind.VERSIONS])
def test_they_never_go_before_their_runs_and_versions(store: Store, kind: PolicyKind) -> None:
    take_in(store, ran(1, "old", read="raw", wrote="sums"))
    for older_than in (None, 101 * DAY):
        set_policy(store, Policy(kind, "*", older_than, None))
        assert "jobs" not in purge_old(store)
    set_policy(store, Policy(kind, "*", 99 * DAY, None))
    assert purge_old(store)["jobs"] == 1


def test_what_a_job_that_stays_reads_or_writes_stays(store: Store) -> None:
    take_in(store, [*ran(1, "old", read="raw", wrote="orders"), *ran(2, "new", 99, read="orders", wrote="report")])
    purge_old(store)
    assert (jobs(store), datasets(store)) == (["new", "old"], ["orders", "raw", "report"])


def test_a_dataset_that_its_job_does_not_write_any_more_goes(store: Store) -> None:
    """Who wrote its current version protects it no more than it protects that run."""
    written = {0: "dropped", 1: "between", 2: "sums", 99: "sums"}
    take_in(store, [event for day, name in written.items() for event in ran(day, "job", day, wrote=name)])
    assert purge_old(store)["datasets"] == 1
    assert datasets(store) == ["between", "sums"], "the version before the current one stays, with what it names"


def test_the_parents_of_what_stays_stay(store: Store) -> None:
    take_in(store, [*ran(1, "task", 99, parent_job="dag"), *ran(2, "other", parent_job="old_dag")])
    purge_old(store)
    assert jobs(store) == ["dag", "dag.task"]


def test_an_open_run_keeps_its_job(store: Store) -> None:
    take_in(store, [ran(1, "open", wrote="sums")[0], *ran(2, "open", 1), *ran(3, "old")])
    purge_old(store)
    assert (jobs(store), datasets(store)) == (["open"], ["sums"])
    assert rows(store, "SELECT count(*) FROM runs") == [(2,)], "the last that completed stays with its job"


JOB = HeldThing("shop", job="old")
READ = HeldThing(NAMESPACE, dataset="raw")
WRITTEN = HeldThing(NAMESPACE, dataset="sums_alias")
"""By another name of it."""


@pytest.mark.parametrize("emptied", [None, "*"], ids=["by policies", "with all namespaces"])
@pytest.mark.parametrize("held", [JOB, READ, WRITTEN], ids=["a job", "a dataset", "a symlink"])
def test_what_is_held_stays_with_what_reads_it_needs(store: Store, held: HeldThing, emptied: str | None) -> None:
    take_in(store, ran(1, "old", read="raw", wrote="sums"))
    add_hold(store, held, "an audit", None)
    purge_old(store, emptied)
    assert (jobs(store), datasets(store)) == (["old"], ["raw", "sums"])


def test_events_of_jobs_and_datasets_go_with_them(store: Store) -> None:
    take_in(
        store,
        [
            job_event(named_job("declared"), time=TIME, inputs=[dataset("raw", NAMESPACE)]),
            dataset_event(dataset("alone", NAMESPACE, fields=[("a", "INT")]), time=TIME),
        ],
    )
    purge_old(store)
    assert rows(store, "SELECT count(*) FROM event_ledger") == [(0,)]
    assert (jobs(store), datasets(store)) == ([], [])


def test_who_speaks_again_begins_anew(store: Store) -> None:
    take_in(store, ran(1, "old", read="raw", wrote="sums"))
    purge_old(store)
    take_in(store, ran(2, "old", 99, read="raw", wrote="sums"))
    anew = contents(store)
    with store.connect() as connection:
        connection.execute("TRUNCATE jobs, datasets, dataset_names, identity_map CASCADE")
    assert rows(store, "SELECT created_at FROM jobs") == []
    assert [json.loads(text)["created_at"] for text in anew["jobs"]] == [(TIME + 99 * DAY).isoformat()]


def test_a_namespace_is_emptied_and_what_others_need_of_it_stays(store: Store) -> None:
    """However young, whatever the policies; and nothing of it comes back."""
    set_policy(store, Policy(PolicyKind.ENTITIES, "*", None, None))
    mine = [*ran(1, "load", 99, wrote="orders"), ran(2, "load", 99)[0], *ran(3, "other", 99, read="x", wrote="y")]
    take_in(store, [*mine, *ran(4, "reader", 99, read="orders", namespace="depot")])
    depot = {table: rows(store, f"SELECT uuid FROM {table} WHERE namespace_name = 'depot'") for table in ("jobs",)}
    gone = purge_old(store, "shop")
    assert (gone["jobs"], gone["runs"]) == (2, 3)
    assert jobs(store) == ["reader"]
    assert rows(store, "SELECT uuid FROM jobs WHERE namespace_name = 'depot'") == depot["jobs"]
    assert datasets(store) == ["orders", "x", "y"]
    left = contents(store)
    put(store, mine)
    assert normalize(store, SerialRunner()).expired == len(mine)
    assert normalize(store, SerialRunner(), interval=interval()).expired == 2 * len(mine)
    assert differences(left, contents(store)) == {}
    purge_old(store, NAMESPACE)
    assert datasets(store) == ["orders"]


def test_the_plan_says_how_many_versions_of_others_lose_their_run(
    store: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    take_in(store, ran(1, "writer", wrote="sums", namespace="depot"))
    assert retention.plan(store, NOW, "depot").unwritten == 1
    assert run_command(monkeypatch, store, "--namespace", "depot") == 2
    assert "1 versions that stay lose their run, with its facets and its column lineage" in capsys.readouterr().err


def test_what_stays_of_an_emptied_namespace_stays_whole(store: Store) -> None:
    events = [event for day in range(5) for event in ran(day, "load", 90 + day, read="raw", wrote="sums")]
    take_in(store, [*events, *ran(9, "reader", 99, read="sums", namespace="depot")])
    planned = retention.plan(store, NOW, NAMESPACE)
    assert planned.tables == {}
    assert planned.protected == {"used by what stays": 2, "of a dataset that stays": 6}


@pytest.mark.slow
@pytest.mark.parametrize("emptied", [None, "*"], ids=["by policies", "with its namespace"])
def test_what_is_left_when_it_is_killed_goes_with_the_next_application(
    store: Store, monkeypatch: pytest.MonkeyPatch, emptied: str | None
) -> None:
    """At any transaction; no view names what is gone meanwhile."""
    take_in(store, [*ran(1, "a", read="raw", wrote="sums", parent_job="dag"), *ran(2, "b", read="sums", wrote="raw")])
    monkeypatch.setattr(purge, "CHUNK", 1)
    monkeypatch.setattr(retention, "_delete", _first_of(retention._delete))
    planned = retention.plan(store, NOW, emptied)
    retention.apply(store, planned)
    left = counted(store)
    assert {table: left[table] for table in planned.tables if left[table]} == {"run_args": 1}, "no arguments are some"


def _first_of(delete: object) -> object:
    """A deletion that ends after its first transaction, as after a kill."""
    return lambda database, connection, decided, report, at_once: delete(database, connection, decided, report, 0.0)  # type: ignore[operator]


def run_command(monkeypatch: pytest.MonkeyPatch, database: Store, *arguments: str) -> int:
    monkeypatch.setenv("LINEAGE_DSN", database.dsn)
    with pytest.raises(SystemExit) as ended:
        main(["db", "clean", *arguments])
    return int(ended.value.code or 0)


def test_the_command_shows_the_plan_and_deletes_when_asked(
    store: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    take_in(store, ran(1, "old", read="raw", wrote="sums"))
    assert run_command(monkeypatch, store, "--namespace", "sh*") == 2
    assert "jobs: 1 row\n" in capsys.readouterr().err
    assert jobs(store) == ["old"]
    assert run_command(monkeypatch, store, "--namespace", "sh*", "--yes", "--json") == 0
    assert json.loads(capsys.readouterr().out)["tables"]["jobs"] == 1
    assert jobs(store) == []


def test_raw_events_of_an_emptied_namespace_go_by_way_of_an_archive(
    store: Store, monkeypatch: pytest.MonkeyPatch, tmp_path: object
) -> None:
    take_in(store, [*ran(1, "old"), *ran(2, "reader", namespace="depot")])
    assert run_command(monkeypatch, store, "--namespace", "shop", "--yes", "--archive", str(tmp_path)) == 0
    assert rows(store, "SELECT job_namespace FROM lineage_events") == [("depot",), ("depot",)]
