"""A store's whole life: everything that the project asks of a database, once."""

from __future__ import annotations

import json
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from string import ascii_letters
from tempfile import TemporaryDirectory
from uuid import UUID

import pyarrow as pa
import pytest
from hypothesis import given

from lineage_core import namespaces, quarantine, reading, schema_alerts
from lineage_core.acts.store import acts_between, acts_since, last_acts, newest
from lineage_core.airflow.checks import runs_without_end
from lineage_core.answers.affected.borders import affected_over_borders
from lineage_core.answers.affected.question import affected_by_run, affected_by_version
from lineage_core.answers.explain.explained_run import explain
from lineage_core.answers.explain.loading import purged_writers, waiting
from lineage_core.answers.graph.borders import graph_over_borders
from lineage_core.answers.graph.difference import graph_difference
from lineage_core.answers.graph.graph import graph_of
from lineage_core.answers.graph.known import KnownAt
from lineage_core.answers.graph.model import EdgeKind, NodeKind, Root
from lineage_core.answers.graph.orders import END
from lineage_core.answers.graph.store import GraphReader
from lineage_core.answers.impact.impact import impact_of
from lineage_core.answers.impact.model import SchemaToCome
from lineage_core.answers.impact.walk import Readings
from lineage_core.changelog.schemas import AllowedEvolution
from lineage_core.database import sizes
from lineage_core.database.references import broken_references
from lineage_core.database.sizes import store_size
from lineage_core.declare.streams import all_streams
from lineage_core.declare.tables import all_tables
from lineage_core.emission.emission import emit
from lineage_core.errors import LeaseTaken, NeedsOperator, WrongUsage
from lineage_core.evolution.dataset_history import DescribedField
from lineage_core.ingest import store as raw_events
from lineage_core.ingest.store import ensure_event_partitions, retry
from lineage_core.long_migrations.decisions.settings import MigrationSettings
from lineage_core.long_migrations.declared import long_migration
from lineage_core.long_migrations.store import end, hold_queries, records
from lineage_core.long_migrations.store.health import Health
from lineage_core.long_migrations.store.work import worker
from lineage_core.long_migrations.workers import migrate
from lineage_core.model.arrivals import judge
from lineage_core.normalize.followers import followers_on
from lineage_core.normalize.normalization import normalize
from lineage_core.normalize.store import merging, rebase
from lineage_core.normalize.store.event_choices import WATERMARK, Horizons, has_arrived, interval
from lineage_core.openlineage.parsing import parse
from lineage_core.operate import whole_store
from lineage_core.operate.whole_store import examine, store_status
from lineage_core.own_lineage.application import own_jobs
from lineage_core.pages.acting import all_acts
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.leases import held_lease
from lineage_core.postgres.operator_store import OperatorStore
from lineage_core.postgres.sessions import backend_of
from lineage_core.postgres.store import Store
from lineage_core.postgres.typed_rows import every_row
from lineage_core.quarantine.exporting import export
from lineage_core.queries.store import answer, named_queries
from lineage_core.reading.schema_history import judgement_of, schema_difference, schema_history
from lineage_core.reading.store import snapshot, unreadable_facets
from lineage_core.receiver import store as tokens
from lineage_core.receiver.observations import ACCEPTED, Figure, Observations
from lineage_core.receiver.store import (
    DocumentOutcome,
    ReceivedRequest,
    TokenVerdict,
    arrived,
    commit,
    open_for_commits,
    report,
)
from lineage_core.retention import application as retention
from lineage_core.retention.archiving import archive_expired
from lineage_core.retention.operation import RETENTION
from lineage_core.retention.policies import Cutoff, Policy
from lineage_core.retention.restoring import restore
from lineage_core.retention.store import policies
from lineage_core.retention.store import raw_events as old_events
from lineage_core.retention.store.reports import reports, spoken_again
from lineage_core.retention.tables import PolicyKind
from lineage_core.store_list import ListedStore, StoreList, read_store_list, write_store_list
from lineage_core.stores.listing import states
from lineage_core.stores.store import namespaces_with_jobs
from lineage_core.streams import reading as streams
from lineage_core.streams import registry
from lineage_core.streams.compaction import compact
from lineage_core.streams.publication import publish
from lineage_core.streams.publisher_file import adopt
from lineage_core.streams.store import switches
from lineage_core.streams.store.moments import whole_from
from lineage_core.streams.verification import verify
from lineage_core.tasks import SerialRunner, ThreadRunner
from lineage_core.testing import TIME, Document, dataset, dataset_event, facet, named_job, parent, run_event, to_json
from tests.support.columns_of_before import kept_by_their_last_event
from tests.support.event_sets import Arrival, arrivals
from tests.support.examples import drawn
from tests.support.explained_runs import DAYS, LOAD, SUM, SUMMED, run_of, week
from tests.support.listeners import Listener
from tests.support.old_mappings import put_dataset, put_versions
from tests.support.retention_histories import history
from tests.support.schemas_of_before import kept_with_their_keys
from tests.support.served_pages import client
from tests.support.single_pairs import kept_singly
from tests.support.stores import empty, put, rows, take_in
from tests.support.stream_replay import last_known

