"""What the receiver answers, and what is in the store then."""

from __future__ import annotations

import gzip
import json
import socket
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import httpx
import pytest

from lineage_core.local.postgres import Server
from lineage_core.model.arrivals import RefusedDocument, judge
from lineage_core.model.meaning import column_lineages
from lineage_core.normalize.normalization import normalize
from lineage_core.postgres.store import Store
from lineage_core.receiver.connections import ReceiverLimits
from lineage_core.receiver.store import create_token, known_tokens, revoke_token
from lineage_core.tasks import SerialRunner
from lineage_core.testing import TIME, dataset, dataset_event, job_event, named_job, run_event
from tests.support.receivers import BATCH, EVENT, Listening, quarantined, receiver, stored
from tests.support.servers import ingest_login
from tests.support.stores import rows

pytestmark = pytest.mark.postgres


def test_an_event_of_each_kind_is_in_the_store_when_it_is_answered(client: httpx.Client, database: Store) -> None:
    events = [run_event(), job_event(), dataset_event(dataset("orders"))]
    for number, event in enumerate(events, start=1):
        answer = client.post(EVENT, json=event)
        assert (answer.status_code, answer.content) == (201, b"")
        assert len(stored(database)) == number
    assert stored(database) == events


def test_a_repeat_is_answered_like_the_first(client: httpx.Client) -> None:
    assert [client.post(EVENT, json=run_event()).status_code for _ in range(2)] == [201, 201]


def test_a_body_may_be_packed_and_come_in_chunks(client: httpx.Client, database: Store) -> None:
    packed = gzip.compress(json.dumps(run_event()).encode())
    headers = {"Content-Encoding": "gzip", "Content-Type": "application/json"}
    assert client.post(EVENT, content=packed, headers=headers).status_code == 201
    pieces = (packed[start : start + 7] for start in range(0, len(packed), 7))
    assert client.post(EVENT, content=pieces, headers=headers).status_code == 201
    assert stored(database) == [run_event()] * 2


NO_EVENTS = {
    "no JSON": (b"{oops", 400, "$"),
    "nothing": (b"", 400, "$"),
    "no UTF-8": (b'{"eventTime": "\xff"}', 422, "$"),
    "no event": (b'{"eventTime": "2026-01-01T00:00:00Z"}', 422, "$"),
    "a list": (b"[]", 422, "$"),
    "no time": (json.dumps(run_event() | {"eventTime": "noon"}).encode(), 422, "$.eventTime"),
    "a character that Postgres does not hold": (
        json.dumps(run_event(job=named_job("a\x00b"))).encode(),
        422,
        "$.job.name",
    ),
    "too deep": (b'{"run":' + b"[" * 600 + b"]" * 600 + b"}", 422, "$"),
}


@pytest.mark.parametrize(("body", "status", "path"), NO_EVENTS.values(), ids=NO_EVENTS)
def test_what_is_no_event_is_refused_and_kept(
    body: bytes, status: int, path: str, client: httpx.Client, database: Store
) -> None:
    answer = client.post(EVENT, content=body)
    content = answer.json()
    assert (answer.status_code, content["code"]) == (status, status)
    assert content["path"].startswith(path)
    assert content["message"]
    assert [(source, raw) for _, source, raw in quarantined(database)] == [("receiver", body)]
    assert stored(database) == []


def test_an_essential_facet_that_cannot_be_read_is_refused_as_by_an_ingest(
    client: httpx.Client, database: Store
) -> None:
    event = run_event(outputs=[dataset("orders") | {"facets": {"schema": {"fields": 7}}}])
    refused = judge(json.dumps(event).encode(), "a test")
    assert isinstance(refused, RefusedDocument)
    answer = client.post(EVENT, json=event)
    assert (answer.status_code, answer.json()["path"]) == (422, refused.path)
    assert [path for path, _, _ in quarantined(database)] == ["$.outputs[0].facets.schema.fields"]


