"""What people do is recorded with who they are, by a login that may do no more than operators may."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from lineage_core import namespaces, quarantine
from lineage_core.acts.store import last_acts
from lineage_core.cli import main
from lineage_core.errors import NeedsOperator, WrongUsage
from lineage_core.ingest.store import retry
from lineage_core.local.chosen_store import who_works_here
from lineage_core.local.postgres import Server
from lineage_core.long_migrations.store import end, records
from lineage_core.model.arrivals import RefusedDocument
from lineage_core.postgres.store import Store
from lineage_core.retention.policies import Policy
from lineage_core.retention.store import policies
from lineage_core.retention.store.policies import HeldThing
from lineage_core.retention.tables import PolicyKind
from lineage_core.streams.store import switches
from lineage_core.testing import named_job, run_event, to_json
from tests.support.servers import operators_login, reader_login
from tests.support.stores import rows, take_in

pytestmark = pytest.mark.postgres

ANN = "ann <ann@example.org>"
NAME = "facets"


@pytest.fixture
def ann(postgres_server: Server, database: Store) -> Store:
    """The store as somebody works on it who has the role of operators alone."""
    return replace(operators_login(postgres_server, database), person=ANN)


def put(store: Store, *documents: bytes) -> list[int]:
    with store.connect() as connection:
        quarantine.put(connection, [RefusedDocument(raw, "an old reason", "$.old", "a test") for raw in documents])
    return [entry.id for entry in quarantine.entries(store)]


def done(store: Store) -> list[tuple[str, str, str]]:
    """What was done, in order. Each by the one who did it here."""
    acts = last_acts(store, 100)
    assert {(one.login, one.person) for one in acts} == {("operator", ANN)}
    return [(one.what, one.subject, one.outcome) for one in reversed(acts)]


def test_streams_and_owners(ann: Store, database: Store) -> None:
    take_in(database, [run_event("COMPLETE", job=named_job("load", "shop"))])
    switches.start(ann, "runs")
    switches.start(ann, "runs")
    switches.stop(ann, "runs")
    switches.stop(ann, "runs")
    namespaces.own(ann, "shop", "team")
    namespaces.disown(ann, "shop")
    with pytest.raises(WrongUsage):
        switches.stop(ann, "no such stream")
    assert done(database) == [
        ("stream start", "runs", "on"),
        ("stream start", "runs", "was on already"),
        ("stream stop", "runs", "off"),
        ("stream stop", "runs", "was off already"),
        ("namespace own", "shop", "owned by team"),
        ("namespace disown", "shop", "owned by no one"),
    ]


def test_policies_and_holds(ann: Store, database: Store) -> None:
    policies.set_policy(ann, Policy(PolicyKind.RUNS, "shop", timedelta(days=30), 2))
    policies.remove_policy(ann, PolicyKind.RUNS, "shop")
    hold = policies.add_hold(ann, HeldThing("shop", job="load"), "a dispute", None)
    policies.release_hold(ann, hold, "it is settled")
    with pytest.raises(WrongUsage):
        policies.release_hold(ann, hold, "again")
    assert done(database) == [
        ("retention policy set", "runs of shop", "older than 30d, but the last 2"),
        ("retention policy remove", "runs of shop", "removed"),
        ("retention hold add", f"hold {hold}", "placed on job load of shop: a dispute"),
        ("retention hold release", f"hold {hold}", "released: it is settled"),
    ]


def test_documents_of_the_quarantine(ann: Store, database: Store) -> None:
    good, bad, other = put(database, to_json(run_event()), b"no event", b"nothing")
    assert [one.refused is None for one in retry(ann, [good, bad])] == [True, False]
    quarantine.discard(ann, [bad, other], "a trial")
    with pytest.raises(WrongUsage):
        quarantine.discard(ann, [bad], "again")
    assert [what for what, _, _ in done(database)] == ["quarantine retry", "quarantine retry", "quarantine discard"]
    (_, first, ingested), (_, _, kept), discarded = done(database)
    assert (first, ingested) == (f"1 document: {good}", "ingested")
    assert kept.startswith("kept: not ")
    assert discarded[1:] == (f"2 documents: {bad}, {other}", "discarded: a trial")
    assert rows(database, "SELECT arrived_xid > 0, arrival_seq > 0 FROM lineage_events") == [(True, True)]


def test_an_operator_adds_no_event_of_his_own(ann: Store, database: Store) -> None:
    """Nor one of another time, or without a number of its arrival."""
    (document,) = put(database, to_json(run_event()))
    with ann.connect() as connection:
        connection.execute("SELECT set_config('lineage.moves_events', 'on', false)")
        assert connection.execute("SELECT take_in_document(%s, 0)", [document]).fetchone() == (False,)
    assert rows(database, "SELECT count(*) FROM lineage_events") == [(0,)]
    with ann.connect() as connection:
        connection.execute("SELECT set_config('lineage.moves_events', 'on', false)")
        connection.execute("SELECT take_in_document(%s, %s)", [document, quarantine_time(database, document)])
    assert rows(database, "SELECT arrival_seq > 0 FROM lineage_events") == [(True,)]


def quarantine_time(store: Store, document: int) -> int:
    """In microseconds since 1970."""
    query = "(extract(epoch FROM event_instant(convert_from(raw, 'UTF8')::jsonb ->> 'eventTime')) * 1000000)::bigint"
    ((time,),) = rows(store, f"SELECT {query} FROM quarantine WHERE id = {document}")
    return int(time)


def test_long_migrations(ann: Store, database: Store) -> None:
    take_in(database, [run_event("COMPLETE")])
    records.plan(database, NAME)
    assert records.pause(ann, NAME)
    assert not records.pause(ann, NAME)
    assert records.resume(ann, NAME)
    with database.connect() as connection:
        connection.execute(
            "INSERT INTO migration_holds (migration, signal, detail, since, until)"
            " VALUES ('facets', 'wal', 'too much', now(), now())"
        )
    records.stop_work(ann, NAME)
    with pytest.raises(NeedsOperator, match="resume does nothing"):
        records.resume(ann, NAME)
    assert done(database) == [
        ("migration pause", NAME, "paused"),
        ("migration pause", NAME, "was paused already"),
        ("migration resume", NAME, "running"),
        ("migration cancel", NAME, "cancelled"),
    ]
    assert rows(database, "SELECT event, detail FROM migration_transitions ORDER BY id OFFSET 1") == [
        ("paused", "pause"),
        ("running", "resume"),
        ("cancelled", "cancel"),
        ("released", "wal"),
    ]
    assert records.status(database, NAME).holds == ()


def test_no_operator_lets_a_migration_reach_what_takes_more(ann: Store, database: Store) -> None:
    take_in(database, [run_event("COMPLETE")])
    records.plan(database, NAME)
    end.cancel(database, NAME)
    for state in ("running", "paused", "dropped", "cut over"):
        with ann.connect() as connection, pytest.raises(Exception, match="can become"):
            connection.execute("SELECT steer_migration(%s, %s, 'x')", [NAME, state])


def test_who_only_reads_does_nothing(postgres_server: Server, database: Store) -> None:
    reader = reader_login(postgres_server, database)
    (document,) = put(database, to_json(run_event()))
    for act in (
        lambda: switches.start(reader, "runs"),
        lambda: list(retry(reader, [document])),
        lambda: quarantine.discard(reader, [document], "w"),
        lambda: policies.add_hold(reader, HeldThing("shop"), "w", None),
        lambda: records.pause(reader, NAME),
    ):
        with pytest.raises(NeedsOperator, match="lineage_operator"):
            act()
    assert last_acts(database, 1) == []


def test_a_command_records_who_works_here(
    database: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LINEAGE_DSN", database.dsn)
    for arguments in (["acts"], ["stream", "start", "runs"], ["stream", "stop", "runs"], ["acts", "--limit", "1"]):
        with pytest.raises(SystemExit):
            main(arguments)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "No act is recorded."
    assert lines[-1].endswith(f"{who_works_here()} (lineage)  stream stop  runs: off")