NAME = "schema-versions"
_INCOMPRESSIBLE = "".join(Random(1).choices(ascii_letters, k=10_000))
ORDERS = [("id", "BIGINT"), ("tree", None)]


def live(database: Store) -> None:
    """Leaves the store with rows, and without the old mapping."""
    _hand_in(database)
    _receive(database)
    _normalize(database)
    _refuse(database)
    _contend(database)
    _read(database)
    _ask(database)
    _judge_schemas(database)
    _explain(database)
    emit(database, Listener(), "another store")
    emit(database, Listener(), "another store", again=True)
    _operate(database)
    _migrate(database)
    _move(database, "schema-fields")
    _move_pairs(database)
    _move_columns(database)
    _take_in_facets(database)
    _set_what_is_kept(database)
    _delete_what_is_old(database)
    _archive(database)
    _publish_streams(database)


def _receive(database: Store) -> None:
    token = tokens.create_token(database, "whole life", ["shop*"], datetime.now(UTC) + timedelta(days=2))
    document = arrived(to_json(run_event(job=named_job("received", namespace="shop"))))
    with database.connect_for_transactions() as connection:
        (outcomes,) = commit(connection, [ReceivedRequest(token.digest, [document])])
        assert [outcome.refused for outcome in outcomes] == [None]
        report(connection, Observations(), {ACCEPTED: Figure(1, 1, 5_000, 5_000)}, is_ending=False)
    with closing(open_for_commits(database)) as connection:
        assert commit(connection, [ReceivedRequest(token.digest)]) == [[DocumentOutcome(TokenVerdict.ALLOWED)]]
    assert [known.name for known in tokens.known_tokens(database)] == ["whole life"]
    tokens.revoke_token(database, "whole life")


def _hand_in(database: Store) -> None:
    """Events of a login that may do nothing else, more than the default partition should have, and an unlike time."""
    event = run_event()
    with database.connect(role="lineage_ingest") as connection, connection.cursor() as cursor:
        statement = "INSERT INTO lineage_events (event_time, event) VALUES (%s, %s::jsonb)"
        cursor.executemany(statement, [(event["eventTime"], json.dumps(event | {"n": n})) for n in range(1_000)])
        cursor.execute(statement, [TIME + timedelta(days=1), json.dumps(event)])
    assert len(ensure_event_partitions(database)) == 1
    with database.connect() as connection:
        connection.execute("TRUNCATE quarantine")


def _normalize(database: Store) -> None:
    @drawn(2)
    @given(arrival=arrivals())
    def some(arrival: Arrival) -> None:
        empty(database)
        for events in arrival.slices[:-1]:
            take_in(database, events, slice_bytes=1 << 14)
        normalize(database, SerialRunner(2), interval=interval(namespaces=("etl",)))
        put(database, arrival.slices[-1])

    some()


def _reported(minutes: int) -> list[Document]:
    """A run that reads and writes, each time with facets too large to be read with others."""
    run = f"0190a0a0-0000-7000-8000-0000000000{minutes:02}"
    time = TIME + timedelta(minutes=minutes)
    large = {"large": facet(text=_INCOMPRESSIBLE)}
    job = named_job("load", facets=large)
    plan = {"spark.logicalPlan": facet(plan=[minutes])} | large
    return [
        run_event("START", run_id=run, job=job, time=time, facets=plan, inputs=[dataset("orders", fields=ORDERS)]),
        run_event("COMPLETE", run_id=run, job=job, time=time, outputs=[dataset("sums", fields=ORDERS, facets=large)]),
    ]


