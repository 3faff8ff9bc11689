"""`lineage emit`: raw events go on to another receiver, each at least once, in the order in which they arrived."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from lineage_core.cli import main
from lineage_core.emission import emission
from lineage_core.emission.destination import RefusedByReceiver, of_address, of_file
from lineage_core.emission.emission import RefusedEvent, consumer, emit
from lineage_core.errors import LeaseTaken, NeedsOperator, StaleWatermark, TryAgain, WrongUsage
from lineage_core.local.postgres import Server
from lineage_core.normalize.normalization import normalize
from lineage_core.postgres.leases import held_lease
from lineage_core.postgres.store import Store
from lineage_core.receiver.store import create_token
from lineage_core.tasks import SerialRunner
from lineage_core.testing import dataset, facet, run_event
from tests.support.listeners import Listener
from tests.support.receivers import receiver, stored
from tests.support.servers import Databases, jobs_login, reader_login
from tests.support.stores import contents, differences, put, rows

pytestmark = pytest.mark.postgres


def numbered(first: int, behind: int) -> list[dict[str, Any]]:
    return [run_event(run_id=f"run {number}", facets={"own": facet(n=number)}) for number in range(first, behind)]


def numbers(listener: Listener) -> list[int]:
    return [event["run"]["facets"]["own"]["n"] for event in listener.taken]


def exit_code(words: list[str]) -> int:
    try:
        main(words)
    except SystemExit as ended:
        return int(ended.code or 0)
    return 0


def test_events_go_on_as_they_arrived_and_each_once(database: Store) -> None:
    put(database, numbered(0, 5))
    put(database, numbered(5, 8))
    first, second, third = Listener(), Listener(), Listener()
    assert emit(database, first, "x").sent == 8
    assert first.taken == stored(database)
    assert first.is_closed
    assert emit(database, second, "x").sent == 0
    put(database, numbered(8, 9))
    assert emit(database, third, "x").sent == 1
    assert (numbers(first), numbers(second), numbers(third)) == ([*range(8)], [], [8])


def test_the_login_of_jobs_may_send_on_and_one_that_reads_may_not(database: Store, postgres_server: Server) -> None:
    put(database, numbered(0, 2))
    assert emit(jobs_login(postgres_server, database), Listener(), "x").sent == 2
    with pytest.raises(NeedsOperator, match="lineage_jobs"):
        emit(reader_login(postgres_server, database), Listener(), "other")


def test_each_name_has_a_place_of_its_own_and_normalization_another(database: Store) -> None:
    put(database, numbered(0, 3))
    assert normalize(database, SerialRunner()).events == 3
    assert [emit(database, Listener(), name).sent for name in ("one", "other", "one")] == [3, 3, 0]
    assert normalize(database, SerialRunner()).events == 0


def test_what_is_open_when_others_are_sent_is_sent_later(database: Store) -> None:
    """Its numbers are lower than theirs."""
    insert = "INSERT INTO lineage_events (event_time, event) VALUES (%s, %s::jsonb)"
    with database.connect() as open_transaction:
        late = numbered(0, 1)[0]
        open_transaction.execute(insert, [late["eventTime"], json.dumps(late)])
        put(database, numbered(1, 3))
        first, second = Listener(), Listener()
        emit(database, first, "x")
        open_transaction.commit()
    emit(database, second, "x")
    assert (numbers(first), numbers(second)) == ([1, 2], [0])


@pytest.mark.parametrize("at_once", [2, 500])
def test_a_receiver_that_goes_away_gets_the_rest_the_next_time(
    database: Store, monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    monkeypatch.setattr(emission, "AT_ONCE", at_once)
    put(database, numbered(0, 7))
    away, back = Listener(stays=3), Listener()
    with pytest.raises(TryAgain, match="away"):
        emit(database, away, "x")
    put(database, numbered(7, 9))
    assert emit(database, back, "x").sent == 6
    assert numbers(away) + numbers(back) == [*range(9)]
    assert emit(database, Listener(), "x").sent == 0


def test_a_refused_event_is_named_and_holds_up_none(database: Store) -> None:
    put(database, numbered(0, 4))
    listener = Listener(refused=(2,))
    refusals: list[RefusedEvent] = []
    outcome = emit(database, listener, "x", tell=refusals.append)
    assert (outcome.sent, outcome.refused, numbers(listener)) == (3, 1, [0, 2, 3])
    (refused,) = outcome.refusals
    assert refusals == [refused]
    assert (refused.run, refused.reason) == ("run 1", "a listener answers 422")
    assert emit(database, Listener(), "x").sent == 0


def test_a_receiver_that_takes_none_is_no_receiver_and_nothing_counts_as_sent(database: Store) -> None:
    put(database, numbered(0, 30))
    with pytest.raises(NeedsOperator, match="took none of 20 events"):
        emit(database, Listener(refused=tuple(range(1, 31))), "x")
    assert emit(database, Listener(), "x").sent == 30


def test_what_was_refused_before_the_receiver_went_away_was_named(database: Store) -> None:
    put(database, numbered(0, 4))
    refusals: list[RefusedEvent] = []
    with pytest.raises(TryAgain):
        emit(database, Listener(refused=(2,), stays=3), "x", tell=refusals.append)
    assert [one.run for one in refusals] == ["run 1"]
    back = Listener()
    emit(database, back, "x")
    assert numbers(back) == [3]


def test_an_event_that_the_client_cannot_write_holds_up_none(database: Store) -> None:
    """Python takes no number of so many digits, and Postgres does."""
    put(database, numbered(0, 1))
    with database.connect() as connection:
        connection.execute(
            "INSERT INTO lineage_events (event_time, event)"
            " SELECT event_time, event || '{\"n\": 1e4999}' FROM lineage_events"
        )
    outcome = emit(database, Listener(), "x")
    assert (outcome.sent, outcome.refused) == (1, 1)
    assert "cannot write it" in outcome.refusals[0].reason


@contextmanager
def answering(status: int, **headers: str) -> Iterator[str]:
    """The address of a server that answers so to each POST, and 200 to each GET."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Says nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.parametrize(
    ("status", "headers", "error", "says"),
    [
        (404, {}, NeedsOperator, "takes no OpenLineage events"),
        (405, {}, NeedsOperator, "takes no OpenLineage events"),
        (302, {"Location": "/login"}, NeedsOperator, "leads elsewhere"),
        (304, {}, NeedsOperator, "leads elsewhere"),
        (403, {}, NeedsOperator, "does not let us in"),
        (429, {}, TryAgain, "answers 429"),
        (422, {}, RefusedByReceiver, "answers 422"),
    ],
)
def test_what_is_no_answer_to_one_event_counts_as_sent_for_none(
    status: int, headers: dict[str, str], error: type[Exception], says: str
) -> None:
    with (
        answering(status, **headers) as url,
        closing(of_address(url, None)) as destination,
        pytest.raises(error, match=says),
    ):
        destination.send(run_event())


