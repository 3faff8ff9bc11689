"""The receiver beside a bare route that only inserts the text: `python benchmarks/receive.py --events 8000`.

Both are served by uvicorn with one worker, and write to the same Postgres, which syncs to disk. The bare route is a
FastAPI application with sixteen connections of its own, and one INSERT a request. The load comes from another process,
over connections that stay open. Both are measured in turns, after a first round that is not counted.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import socket
import statistics
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import islice
from multiprocessing.process import BaseProcess
from pathlib import Path

import psutil
import psycopg
import servers
import uvicorn
from cpu import tree_seconds
from fastapi import FastAPI, Request, Response
from generated_events import documents

from lineage_core.local import postgres
from lineage_core.local.postgres import Server
from lineage_core.operate.whole_store import upgrade
from lineage_core.postgres.store import Store
from lineage_core.receiver.connections import ReceiverLimits
from lineage_core.receiver.serving import LOGGING, ServedReceiver, configuration
from lineage_core.receiver.store import create_token

DATABASE = "bench_receive"
BARE_CONNECTIONS = 16
CONNECTIONS = (16, 64, 256)
BATCH = 100
SINGLE, BATCHED = "/api/v1/lineage", "/api/v1/lineage/batch"
MEBIBYTE = 1 << 20


def without_facets(runs: int) -> Iterator[bytes]:
    for document in documents(runs):
        event = json.loads(document)
        for described in (event["run"], event["job"], *event["inputs"], *event["outputs"]):
            described["facets"] = {}
        yield json.dumps(event).encode()


SIZES: dict[str, Callable[[int], Iterator[bytes]]] = {"9.3 KB": documents, "0.9 KB": without_facets}

_processes = multiprocessing.get_context("spawn")


@dataclass(frozen=True)
class BareRoute:
    """What anybody would write in ten lines, on a table of one column."""

    store: Store

    def __call__(self) -> FastAPI:
        free: asyncio.Queue[psycopg.AsyncConnection[object]] = asyncio.Queue()

        @asynccontextmanager
        async def lifespan(_application: FastAPI) -> AsyncIterator[None]:
            for _ in range(BARE_CONNECTIONS):
                free.put_nowait(await psycopg.AsyncConnection.connect(self.store.dsn, autocommit=True))
            yield

        application = FastAPI(lifespan=lifespan)

        @application.post("/api/v1/lineage")
        async def insert(request: Request) -> Response:
            text = (await request.body()).decode()
            connection = await free.get()
            try:
                await connection.execute("INSERT INTO bare_events VALUES (%s)", (text,))
            finally:
                free.put_nowait(connection)
            return Response(status_code=201)

        return application


@dataclass(frozen=True)
class Load:
    """Requests that are sent, by how many connections."""

    name: str
    path: str
    connections: int
    events_a_request: int
    make: Callable[[int], Iterator[bytes]]


@dataclass(frozen=True)
class Figures:
    """Of one round. CPU is of the server's process and of Postgres; memory is resident, of the server's process."""

    events_a_second: float
    p50_ms: float
    p99_ms: float
    cpu_ms: float
    postgres_cpu_ms: float
    resident: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=8_000, help="a round")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    with servers.running() as (_, server):
        measure(server, arguments.events, arguments.rounds)


def measure(server: Server, events: int, rounds: int) -> None:
    server.ensure_database(DATABASE, postgres.ROLE)
    store = Store(server.dsn(database=DATABASE))
    upgrade(store)
    with store.connect() as connection:
        connection.execute("CREATE TABLE bare_events (event text)")
    token = create_token(store, "bench", ["*"], None).text
    limits = ReceiverLimits(events_per_second=1e9)
    bare, ours = BareRoute(store), ServedReceiver(store, limits=limits)
    for size, make in SIZES.items():
        for connections in CONNECTIONS:
            contestants: list[tuple[Callable[[], FastAPI], Load]] = [
                (bare, Load("bare route", SINGLE, connections, 1, make)),
                (ours, Load("receiver", SINGLE, connections, 1, make)),
            ]
            if connections == BARE_CONNECTIONS:
                contestants.append((ours, Load("receiver, batches", BATCHED, connections, BATCH, make)))
            compare(server, f"{size}, {connections} connections", contestants, events, rounds, token)


def compare(
    server: Server,
    title: str,
    contestants: Sequence[tuple[Callable[[], FastAPI], Load]],
    events: int,
    rounds: int,
    token: str,
) -> None:
    measured: dict[str, list[Figures]] = {load.name: [] for _, load in contestants}
    for number in range(rounds + 1):
        for application, load in contestants:
            figures = one_round(server, application, load, events, token)
            if number:
                measured[load.name].append(figures)
    print(title)
    first = median(measured[contestants[0][1].name], "events_a_second")
    for name, found in measured.items():
        speed = median(found, "events_a_second")
        print(
            f"  {name:20} {speed:8,.0f} events/s ({speed / first:.2f})"
            f"  p50 {median(found, 'p50_ms'):6.1f} ms  p99 {median(found, 'p99_ms'):6.1f} ms"
            f"  CPU-ms an event {median(found, 'cpu_ms'):.2f} + Postgres {median(found, 'postgres_cpu_ms'):.2f}"
            f"  resident {median(found, 'resident'):.0f} MiB",
            flush=True,
        )


def median(found: Sequence[Figures], name: str) -> float:
    return float(statistics.median(getattr(figures, name) for figures in found))


def one_round(server: Server, application: Callable[[], FastAPI], load: Load, events: int, token: str) -> Figures:
    listening = socket.create_server(("127.0.0.1", 0), backlog=2_048)
    served = _processes.Process(target=serve, args=(application, listening), daemon=True)
    served.start()
    try:
        _wait_until_ready(listening.getsockname()[1])
        return _measured(server, served, load, listening.getsockname()[1], events, token)
    finally:
        served.terminate()
        served.join()
        listening.close()


def serve(application: Callable[[], FastAPI], listening: socket.socket) -> None:
    """Either writes a line for each request, as `lineage serve` and uvicorn do; no one reads them here."""
    sys.stdout = sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115 - for as long as the process lives
    if isinstance(application, ServedReceiver):
        config = configuration(application, "127.0.0.1", 0, log_config=LOGGING)
    else:
        config = uvicorn.Config(application, factory=True, lifespan="on")
    uvicorn.Server(config).run(sockets=[listening])


def _wait_until_ready(port: int) -> None:
    while True:
        with socket.create_connection(("127.0.0.1", port)) as asked:
            asked.sendall(b"GET /openapi.json HTTP/1.1\r\nHost: bench\r\nConnection: close\r\n\r\n")
            if asked.recv(12) == b"HTTP/1.1 200":
                return


def _measured(server: Server, served: BaseProcess, load: Load, port: int, events: int, token: str) -> Figures:
    postmaster = int(server.run_sql("SELECT pg_backend_pid();") and _postmaster(server))
    before = tree_seconds(postmaster), tree_seconds(served.pid or 0)
    answers: multiprocessing.Queue[tuple[float, list[float]]] = _processes.Queue()
    sending = _processes.Process(target=send, args=(load, port, events, token, answers))
    sending.start()
    seconds, delays = answers.get()
    sending.join()
    resident = psutil.Process(served.pid).memory_info().rss / MEBIBYTE
    after = tree_seconds(postmaster), tree_seconds(served.pid or 0)
    cut = statistics.quantiles(delays, n=100)
    return Figures(
        events / seconds,
        cut[49] * 1000,
        cut[98] * 1000,
        (after[1] - before[1]) * 1000 / events,
        (after[0] - before[0]) * 1000 / events,
        resident,
    )


def _postmaster(server: Server) -> str:
    """The process that all of the server's are children of."""
    backend = int(server.run_sql("SELECT pid FROM pg_stat_activity WHERE backend_type = 'checkpointer';"))
    return str(psutil.Process(backend).ppid())