def _refuse(database: Store) -> None:
    """A document that is no event, one that Postgres refuses, and both again."""
    with database.connect(role="lineage_ingest") as connection:
        raw_events.store(connection, [judge(b"{}", "a test"), judge(to_json(run_event(run_id="a")), "a test")])
    raw_events.insert_event(database, to_json(run_event(run_id="b")))
    with database.connect() as connection:
        refuse_at(connection, "INSERT ON runs", "new.external_id = 'a'")
    with database.connect() as connection:
        has_arrived(connection)
    normalize(database, SerialRunner(), own=own_jobs("airflow", ()))
    with database.connect() as connection:
        connection.execute("DROP FUNCTION refuse CASCADE")
    assert len(quarantine.entries(database)) == 2
    for entry in quarantine.entries(database):
        quarantine.entry(database, entry.id)
        quarantine.raw(database, entry.id)
    assert len(list(retry(database))) == 2
    with TemporaryDirectory() as folder:
        export(database, [entry.id for entry in quarantine.entries(database)], Path(folder))
    quarantine.discard(database, quarantine.chosen(database, None, None, everything=True), "no longer needed")
    (discarded, *_) = last_acts(database, 5, what="quarantine")
    person, since = discarded.person, discarded.acted_at
    assert acts_between(database, newest(database), discarded.id, 1, person=person, since=since) == [discarded]
    assert acts_since(database, discarded.id - 1, database.person).last == discarded.id
    all_acts()["retention"].ask(database, {"do": "place", "namespace": "*", "why": "a test"})
    with pytest.raises(NeedsOperator), OperatorStore(database.dsn).session("lineage_operator"):
        pass


def _contend(database: Store) -> None:
    """A second run while the first is at work, and a task of an earlier one that holds what it has staged."""
    with held_lease(database, WATERMARK) as lease, database.connect() as task, database.connect() as connection:
        with pytest.raises(LeaseTaken), held_lease(database, WATERMARK, patience=0):
            pass
        task.execute("INSERT INTO staged_parts (part_id, epoch, slice, partition, rows) VALUES (1, 0, 1, 0, '{}')")
        task.execute("INSERT INTO staging.jobs (part_id) VALUES (1)")
        task.commit()
        task.execute("LOCK TABLE staging.jobs IN ACCESS SHARE MODE")
        merging.empty_staging(connection, lease, 1)
        assert task.execute("SELECT count(*) FROM staging.jobs").fetchone() == (0,)
        assert backend_of(connection) != backend_of(task)


def _read(database: Store) -> None:
    """Facets of the tables, of raw events, and both."""
    take_in(database, [*_reported(1), run_event(job=named_job("load", facets={"tags": facet(tags="no list")}))])
    put(database, _reported(2))
    put(database, _reported(1)[:1])
    for entity, read in (
        ("run", reading.facets_of_run),
        ("job_version", reading.facets_of_job_version),
        ("dataset_version", reading.facets_of_dataset_version),
    ):
        for (uuid,) in rows(database, f"SELECT uuid FROM {entity}s"):
            list(read(database, uuid))
    # The planner takes dataset_facet_type() into what calls it, so no parse tree has what that calls in turn.
    rows(database, "SELECT ignoring_case(name) FROM facets")
    given = {"dataset": "orders", "since": "2020-01-01"}
    for query in named_queries():
        answer(database, query.name, {name: given[name] for name in query.parameters})
    sizes.row_counts(database, all_tables())
    broken_references(database)
    unreadable_facets(database)
    for namespace, name in rows(database, "SELECT namespace_name, name FROM datasets"):
        judgement_of(database, namespace, name, ())


