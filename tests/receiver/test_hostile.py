"""Who means harm, or sends nonsense: nothing is answered 500, no valid event is lost, and memory stays bounded."""

from __future__ import annotations

import gzip
import json
import random
import socket
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import replace
from http import HTTPStatus
from typing import Any

import httpx
import psutil
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis.strategies import SearchStrategy
from schemathesis.core.result import Ok
from schemathesis.openapi import from_url
from schemathesis.specs.openapi.checks import positive_data_acceptance

from lineage_core.postgres.store import Store
from lineage_core.receiver.connections import ReceiverLimits
from lineage_core.testing import dataset, dataset_event, job_event, named_job, run_event
from tests.support.hostile_documents import must_normalize, must_quarantine
from tests.support.receivers import EVENT, Listening, quarantined, receiver
from tests.support.serving import serving
from tests.support.stores import rows
from tests.support.waiting import until

pytestmark = pytest.mark.postgres

MOST_RESIDENT = 400 << 20
"""Bytes of one process, under all that is sent here; it has 140 MiB when nothing came."""

NASTY = [
    "'; DROP TABLE lineage_events; --",
    "<script>alert(1)</script>",
    "{{7*7}}",
    "../../etc/passwd",
    "\u202e\u0000",
    "\ud800",
    "a" * 5_000,
    "\U0001f600" * 700,
    "%s%n",
    "",
]


def mutated(chance: random.Random, number: int) -> tuple[bytes, bool]:
    """A document, and whether it is an event as it stands."""
    name = f"job {number}"
    events = [
        run_event(job=named_job(name), run_id=name, outputs=[dataset("orders", fields=[("id", "INT")])]),
        job_event(job=named_job(name)),
        dataset_event(dataset(name)),
    ]
    event = chance.choice(events)
    whole = json.dumps(event).encode()
    at = chance.randrange(len(whole))
    makers: list[Callable[[], tuple[bytes, bool]]] = [
        lambda: (whole, True),
        lambda: (whole[:at], False),
        lambda: (whole[:at] + bytes([chance.randrange(256)]) + whole[at + 1 :], False),
        lambda: (whole[:at] + chance.randbytes(8) + whole[at:], False),
        lambda: (whole.replace(b'"eventTime"', b'"eventTime": 1, "eventTime"', 1), False),
        lambda: (whole[:-1] + b', "eventTime": "noon"}', False),
        lambda: (whole[:-1] + b', "more": ' + b"[" * 2_000 + b"]" * 2_000 + b"}", False),
        lambda: (whole[:-1] + b', "more": [' + b"0," * 50_000 + b"0]}", False),
        lambda: (whole[:-1] + b', "more": 1e' + b"9" * 400 + b"}", False),
        lambda: (json.dumps(event).replace(name, chance.choice(NASTY)).encode("utf-8", "surrogatepass"), False),
        lambda: (json.dumps(event | {chance.choice(NASTY): chance.choice(NASTY)}).encode(), False),
        lambda: (json.dumps({key: chance.choice([None, 1, [], {}, "x"]) for key in event}).encode(), False),
    ]
    return chance.choice(makers)()


def requests(seed: int, count: int) -> Iterator[tuple[str, bytes, dict[str, str], list[str]]]:
    """Path, body, headers, and the names of jobs or datasets that have to be there if it is answered 2xx."""
    chance = random.Random(seed)
    for number in range(count):
        documents = [mutated(chance, number * 10 + place) for place in range(chance.choice([1, 1, 1, 4]))]
        kept = [f"job {number * 10 + place}" for place, (_, is_event) in enumerate(documents) if is_event]
        if len(documents) == 1:
            path, body = EVENT, documents[0][0]
        else:
            path, body = f"{EVENT}/batch", b"[" + b",".join(document for document, _ in documents) + b"]"
        headers = {}
        match chance.randrange(6):
            case 0:
                body, headers = gzip.compress(body), {"Content-Encoding": "gzip"}
            case 1 if chance.random() < 0.3:
                headers, kept = {"Content-Encoding": chance.choice(["gzip", "br", "x" * 100])}, []
            case 2:
                headers = {"Content-Type": chance.choice(["text/plain", "application/xml", "\x7f"])}
        yield path, body, headers, kept


