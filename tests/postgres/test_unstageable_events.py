"""An event that cannot be staged, whatever the reason, goes to quarantine; all others become rows in the same run."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from uuid import UUID

import pytest

from lineage_core import quarantine, reading
from lineage_core.cli import main
from lineage_core.errors import LeaseLost, NeedsOperator, StoreUnavailable, TryAgain
from lineage_core.ingest import event_files
from lineage_core.ingest.ingestion import ingest
from lineage_core.ingest.store import retry
from lineage_core.long_migrations.workers import migrate
from lineage_core.model import arrivals
from lineage_core.normalize.normalization import MOST_QUARANTINED, normalize
from lineage_core.normalize.store.event_choices import EventsByTime, interval
from lineage_core.openlineage.events import AnyMention, JobMention
from lineage_core.openlineage.identity import run_uuid
from lineage_core.openlineage.instants import microseconds
from lineage_core.postgres.store import Store
from lineage_core.tasks import SerialRunner, TaskRunner, ThreadRunner
from lineage_core.testing import TIME, facet, run_event, to_ndjson
from tests.support.broken_rows import (
    CURSED,
    Apart,
    Breaking,
    Rows,
    broken,
    ending,
    events,
    killing,
    raising,
    recursing,
    saying,
)
from tests.support.stores import contents, differences, empty, put, rows, take_in

pytestmark = [
    pytest.mark.postgres,
    # The lease is renewed by a thread; what is forked here ends without it.
    pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning"),
]

WHOLE_DAY = interval(microseconds(TIME.replace(hour=0)), microseconds(TIME.replace(hour=23)))
UNREADABLE = "a \0 and half a pair \ud83d in the message"

WAYS: dict[str, tuple[Breaking, TaskRunner, str]] = {
    "an exception": (raising(KeyError("unforeseen")), SerialRunner(2), "KeyError: 'unforeseen'"),
    "a message that Postgres cannot hold": (raising(ValueError(UNREADABLE)), SerialRunner(), r"a \x00 and half"),
    "a message as long as the document": (raising(ValueError("x" * 10_000_000)), SerialRunner(), "ValueError: xxx"),
    "too little memory": (raising(MemoryError()), SerialRunner(2), "MemoryError"),
    "endless recursion": (recursing, SerialRunner(), "RecursionError"),
    "a document that jsonb does not take": (
        saying({"facet": b'{"a": "\\u0000"}'}),
        SerialRunner(2),
        "UntranslatableChar",
    ),
    "a value that COPY does not take": (saying({"name": "a\0"}), SerialRunner(), "CharacterNotInRepertoire"),
    "a value that no encoder takes": (saying({"facet": 5}), SerialRunner(), "TypeError"),
    "a process that is killed": (
        killing(signal.SIGKILL),
        Apart(),
        "killed by SIGKILL, as one that takes too much memory",
    ),
    "a process that ends": (ending(3), Apart(), "ended with exit code 3"),
    "an exception in a process of its own": (raising(KeyError("unforeseen")), Apart(), "KeyError"),
}


def without(number: int, cursed: set[int], store: Store) -> dict[str, list[str]]:
    """The tables of the events that are not cursed."""
    take_in(store, [event for place, event in enumerate(events(number, cursed)) if place not in cursed])
    wanted = contents(store)
    empty(store)
    return wanted


ALIKE = {
    "too little memory",
    "endless recursion",
    "a value that no encoder takes",
    "a process that ends",
    "an exception in a process of its own",
}
"""Ways that go through the code as others do."""


@pytest.mark.parametrize(
    "way", [pytest.param(way, marks=pytest.mark.slow) if way in ALIKE else pytest.param(way) for way in WAYS]
)
def test_all_beside_it_and_behind_it_become_rows_in_the_same_run(way: str, database: Store) -> None:
    breaking, runner, reason = WAYS[way]
    wanted = without(10, {3}, database)
    put(database, events(10, {3}))
    with broken(breaking):
        outcome = normalize(database, runner, slice_bytes=3_000)
    assert (outcome.events, outcome.quarantined) == (9, 1)
    assert differences(contents(database), wanted) == {}
    (entry,) = quarantine.entries(database)
    assert entry.reason.startswith("It cannot be staged: ")
    assert reason in entry.reason
    assert json.loads(quarantine.raw(database, entry.id)) == events(10, {3})[3]
    assert len(entry.reason) < 10_000
    assert normalize(database, runner).events == 0


@pytest.mark.parametrize("slice_bytes", [1 << 26, 3_000, 1], ids=["one slice", "several", "one an event"])
@pytest.mark.parametrize("chosen", [None, WHOLE_DAY], ids=["by arrival", "by event time"])
def test_several_are_found_wherever_they_are(chosen: EventsByTime | None, slice_bytes: int, database: Store) -> None:
    cursed = {0, 6, 7}
    wanted = without(8, cursed, database)
    put(database, events(8, cursed))
    with broken(raising(KeyError("unforeseen"))):
        outcome = normalize(database, SerialRunner(2), interval=chosen, slice_bytes=slice_bytes)
    assert (outcome.events, outcome.quarantined) == (5, 3)
    assert differences(contents(database), wanted) == {}


def test_the_reason_says_where_it_happened_and_the_list_says_it_in_a_line(
    database: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    put(database, events(3, {1}))
    with broken(raising(KeyError("unforeseen"))):
        normalize(database, SerialRunner())
    (entry,) = quarantine.entries(database)
    assert "staging.py" in entry.reason
    assert "raise error" in entry.reason
    assert "postgres" not in entry.reason
    monkeypatch.setenv("LINEAGE_DSN", database.dsn)
    shown = {}
    for command in (["list"], ["show", str(entry.id)]):
        with pytest.raises(SystemExit):
            main(["quarantine", *command])
        shown[command[0]] = capsys.readouterr().out
    assert "raise error" in shown["show"]
    assert shown["list"].count("\n") == 2
    assert "KeyError: 'unforeseen'" in shown["list"]


def test_an_event_that_fails_once_is_not_set_aside(database: Store) -> None:
    put(database, events(1, {0}))
    failures = iter([MemoryError()])

    def failing_once(made: Rows) -> Rows:
        for failure in failures:
            raise failure
        return made

    with broken(failing_once):
        outcome = normalize(database, SerialRunner())
    assert (outcome.events, outcome.quarantined) == (1, 0)


def test_many_need_a_person_and_nothing_is_lost(database: Store) -> None:
    cursed = set(range(2, MOST_QUARANTINED + 5))
    put(database, events(MOST_QUARANTINED + 5, cursed))
    with (
        broken(raising(KeyError("unforeseen"))),
        pytest.raises(NeedsOperator, match=r"KeyError: 'unforeseen'.* hardly the cause"),
    ):
        normalize(database, SerialRunner())
    assert len(quarantine.entries(database)) == MOST_QUARANTINED
    assert normalize(database, SerialRunner()).events == 3
    assert [result.refused for result in retry(database)] == [None] * MOST_QUARANTINED
    assert normalize(database, SerialRunner()).events == MOST_QUARANTINED
    assert rows(database, "SELECT count(*) FROM event_ledger") == [(MOST_QUARANTINED + 5,)]


def refuse_in_staging(store: Store, state: str) -> None:
    """Lets Postgres answer with an error when a cursed event's job is staged."""
    with store.connect() as connection:
        connection.execute(
            "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS"
            f" $$ BEGIN RAISE 'refused' USING errcode = '{state}'; END $$".encode()
        )
        for schema in ("staging", "staging_2"):
            connection.execute(
                f"CREATE TRIGGER cursed BEFORE INSERT ON {schema}.jobs FOR EACH ROW WHEN (new.name = 'cursed')"
                " EXECUTE FUNCTION refuse()".encode()
            )