def _ask(database: Store) -> None:
    """What is affected by each run and version, so that every statement has something to find."""
    runs = [affected_by_run(database, run) for (run,) in rows(database, "SELECT uuid FROM runs")]
    versions = rows(database, "SELECT uuid FROM dataset_versions")
    found = [*runs, *(affected_by_version(database, version) for (version,) in versions)]
    assert any(one.runs for one in found)
    assert any(one.columns for one in found)
    with pytest.raises(WrongUsage):
        affected_by_version(database, UUID(int=0))
    columns = "SELECT namespace_name, dataset.name, field.name FROM datasets AS dataset JOIN dataset_fields AS field"
    for namespace, name, column in rows(database, f"{columns} ON field.dataset_uuid = dataset.uuid"):
        impact_of(database, namespace, name, SchemaToCome(dropped=(column,)))
    for namespace, name in rows(database, "SELECT namespace_name, name FROM datasets"):
        impact_of(database, namespace, name, SchemaToCome((DescribedField("new"),)))
    with snapshot(database) as connection:
        readings = Readings(connection, GraphReader(connection, END, shows_hidden=False), 1)
        assert readings.are_one(str(UUID(int=0)), "a", "A")
    _draw(database)
    _look(database)


def _look(database: Store) -> None:
    """The pages of everything."""
    asking = client(database)
    for page, table in (("datasets", "datasets"), ("jobs", "jobs")):
        for namespace, name in rows(database, f"SELECT namespace_name, name FROM {table}"):
            asking.get(f"/api/{page}", params={"namespace": namespace, "name": name}).raise_for_status()
            asking.get("/api/dags", params={"dag": name, "run": "manual"}).raise_for_status()
            found = (
                asking.get("/api/search", params={"q": name, "kind": page.removesuffix("s")}).raise_for_status().json()
            )
            assert name in [one["name"] for one in found["found"]]
        of_it = {"namespace": namespace, "name": name, "kind": page.removesuffix("s")}
        asking.get("/api/graph", params=of_it).raise_for_status()
        after: str | None = None
        while True:
            asked = {"limit": 1} | ({"after": after} if after else {})
            found = asking.get(f"/api/{page}", params=asked).raise_for_status().json()
            assert len(found[page]) == 1
            if (after := found["next"]) is None:
                break
    for (run,) in rows(database, "SELECT uuid FROM runs"):
        for page in ("runs", "affected"):
            asking.get(f"/api/{page}", params={"run": str(run)}).raise_for_status()
    for kind in ("tag", "owner"):
        asking.get("/api/search", params={"q": "a", "kind": kind}).raise_for_status()
    for key in ("ownership", "storage"):
        asking.get("/api/search", params={"q": "a", "facet": key, "limit": 1}).raise_for_status()
    for page in ("overview", "runs", "explain", "quarantine", "migrations", "retention", "streams"):
        asking.get(f"/api/{page}").raise_for_status()


def _draw(database: Store) -> None:
    """The graphs of all things, now and as they were, and of one that is not there."""
    roots = _roots(database)
    graphs = [graph_of(database, root, at=at, with_runs=True) for root in roots for at in (None, TIME)]
    assert {edge.kind for graph in graphs for edge in graph.edges} == {*EdgeKind}
    # Graphs ask this of datasets with several names alone.
    one_edge = {"jobs": [str(UUID(int=1))], "datasets": [str(UUID(int=2))], "roles": [1]}
    with database.connect() as connection:
        assert every_row(connection, dict, "answers/graph/intervals", one_edge) == []
    _see_from_another_store(database, roots)
    around = TIME - timedelta(days=1), TIME + timedelta(days=1)
    assert any(edge.event for root in roots for edge in graph_difference(database, root, *around).came)
    for kind in (NodeKind.DATASET, NodeKind.JOB):
        for namespace in ("shop", "no such namespace"):
            with pytest.raises(WrongUsage):
                graph_of(database, Root(kind, namespace, "no such thing"))
    with pytest.raises(WrongUsage):
        explain(database, UUID(int=0))


def _roots(database: Store) -> list[Root]:
    """Of the graphs of all things."""
    columns = "SELECT namespace_name, dataset.name, field.name FROM datasets AS dataset JOIN dataset_fields AS field"
    return [
        *(Root(NodeKind.DATASET, *names) for names in rows(database, "SELECT namespace_name, name FROM datasets")),
        *(Root(NodeKind.JOB, *names) for names in rows(database, "SELECT namespace_name, name FROM jobs")),
        *(Root(NodeKind.COLUMN, *names) for names in rows(database, f"{columns} ON field.dataset_uuid = dataset.uuid")),
    ]