def test_no_more_are_sent_than_asked_for(database: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(emission, "BYTES_AT_ONCE", 1)
    put(database, numbered(0, 5))
    listener = Listener()
    assert [emit(database, listener, "x", most=2).sent for _ in range(3)] == [2, 2, 1]
    assert numbers(listener) == [*range(5)]


def test_everything_is_sent_again_if_that_is_asked_for(database: Store) -> None:
    put(database, numbered(0, 3))
    again = Listener()
    emit(database, Listener(), "x")
    assert emit(database, again, "x", again=True).sent == 3
    assert emit(database, Listener(), "x").sent == 0


def test_a_restored_database_says_that_it_does_not_know_what_was_sent(database: Store) -> None:
    put(database, numbered(0, 2))
    emit(database, Listener(), "x")
    with database.connect() as connection:
        connection.execute("UPDATE watermarks SET system_identifier = 1 WHERE name = %s", [consumer("x")])
    with pytest.raises(StaleWatermark, match="--again"):
        emit(database, Listener(), "x")
    assert emit(database, Listener(), "x", again=True).sent == 2


def test_two_do_not_send_the_same_at_once(database: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(emission, "PATIENCE_SECONDS", 0.1)
    with held_lease(database, consumer("x")), pytest.raises(LeaseTaken):
        emit(database, Listener(), "x")


def test_another_store_gets_the_same_tables(database: Store, databases: Databases, _template: str) -> None:
    events = [
        run_event(
            kind, run_id=f"run {number}", inputs=[dataset(f"raw_{number}")], outputs=[dataset(fields=[("id", "INT")])]
        )
        for number in range(3)
        for kind in ("START", "COMPLETE")
    ]
    put(database, events)
    with databases.copied(_template) as other, receiver(other, needs_token=False) as listening:
        destination = of_address(listening.url, None)
        assert destination.name == listening.url
        assert emit(database, destination, destination.name).sent == len(events)
        for store in (database, other):
            normalize(store, SerialRunner())
        assert differences(contents(database), contents(other)) == {}
        assert rows(other, "SELECT count(*) FROM runs") == [(3,)]


@pytest.fixture
def _listening(databases: Databases, _template: str) -> Iterator[tuple[str, Store]]:
    with databases.copied(_template) as other, receiver(other) as listening:
        yield listening.url, other


def test_the_command_says_what_the_receiver_wants(
    database: Store, _listening: tuple[str, Store], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    url, other = _listening
    monkeypatch.setenv("LINEAGE_DSN", database.dsn)
    put(database, numbered(0, 2))
    assert exit_code(["emit", "--to", url]) == 1
    assert "OPENLINEAGE_API_KEY" in capsys.readouterr().err
    monkeypatch.setenv("OPENLINEAGE_API_KEY", create_token(other, "x", ["*"], None).text)
    assert exit_code(["emit", "--to", url, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"sent": 2, "refused": 0, "refusals": []}
    assert len(stored(other)) == 2


def test_another_transport_is_that_of_a_file(
    database: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LINEAGE_DSN", database.dsn)
    put(database, numbered(0, 2))
    written = tmp_path / "events.ndjson"
    file = tmp_path / "openlineage.yml"
    file.write_text(f"transport:\n  type: file\n  log_file_path: {written}\n  append: true\n")
    assert exit_code(["emit", "--transport", str(file), "--as", "a file"]) == 0
    assert "2 events sent to the transport of openlineage.yml." in capsys.readouterr().out
    assert [json.loads(line) for line in written.read_text().splitlines()] == stored(database)


@pytest.mark.parametrize("url", ["ftp://x", "x:5000", "http://", "http://ann:secret@host"])
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(WrongUsage, match="--to") as refused:
        of_address(url, None)
    assert "secret" not in str(refused.value)


def test_the_path_of_an_address_is_kept() -> None:
    destination = of_address("https://host:8080/openapi/openlineage/api/v1/lineage", "k")
    transport: Any = vars(destination)["_transport"]
    assert (transport.url, transport.endpoint) == ("https://host:8080", "openapi/openlineage/api/v1/lineage")
    assert transport.config.auth.get_bearer() == "Bearer k"


def test_a_name_is_asked_for_where_the_place_would_be_of_something_that_may_change(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "openlineage.yml"
    file.write_text(f"transport: {{type: file, log_file_path: {tmp_path}/x}}")
    for words in (["--transport", str(file)], ["--to", "http://127.0.0.1:1/x?tenant=a"]):
        assert exit_code(["emit", *words]) == 2
        assert "--as" in capsys.readouterr().err


@pytest.mark.parametrize("type_", ["kafka", "async_http", "composite", "console", "noop"])
def test_a_transport_that_does_not_say_what_was_taken_is_refused(tmp_path: Path, type_: str) -> None:
    file = tmp_path / "openlineage.yml"
    file.write_text(f"transport: {{type: {type_}}}")
    with pytest.raises(WrongUsage, match="does not say which events were taken"):
        of_file(file)


@pytest.mark.parametrize("text", ["[]", "transport: x", "transport: {type: http}", "a: ["])
def test_a_file_without_a_transport_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "openlineage.yml"
    file.write_text(text)
    with pytest.raises(WrongUsage, match=r"openlineage\.yml"):
        of_file(file)


def test_nothing_is_marked_as_sent_where_the_client_is_switched_off(
    database: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LINEAGE_DSN", database.dsn)
    monkeypatch.setenv("OPENLINEAGE_DISABLED", "true")
    put(database, numbered(0, 2))
    assert exit_code(["emit", "--to", "http://127.0.0.1:1"]) == 2
    assert "OPENLINEAGE_DISABLED" in capsys.readouterr().err
    monkeypatch.delenv("OPENLINEAGE_DISABLED")
    assert emit(database, Listener(), "http://127.0.0.1:1").sent == 2


def test_a_key_that_is_there_but_empty_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OPENLINEAGE_API_KEY", "")
    assert exit_code(["emit", "--to", "http://127.0.0.1:1"]) == 2
    assert "OPENLINEAGE_API_KEY" in capsys.readouterr().err


@pytest.mark.parametrize("words", [[], ["--to", "http://x", "--transport", "x.yml"]])
def test_one_destination_is_named(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["emit", *words]) == 2
    assert "--transport FILE" in capsys.readouterr().err