@pytest.mark.parametrize(
    ("state", "runner"),
    [*((state, SerialRunner(2)) for state in ("22P02", "23514", "21000", "54000", "XX000")), ("53200", Apart())],
)
def test_what_postgres_refuses_of_an_event_is_its_own(state: str, runner: TaskRunner, database: Store) -> None:
    put(database, events(4, {1}))
    refuse_in_staging(database, state)
    outcome = normalize(database, runner)
    assert (outcome.events, outcome.quarantined) == (3, 1)
    assert "refused" in quarantine.entries(database)[0].reason


@pytest.mark.parametrize(
    ("state", "error", "runner"),
    [
        ("53100", TryAgain, SerialRunner(2)),
        ("53300", TryAgain, Apart()),
        ("55P03", TryAgain, SerialRunner()),
        ("57014", TryAgain, SerialRunner()),
        ("58030", TryAgain, SerialRunner()),
        ("40P01", TryAgain, SerialRunner()),
        ("25006", TryAgain, SerialRunner()),
        ("42501", NeedsOperator, SerialRunner(2)),
        ("42P01", NeedsOperator, Apart()),
        ("42703", NeedsOperator, SerialRunner()),
        ("3F000", NeedsOperator, SerialRunner()),
    ],
)
def test_what_ails_the_server_is_blamed_on_no_event(
    state: str, error: type[Exception], runner: TaskRunner, database: Store
) -> None:
    put(database, events(4, {1}))
    refuse_in_staging(database, state)
    with pytest.raises(error, match="refused"):
        normalize(database, runner)
    assert quarantine.entries(database) == []
    assert rows(database, "SELECT count(*) FROM event_ledger") == [(0,)]