def _judge_schemas(database: Store) -> None:
    """One that breaks a rule, before and after events that come late; the last of them names the dataset otherwise."""

    def declared(minutes: int, name: str, *columns: str) -> Document:
        fields = [(column, "INT") for column in columns]
        return dataset_event(dataset(name, fields=fields), time=TIME + timedelta(minutes=minutes))

    take_in(database, [declared(1, "judged", "a", "b"), declared(4, "judged", "b"), declared(5, "other", "b")])
    take_in(database, [declared(6, "judged", "a", "b"), declared(2, "judged", "b")])
    schema_alerts.acknowledge(database, [alert.id for alert in schema_alerts.alerts(database)], "a test")
    symlinks = facet(identifiers=[{"namespace": "postgres://shop:5432", "name": "other", "type": "TABLE"}])
    take_in(database, [dataset_event(dataset("judged", facets={"symlinks": symlinks}), time=TIME)])
    assert len(schema_history(database, "postgres://shop:5432", "judged")) == 6
    schema_difference(database, "postgres://shop:5432", "judged", 1, 2)


def _explain(database: Store) -> None:
    """A failed run, with a failed one upstream, and a first one, which has none before it."""
    take_in(database, week(loading="FAIL", dropped=1, error="no"))
    asking = client(database)
    for run in (SUMMED, run_of(SUM, 0), run_of(LOAD, DAYS - 1), run_of(SUM, DAYS - 2)):
        explain(database, run)
        asking.get("/api/explain", params={"run": str(run)}).raise_for_status()
    with snapshot(database) as connection:
        assert purged_writers(connection, [UUID(int=0)]) == []
        assert waiting(connection, [UUID(int=0)]) == {}


def _operate(database: Store) -> None:
    namespaces.own(database, "shop", "ann")
    namespaces.owned_namespaces(database)
    namespaces.disown(database, "shop")
    with database.connect() as connection:
        assert runs_without_end(connection, [UUID(int=0)]) == [UUID(int=0)]
        connection.execute("UPDATE watermarks SET system_identifier = system_identifier + 1")
    assert rebase.rebase(database).was_needed
    assert whole_store.differences(database) == []
    store_size(database)
    whole_store.upgrade(database, with_old_mapping=True)
    with database.connect() as connection:
        connection.execute("UPDATE schema_scripts SET digest = 'of an earlier text'")
        connection.execute("TRUNCATE job_version_timeline, job_edges, column_lineage_inputs")  # as it was before these
    whole_store.upgrade(database)


def _migrate(database: Store) -> None:
    """The migration that switches readers, through all of its life; one row of three fails until it is mended."""
    empty(database)
    with database.connect() as connection:
        fields = put_dataset(connection, "orders", ORDERS)
        put_versions(connection, "orders", fields)
        put_versions(connection, "orders", [*fields, *put_dataset(connection, "orders", ORDERS[1:])])
        (cursed,) = put_versions(connection, "orders", fields[:1])
        refuse_at(connection, "UPDATE ON dataset_versions", f"old.uuid = '{cursed}'")
    records.plan(database, NAME)
    hold_queries.add(database, "queue", "SELECT 1")
    assert [query.name for query in hold_queries.stored_queries(database)] == ["queue"]
    with database.connect() as connection:
        health = Health(database, connection, long_migration(NAME))
        assert health.judge(MigrationSettings(hold_query="queue"))
        health.judge(MigrationSettings())
    hold_queries.remove(database, "queue")
    records.pause(database, NAME)
    records.change_setting(database, NAME, "check_seconds", "0.1")
    records.resume(database, NAME)
    with worker(database, long_migration(NAME)) as one:
        claimed = one.claim()
        assert claimed
        one.give_back(claimed)
    migrate(database, NAME, ThreadRunner(), workers=2)
    with database.connect() as connection:
        connection.execute("DROP FUNCTION refuse CASCADE")
    assert records.accept(database, NAME, "to be mended", "a test") == 1
    assert records.retry(database, NAME) == 1
    migrate(database, NAME, ThreadRunner())
    end.finalize(database, NAME)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(end, "VERIFIED", 1)  # so that each chunk is asked whether it is behind the one before
        assert end.verify(database, NAME).is_good
    end.cut_over(database, NAME)
    end.roll_back(database, NAME)
    end.cut_over(database, NAME)
    end.drop(database, NAME)
    take_in(database, [run_event(outputs=[dataset("orders", fields=ORDERS)])])