def test_what_no_table_can_hold_is_left_to_normalization(
    client: httpx.Client, database: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A producer is answered before rows are made of its event."""
    monkeypatch.setattr(column_lineages, "MOST_PAIRS", 1)
    columns = [{"namespace": "shop", "name": "raw", "field": field} for field in ("a", "b")]
    facets = {"columnLineage": {"fields": {"id": {"inputFields": columns}}}}
    event = run_event(outputs=[dataset("orders", fields=[("id", "INT")], facets=facets)])
    assert client.post(EVENT, json=event).status_code == 201
    normalize(database, SerialRunner())
    assert [path for path, _, _ in quarantined(database)] == ["$.outputs[0].facets.columnLineage"]


def test_a_batch_is_stored_whole(client: httpx.Client, database: Store) -> None:
    events = [run_event(time=TIME + timedelta(hours=hour)) for hour in range(5)]
    answer = client.post(BATCH, json=events)
    assert (answer.status_code, answer.content) == (204, b"")
    assert stored(database) == events
    assert client.post(BATCH, json=[]).status_code == 204


def test_of_a_batch_the_good_events_are_stored_and_the_others_named(client: httpx.Client, database: Store) -> None:
    answer = client.post(BATCH, json=[run_event(), {"no": "event"}, job_event(), 7])
    assert answer.status_code == 200
    content = answer.json()
    assert content["status"] == "partial_success"
    assert content["summary"] == {"received": 4, "successful": 2, "failed": 2, "retriable": 0, "non_retriable": 2}
    assert [(one["index"], one["retriable"]) for one in content["failed_events"]] == [(1, False), (3, False)]
    assert all(one["reason"].startswith("$") for one in content["failed_events"])
    assert stored(database) == [run_event(), job_event()]
    assert len(quarantined(database)) == 2


@pytest.mark.parametrize("body", [b"{}", b"[1, ", b"", b"[" * 100_000])
def test_a_batch_that_is_no_list_is_refused(body: bytes, client: httpx.Client) -> None:
    assert client.post(BATCH, content=body).status_code == 400


class TestTokens:
    @pytest.mark.parametrize("header", [None, "", "Bearer", "Basic abc", "Bearer " + "x" * 300])
    def test_a_request_without_one_is_refused(self, header: str | None, listening: Listening, database: Store) -> None:
        headers = {} if header is None else {"Authorization": header}
        with listening.client() as client:
            answer = client.post(EVENT, json=run_event(), headers=headers)
        assert (answer.status_code, answer.headers["WWW-Authenticate"]) == (401, "Bearer")
        assert stored(database) == []

    def test_one_that_no_one_made_is_refused(self, listening: Listening, database: Store) -> None:
        with listening.client("lineage_guessed") as client:
            answer = client.post(EVENT, json=run_event())
        assert (answer.status_code, answer.json()["message"]) == (401, "The token is unknown")
        assert (stored(database), quarantined(database)) == ([], [])

    def test_one_that_is_revoked_is_refused_at_once(self, client: httpx.Client, database: Store) -> None:
        assert client.post(EVENT, json=run_event()).status_code == 201
        revoke_token(database, "everything")
        answer = client.post(EVENT, json=run_event())
        assert (answer.status_code, answer.json()["message"]) == (401, "The token is revoked")
        assert client.post(BATCH, json=[run_event()]).status_code == 401
        assert len(stored(database)) == 1

    def test_one_that_has_expired_is_refused(self, listening: Listening, database: Store) -> None:
        token = create_token(database, "old", ["*"], datetime.now(UTC) - timedelta(seconds=1))
        with listening.client(token.text) as client:
            assert client.post(EVENT, json=run_event()).json()["message"] == "The token is expired"

    def test_one_is_for_namespaces(self, listening: Listening, database: Store) -> None:
        token = create_token(database, "of a team", ["team-*", "dwh"], None)
        allowed = [run_event(job=named_job("a", namespace="team-1")), job_event(job=named_job("a", namespace="dwh"))]
        others = [
            run_event(job=named_job("a", namespace="teams")),
            dataset_event(dataset("orders", namespace="dwh2")),
        ]
        with listening.client(token.text) as client:
            assert [client.post(EVENT, json=event).status_code for event in allowed] == [201, 201]
            assert [client.post(EVENT, json=event).status_code for event in others] == [403, 403]
            answer = client.post(BATCH, json=[others[0], allowed[0]])
        assert (answer.status_code, [one["index"] for one in answer.json()["failed_events"]]) == (200, [0])
        assert stored(database) == [*allowed, allowed[0]]
        assert quarantined(database) == [], "what it may not write is kept nowhere"

    def test_a_dataset_event_is_judged_by_its_dataset_whatever_else_it_has(
        self, listening: Listening, database: Store
    ) -> None:
        token = create_token(database, "of a team", ["team-*"], None)
        event = dataset_event(dataset("orders", namespace="dwh")) | {"job": named_job("a", namespace="team-1")}
        with listening.client(token.text) as client:
            assert client.post(EVENT, json=event).status_code == 403
        assert stored(database) == []

    def test_its_last_use_is_known_to_the_day_and_the_token_itself_to_no_one(
        self, client: httpx.Client, database: Store
    ) -> None:
        (before,) = known_tokens(database)
        client.post(EVENT, json=run_event())
        (after,) = known_tokens(database)
        assert before.last_used_on is None
        assert after.last_used_on == datetime.now(UTC).date()
        text = client.headers["Authorization"].removeprefix("Bearer ")
        assert text not in str(rows(database, "SELECT t::text FROM receiver_tokens AS t"))

    def test_without_tokens_anybody_may(self, database: Store) -> None:
        with receiver(database, needs_token=False) as listening, listening.client() as client:
            assert client.post(EVENT, json=run_event()).status_code == 201


class TestLimits:
    def test_a_long_body_is_refused_before_it_is_read(self, database: Store) -> None:
        with (
            receiver(database, needs_token=False, limits=ReceiverLimits(body_bytes=1_000)) as listening,
            listening.client() as client,
        ):
            assert client.post(EVENT, content=b" " * 1_001).status_code == 413
            assert client.post(EVENT, content=(b" " * 100 for _ in range(11))).status_code == 413
            headers = {"Content-Encoding": "gzip"}
            assert client.post(EVENT, content=gzip.compress(b" " * 5_000), headers=headers).status_code == 413
            assert client.post(EVENT, json=run_event()).status_code == 201

    def test_a_gzip_bomb_is_not_unpacked(self, database: Store) -> None:
        with (
            receiver(database, needs_token=False, limits=ReceiverLimits(body_bytes=1 << 20)) as listening,
            listening.client() as client,
        ):
            bomb = gzip.compress(b" " * 100_000_000)
            assert len(bomb) < 1 << 20
            assert client.post(EVENT, content=bomb, headers={"Content-Encoding": "gzip"}).status_code == 413

    @pytest.mark.parametrize(
        ("body", "status"),
        [(b"no gzip", 400), (gzip.compress(b"{}")[:-4], 400), (gzip.compress(b"{}") + b"more", 400)],
        ids=["none", "cut short", "with something behind it"],
    )
    def test_a_broken_gzip_is_refused(self, body: bytes, status: int, client: httpx.Client) -> None:
        assert client.post(EVENT, content=body, headers={"Content-Encoding": "gzip"}).status_code == status

    def test_another_packing_is_refused(self, client: httpx.Client) -> None:
        answer = client.post(EVENT, content=b"x", headers={"Content-Encoding": "br"})
        assert (answer.status_code, answer.headers["Accept-Encoding"]) == (415, "gzip, identity")

    def test_a_slow_body_is_given_up(self, database: Store) -> None:
        with (
            receiver(database, needs_token=False, limits=ReceiverLimits(body_seconds=0.2)) as listening,
            socket.create_connection(("127.0.0.1", listening.port)) as slow,
        ):
            slow.sendall(b"POST /api/v1/lineage HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{")
            assert slow.recv(100).startswith(b"HTTP/1.1 408")

    def test_a_token_that_sends_too_much_is_asked_to_wait(self, database: Store, postgres_server: Server) -> None:
        token = create_token(database, "eager", ["*"], None)
        with (
            receiver(ingest_login(postgres_server, database), limits=ReceiverLimits(events_per_second=2)) as listening,
            listening.client(token.text) as client,
        ):
            answers = [client.post(EVENT, json=run_event()) for _ in range(12)]
        statuses = [answer.status_code for answer in answers]
        assert statuses[:10] == [201] * 10
        assert 429 in statuses
        assert int(answers[statuses.index(429)].headers["Retry-After"]) >= 1


def test_requests_that_wait_share_a_transaction(client: httpx.Client, database: Store) -> None:
    events = [run_event(time=TIME + timedelta(seconds=number)) for number in range(64)]
    with ThreadPoolExecutor(32) as senders:
        answers = list(senders.map(lambda event: client.post(EVENT, json=event).status_code, events))
    assert answers == [201] * 64
    ((transactions,),) = rows(database, "SELECT count(DISTINCT arrived_xid) FROM lineage_events")
    assert transactions < 64


def test_a_bad_document_does_not_fail_its_neighbours(client: httpx.Client, database: Store) -> None:
    """Those of them that Postgres alone refuses are found by halving."""
    good = [run_event(time=TIME + timedelta(seconds=number)) for number in range(20)]
    bad = [run_event(job=named_job(f"a{number}\x00")) for number in range(4)]
    with ThreadPoolExecutor(24) as senders:
        answers = list(senders.map(lambda event: client.post(EVENT, json=event).status_code, [*good, *bad]))
    assert answers == [201] * 20 + [422] * 4
    assert len(stored(database)) == 20
    assert len(quarantined(database)) == 4


def test_health_and_readiness(client: httpx.Client) -> None:
    assert client.get("/healthz").text == "ok"
    assert client.get("/readyz").text == "ready"


def test_its_interface_is_described(client: httpx.Client) -> None:
    described = client.get("/openapi.json").json()
    assert set(described["paths"]) == {EVENT, BATCH, "/healthz", "/readyz"}
    assert {"201", "400", "401", "403", "413", "422", "429", "503"} <= set(
        described["paths"][EVENT]["post"]["responses"]
    )
    assert client.get("/docs").status_code == 404