@pytest.mark.parametrize("runner", [SerialRunner(), Apart()], ids=["here", "apart"])
def test_a_connection_that_is_lost_is_blamed_on_no_event(runner: TaskRunner, database: Store) -> None:
    put(database, events(4, {1}))

    def cutting(made: Rows) -> Rows:
        rows(
            database,
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND application_name = 'lineage reads'",
        )
        return made

    with broken(cutting), pytest.raises(StoreUnavailable):
        normalize(database, runner)
    assert quarantine.entries(database) == []


@pytest.mark.parametrize(
    "error", [OSError("no space left"), LeaseLost("taken"), TryAgain("later"), ImportError("gone")]
)
def test_what_ails_the_machine_is_blamed_on_no_event(error: Exception, database: Store) -> None:
    put(database, events(4, {1}))
    with broken(raising(error)), pytest.raises((TryAgain, LeaseLost), match=str(error)):
        normalize(database, SerialRunner())
    assert quarantine.entries(database) == []


def test_a_process_that_is_asked_to_end_is_blamed_on_no_event(database: Store) -> None:
    put(database, events(4, {1}))
    with broken(killing(signal.SIGTERM)), pytest.raises(TryAgain, match="SIGTERM"):
        normalize(database, Apart())
    assert quarantine.entries(database) == []


def test_the_facets_migration_takes_in_all_but_the_event(database: Store) -> None:
    put(database, events(10, {3}))
    with broken(raising(KeyError("unforeseen"))):
        assert migrate(database, "facets", ThreadRunner()).state == "finished"
    assert rows(database, "SELECT count(*) FROM event_ledger") == [(9,)]
    assert len(quarantine.entries(database)) == 1


def test_an_event_at_which_our_own_code_fails_costs_no_other_at_ingest(
    database: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "events.ndjson"
    file.write_bytes(to_ndjson(events(10, {3})))

    def check(mention: AnyMention) -> None:
        if isinstance(mention, JobMention) and mention.name == CURSED:
            raise KeyError("unforeseen")

    monkeypatch.setattr(arrivals, "check_essential", check)
    with broken(raising(KeyError("unforeseen"))):
        summary = ingest(database, event_files.find([str(file)]))
        assert (summary.events, summary.quarantined) == (9, 1)
        (entry,) = quarantine.entries(database)
        assert "KeyError: 'unforeseen'" in entry.reason
        (result,) = retry(database)
        assert result.refused is not None
        assert "KeyError: 'unforeseen'" in result.refused.reason
    assert [result.refused for result in retry(database)] == [None]


def test_facets_of_other_events_are_read_before_it_is_in_quarantine(database: Store) -> None:
    run = UUID(bytes=run_uuid("one run"))
    documents = [
        run_event(run_id="one run", facets={"own": facet(n=1)}),
        {**events(1, {0})[0], "run": {"runId": "one run", "facets": {"own": facet(n=2)}}},
    ]
    put(database, documents)
    with database.connect() as connection:
        connection.execute("UPDATE lineage_events SET run_uuid = %s", [run])
    with broken(raising(KeyError("unforeseen"))):
        found = list(reading.facets_of_run(database, run))
    assert [json.loads(one.facet)["own"]["n"] for one in found] == [1]


@pytest.mark.long
def test_what_is_larger_than_jsonb_once_it_is_rewritten_goes_to_quarantine(database: Store) -> None:
    put(database, events(4, {1}))
    with broken(saying({"facet": b'"%b"' % (b"x" * (257 << 20))})):
        outcome = normalize(database, SerialRunner())
    assert (outcome.events, outcome.quarantined) == (3, 1)
    assert "jsonb string" in quarantine.entries(database)[0].reason


SET_EXPRESSION = 17_00_00
"""The first version of Postgres that has it."""


@pytest.mark.long
@pytest.mark.parametrize("chosen", [None, WHOLE_DAY], ids=["by arrival", "by event time"])
def test_what_postgres_itself_cannot_write_is_named_in_quarantine(chosen: EventsByTime | None, database: Store) -> None:
    """No table of this release takes such a row; one with a broken page would be met with an error, too."""
    put(database, events(4, {1}))
    with database.connect() as connection:
        if connection.info.server_version < SET_EXPRESSION:
            pytest.skip("only PostgreSQL 17 and newer can change how a column is generated")
        connection.execute("ALTER TABLE lineage_events ALTER COLUMN event_bytes SET EXPRESSION AS (1)")
        connection.execute(
            "UPDATE lineage_events SET event = jsonb_set(event, '{unread}',"
            " ('[1' || repeat(', 1e131071', 8300) || ']')::jsonb) WHERE event #>> '{job,name}' = 'cursed'"
        )
    outcome = normalize(database, SerialRunner(), interval=chosen)
    assert (outcome.events, outcome.quarantined) == (3, 1)
    (entry,) = quarantine.entries(database)
    assert "string buffer" in entry.reason
    assert b"The event of lineage_events with" in quarantine.raw(database, entry.id)