def attack(url: str, seed: int, count: int) -> tuple[Counter[int], set[str]]:
    """The answers, and the names of what was sent whole and answered 2xx."""
    answers, kept = Counter[int](), set[str]()
    with httpx.Client(base_url=url, timeout=30) as client:
        for path, body, headers, names in requests(seed, count):
            status = client.post(path, content=body, headers=headers).status_code
            answers[status] += 1
            if status in (201, 204, 200):
                kept |= set(names)
    return answers, kept


def names_there(store: Store) -> set[str]:
    return {
        name
        for row in rows(store, "SELECT event #>> '{job,name}', event #>> '{dataset,name}' FROM lineage_events")
        for name in row
        if name
    }


@pytest.mark.slow
@pytest.mark.parametrize("count", [2_000, pytest.param(50_000, marks=pytest.mark.long)])
def test_mutated_documents(count: int, database: Store) -> None:
    with serving(database, "--without-tokens") as (url, process):
        answers, kept = attack(url, seed=1, count=count)
        resident = psutil.Process(process.pid).memory_info().rss
    assert set(answers) <= {200, 201, 204, 400, 413, 415, 422}, answers
    assert min(answers[status] for status in (200, 201, 400, 415, 422)) > count // 1_000, answers
    assert kept <= names_there(database)
    assert len(kept) > count // 20
    assert resident < MOST_RESIDENT


def test_documents_that_an_ingest_takes_are_taken_here(database: Store) -> None:
    with receiver(database, needs_token=False) as listening, listening.client() as client:
        refused = [one.name for one in must_normalize() if client.post(EVENT, content=one.raw).status_code != 201]
    assert refused == []


def test_documents_that_an_ingest_refuses_are_refused_here(database: Store) -> None:
    with receiver(database, needs_token=False) as listening, listening.client() as client:
        answers = {one: client.post(EVENT, content=one.raw) for one in must_quarantine()}
    assert {answer.status_code for answer in answers.values()} == {400, 422}
    assert [one.name for one in answers if not answers[one].json()["path"].startswith(one.path or "$")] == []
    assert {raw for _, _, raw in quarantined(database)} == {one.raw for one in answers}
    assert len(answers) > 300


@pytest.mark.slow
@pytest.mark.parametrize("examples", [30, pytest.param(2_000, marks=pytest.mark.long)])
def test_what_the_interface_allows(examples: int, database: Store) -> None:
    """Every answer is one that its description names, whatever a client makes of the description."""
    with receiver(database, needs_token=False) as listening:
        for operation in from_url(f"{listening.url}/openapi.json").get_all_operations():
            assert isinstance(operation, Ok)
            try_out(operation.ok().as_strategy(), listening.url, examples)


def try_out(cases: SearchStrategy[Any], url: str, examples: int) -> None:
    @settings(max_examples=examples, suppress_health_check=list(HealthCheck), database=None)
    @given(cases)
    def each(case: Any) -> None:
        answer = case.call(base_url=url)
        # No pattern of a description reaches texts at any depth.
        excluded = [positive_data_acceptance] if "\\u0000" in _text(answer.request.body) else []
        case.validate_response(answer, excluded_checks=excluded)

    each()


def _text(body: bytes | str | None) -> str:
    return body.decode("utf-8", "replace") if isinstance(body, bytes) else body or ""


def spoken(listening: Listening, sent: bytes, seconds: float = 5.0) -> bytes:
    """What is answered before the connection ends, or says nothing for so long."""
    with socket.create_connection(("127.0.0.1", listening.port)) as connection:
        connection.settimeout(seconds)
        connection.sendall(sent)
        answered = b""
        try:
            while piece := connection.recv(65_536):
                answered += piece
        except (TimeoutError, ConnectionResetError):
            pass
        return answered


BODY = json.dumps(run_event()).encode()
HEAD = f"POST {EVENT} HTTP/1.1\r\nHost: x\r\n".encode()
AMBIGUOUS = {
    "both lengths": HEAD + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + HEAD,
    "two lengths": HEAD + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\n{}   ",
    "a length that is none": HEAD + b"Content-Length: +5\r\n\r\n{}   ",
    "a chunk of no size": HEAD + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
    "another encoding behind chunked": HEAD + b"Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
    "a header without a name": HEAD + b": x\r\nContent-Length: 2\r\n\r\n{}",
    "a line that ends in a line feed alone": HEAD + b"X: a\nContent-Length : 2\r\n\r\n{}",
    "no HTTP": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 50,
}