def send(
    load: Load, port: int, events: int, token: str, answers: multiprocessing.Queue[tuple[float, list[float]]]
) -> None:
    """In a process of its own. All requests are made before the first is sent."""
    requests = _requests(load, events, token)
    answers.put(asyncio.run(_sent(requests, port, load.connections)))


def _requests(load: Load, events: int, token: str) -> list[bytes]:
    made, each = [], load.make(events)
    while bodies := list(islice(each, load.events_a_request)):
        body = bodies[0] if load.events_a_request == 1 else b"[" + b",".join(bodies) + b"]"
        head = (
            f"POST {load.path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer {token}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        made.append(head.encode() + body)
        if len(made) * load.events_a_request >= events:
            break
    return made


async def _sent(requests: list[bytes], port: int, connections: int) -> tuple[float, list[float]]:
    opened = [await asyncio.open_connection("127.0.0.1", port) for _ in range(connections)]
    waiting, delays = iter(requests), list[float]()

    async def work(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for request in waiting:
            start = time.perf_counter()
            writer.write(request)
            head = await reader.readuntil(b"\r\n\r\n")
            assert head.startswith((b"HTTP/1.1 201", b"HTTP/1.1 204")), head
            delays.append(time.perf_counter() - start)

    start = time.perf_counter()
    await asyncio.gather(*(work(*connection) for connection in opened))
    return time.perf_counter() - start, delays


if __name__ == "__main__":
    main()