def _move(database: Store, name: str) -> None:
    records.plan(database, name)
    migrate(database, name, ThreadRunner())
    end.finalize(database, name)


def _move_pairs(database: Store) -> None:
    origin = dataset("orders", fields=ORDERS)
    made_of = {"id": {"inputFields": [{"namespace": origin["namespace"], "name": "orders", "field": "id"}]}}
    made = dataset("sums", fields=ORDERS, facets={"columnLineage": facet(fields=made_of)})
    take_in(database, [run_event(inputs=[origin], outputs=[made])])
    kept_singly(database)
    _move(database, "column-pairs")


def _move_columns(database: Store) -> None:
    kept_by_their_last_event(database)
    _move(database, "column-schemas")
    kept_with_their_keys(database)
    _move(database, "schema-keys")


def _take_in_facets(database: Store) -> None:
    put(database, _reported(3))
    migrate(database, "facets", ThreadRunner())
    end.finalize(database, "facets")
    records.statuses(database)


def refuse_at(connection: Connection, moment: str, condition: str) -> None:
    """Lets Postgres refuse rows, until the function `refuse` is dropped."""
    connection.execute(
        "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql"
        " AS $$ BEGIN RAISE 'refused' USING errcode = '22023'; END $$"
    )
    connection.execute(
        f"CREATE TRIGGER refuse BEFORE {moment} FOR EACH ROW WHEN ({condition}) EXECUTE FUNCTION refuse()".encode()
    )


def _set_what_is_kept(database: Store) -> None:
    """Policies and legal holds, set and ended."""
    policies.set_policy(database, Policy(PolicyKind.RUNS, "shop", timedelta(days=1), 1))
    policies.remove_policy(database, PolicyKind.RUNS, "shop")
    policies.release_hold(
        database, policies.add_hold(database, policies.HeldThing("shop"), "an audit", None), "it is over"
    )
    assert len(policies.holds(database)) == 1


def _delete_what_is_old(database: Store) -> None:
    """All that may go; the horizon then keeps it away."""
    empty(database)
    with database.connect(role="lineage_ingest") as connection:
        raw_events.store(connection, [judge(b"{}", "a test")])
    for seed in range(4):
        take_in(database, history(Random(seed)).events)
    take_in(database, [event for hour in range(4) for event in _changing(hour)])
    policies.set_policy(database, Policy(PolicyKind.VERSIONS, "*", timedelta(days=30), 0))
    with TemporaryDirectory() as folder:
        retention.apply(database, retention.plan(database), archive=folder)
    retention.apply(database, retention.plan(database, emptied="*"))
    assert reports(database)
    assert spoken_again(database) == []
    assert store_status(database)[RETENTION]
    assert examine(database, Path("nowhere"), Store(f"{database.dsn}&application_name=ingest"))
    assert not followers_on(database, "nowhere", pause=lambda _: None).followers
    with database.connect() as connection:
        horizons = Horizons(connection)
        text = to_json(run_event(run_id="late"))
        assert len(horizons.expired([(text, parse(text, is_ahead=False))])) == 1


def _changing(hour: int) -> list[Document]:
    """A run of which each has another parent, another schema, and another description of columns."""
    source = {"inputFields": [{"namespace": "postgres://shop:5432", "name": "orders", "field": "id"}]}
    facets = {"columnLineage": facet(fields={f"c{hour}": source})}
    written = [dataset("changing", fields=[(f"c{hour}", "INT")], facets=facets)]
    run = f"0190a0a0-2222-7000-8000-{hour:012}"
    started_by = parent(f"0190a0a0-3333-7000-8000-{hour:012}", "dag")
    return [
        run_event(kind, run_id=run, job=named_job("change"), time=time, facets=started_by, outputs=written)
        for kind, time in (("START", TIME + timedelta(hours=hour)), ("COMPLETE", TIME + timedelta(hours=hour + 1)))
    ]