@pytest.mark.parametrize("sent", AMBIGUOUS.values(), ids=AMBIGUOUS)
def test_what_two_servers_could_read_differently_is_refused(sent: bytes, database: Store) -> None:
    """A proxy before the receiver must not see other requests than it does."""
    with receiver(database, needs_token=False) as listening:
        answered = spoken(listening, sent, seconds=1.0)
        assert answered.count(b"HTTP/1.1 ") == 1
        assert answered.startswith(b"HTTP/1.1 400 ")
        assert rows(database, "SELECT count(*) FROM lineage_events") == [(0,)]


def _stores(listening: Listening) -> bool:
    """Whether an event is taken in; a connection that finds no room is none."""
    with listening.client() as client, suppress(httpx.TransportError):
        return client.post(EVENT, json=run_event()).status_code == HTTPStatus.CREATED
    return False


class TestSlow:
    LIMITS = ReceiverLimits(head_seconds=0.5, body_seconds=0.5, connections=50, head_bytes=4_096)

    @pytest.fixture
    def listening(self, database: Store) -> Iterator[Listening]:
        with receiver(database, needs_token=False, limits=self.LIMITS) as found:
            yield found

    @pytest.mark.parametrize("sent", [b"", b"POST", HEAD], ids=["nothing", "a word", "half a head"])
    def test_a_head_that_does_not_come_ends_the_connection(self, listening: Listening, sent: bytes) -> None:
        begun = time.monotonic()
        assert spoken(listening, sent).startswith(b"HTTP/1.1 408 ")
        assert time.monotonic() - begun < 4

    def test_a_second_request_has_to_come_in_time_too(self, listening: Listening) -> None:
        whole = HEAD + f"Content-Length: {len(BODY)}\r\n\r\n".encode() + BODY
        answered = spoken(listening, whole + b"POST")
        assert answered.startswith(b"HTTP/1.1 201 ")
        assert b"HTTP/1.1 408 " in answered

    def test_a_body_that_no_one_wants_is_not_read_for_ever(self, listening: Listening) -> None:
        """It is refused by its length, and its sender goes on to send it, byte by byte."""
        with socket.create_connection(("127.0.0.1", listening.port)) as connection:
            connection.sendall(HEAD + b"Content-Length: 99999999999\r\n\r\n")
            assert connection.recv(12) == b"HTTP/1.1 413"
            with pytest.raises((BrokenPipeError, ConnectionResetError)):
                for _ in range(40):
                    connection.sendall(b" ")
                    time.sleep(0.1)

    @pytest.mark.parametrize("sent", [b"x" * 9_000, HEAD + b"X: " + b"x" * 9_000, HEAD + b"X: y\r\n" * 3_000])
    def test_a_head_without_an_end_is_refused(self, listening: Listening, sent: bytes) -> None:
        assert spoken(listening, sent).startswith((b"HTTP/1.1 431 ", b"HTTP/1.1 400 "))

    def test_idle_connections_make_room_again(self, database: Store) -> None:
        limits = replace(self.LIMITS, head_seconds=3.0)  # long enough to open so many, however busy the machine is
        with receiver(database, needs_token=False, limits=limits) as listening, ExitStack() as idle:
            for _ in range(200):
                idle.enter_context(socket.create_connection(("127.0.0.1", listening.port)))
            with listening.client() as client, pytest.raises(httpx.TransportError):
                client.get("/healthz")
            until(lambda: _stores(listening))


@pytest.mark.long
def test_ten_thousand_idle_connections(database: Store) -> None:
    with serving(database, "--without-tokens") as (url, process):
        port = int(url.rpartition(":")[2])
        idle = [socket.create_connection(("127.0.0.1", port)) for _ in range(10_000)]
        resident = psutil.Process(process.pid).memory_info().rss
        time.sleep(11)
        assert httpx.post(f"{url}{EVENT}", json=run_event()).status_code == 201
        for connection in idle:
            connection.close()
    assert resident < MOST_RESIDENT