def _archive(database: Store) -> None:
    """Raw events that are old, a job's of which are held, leave the store and come back."""
    empty(database)
    take_in(database, _reported(4))
    policies.add_hold(database, policies.HeldThing("*", job="report"), "an audit", None)
    before = TIME + timedelta(days=1)
    with database.connect() as connection:
        cutoffs = [
            Cutoff(PolicyKind.RAW_EVENTS, namespace, before, 0)
            for namespace in old_events.raw_event_namespaces(connection)
        ]
        assert old_events.planned(connection, cutoffs, before).rows
    with TemporaryDirectory() as folder:
        done = archive_expired(database, folder, cutoffs, before)
        assert done.deleted
        for name in done.manifests:
            restore(database, str(Path(folder) / name))


def _see_from_another_store(database: Store, roots: list[Root]) -> None:
    """As it answers for others: here it is two stores of a list at once, so that it knows all that it asks for."""
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as environment:
        file = Path(folder) / "stores.json"
        write_store_list(file, StoreList({"here": ListedStore("HERE"), "there": ListedStore("HERE")}, {"*": "here"}))
        environment.setenv("LINEAGE_STORES", str(file))
        environment.setenv("HERE", database.dsn)
        assert any(graph_over_borders(database, root, ["there"]).elsewhere for root in roots)
        bad = [
            affected_by_version(database, version) for (version,) in rows(database, "SELECT uuid FROM dataset_versions")
        ]
        assert any(affected_over_borders(database, one, ["there"]).elsewhere for one in bad)
        assert all(state.waiting is not None for state in states(read_store_list(file)))
    assert namespaces_with_jobs(database)


def _register_schemas(database: Store) -> None:
    """A stream of somebody else, whose schema evolves beside a reader."""
    first = pa.schema([pa.field("id", pa.int64(), nullable=False), pa.field("name", pa.string())])
    registry.compare_and_evolve(database, "shop/moons", None, first, key=["id"])
    registry.set_reader(database, "shop/moons", "map", ["name"])
    registry.set_allowed(database, "shop/moons", AllowedEvolution.NOT_FENCING)
    assert registry.compare_and_evolve(database, "shop/moons", 0, first.append(pa.field("city", pa.string()))).is_new
    assert registry.readers(database, "shop/moons", "name")
    assert registry.remove_reader(database, "shop/moons", "map")
    assert streams.next_offset(database, "runs") == 0


def _know(database: Store, root: str) -> None:
    """A graph of each kind as it was known before this, with changes since that wait, and that are published."""
    with database.connect() as connection:
        known = KnownAt(last_known(connection), root)
        assert whole_from(connection, [], known.moment) is None
    take_in(database, [event for hour in range(4, 6) for event in _changing(hour)])
    for _ in range(2):
        for asked in {one.kind: one for one in _roots(database)}.values():
            graph_of(database, asked, known=known)
        publish(database, root)


def _publish_streams(database: Store) -> None:
    """Streams that begin, go on, are compacted, stop and begin again; each is then what its table has."""
    empty(database)
    with TemporaryDirectory() as root:
        for kind in ("history", "checkpoint"):
            (left := Path(root) / "tags" / kind / "left.parquet").parent.mkdir(parents=True)
            left.touch()
        _register_schemas(database)
        for _ in range(2):
            for stream in all_streams():
                switches.start(database, stream.name)
            publish(database, root)
            take_in(database, [event for hour in range(4) for event in _changing(hour)])
            assert publish(database, root).records
            compact(database, root)
            _know(database, root)
            take_in(database, _reported(5))
            assert publish(database, root).records
            assert not publish(database, root).records
            for grace in (timedelta(days=1), timedelta(0), timedelta(0)):
                compact(database, root, grace=grace)
            for listed in streams.list_streams(database):
                assert verify(database, root, listed.name).faults == []
                switches.stop(database, listed.name)
        assert list(streams.records(database, root, "runs"))
        assert adopt(database, root) == []
