"""What two merges side by side would bring: `python benchmarks/two_merges.py --events 2000 --rounds 6`.

Each round stages two slices of as many events, and merges them one after the other, or both at once on two sessions;
the rounds take turns. At once means without the lease, which exists so that there is one merge at a time: this is a
trial of what a store without it would do. Measured is the time that passes, the CPU time of Postgres meanwhile,
and how the second merge ends. There are three ways:

* apart: in one store, with no namespace in common, of jobs or of datasets;
* shared: in one store, the second slice with later runs of the same jobs;
* stores: each slice in a database of its own on one server.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass

import generated_events
import psycopg
import servers
from cpu import tree_seconds
from streams import load

from lineage_core import statements
from lineage_core.errors import SliceRefused
from lineage_core.local import postgres
from lineage_core.normalize.normalization import _Run, _silent
from lineage_core.normalize.slices import Slice, cut
from lineage_core.normalize.store import merging
from lineage_core.normalize.store.event_choices import WATERMARK, begin, finish
from lineage_core.normalize.store.schema_verdicts import judge_schemas
from lineage_core.normalize.store.staging import StagedPart
from lineage_core.operate.whole_store import upgrade
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.leases import held_lease
from lineage_core.postgres.replaced_tables import keep_replaced_tables
from lineage_core.postgres.store import Store
from lineage_core.tasks import HERE

WAYS = ("apart", "shared", "stores")
NAMES = ((b'"warehouse"', b'"warehouse-b"'), (b"db.example:5432", b"db-b.example:5432"))
"""The namespaces of the second slice where it has its own."""
WAIT = 0.5
"""Seconds until the server has waited for its ended backends, whose CPU counts only then."""


@dataclass(frozen=True)
class Staged:
    """A slice that waits to be merged, and where."""

    store: Store
    schema: str
    parts: Sequence[StagedPart]


@dataclass(frozen=True)
class Took:
    seconds: float
    of_postgres: float
    refusals: tuple[str, ...]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=2_000, help="of each slice")
    parser.add_argument("--rounds", type=int, default=6, help="one after the other and at once, by turns")
    parser.add_argument("--shape", choices=sorted(generated_events.SHAPES), default="many")
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=WAYS)
    arguments = parser.parse_args()
    with servers.running() as (home, server):
        server.run_sql("ALTER SYSTEM SET autovacuum = off;")
        server.run_sql("SELECT pg_reload_conf();")
        postmaster = int(next(home.glob("postgres/data-*/postmaster.pid")).read_text().split()[0])
        for way in arguments.ways:
            stores = [made_store(server, f"bench_{way}_{number}") for number in range(2 if way == "stores" else 1)]
            found: dict[bool, list[Took]] = {False: [], True: []}
            for number in range(arguments.rounds):
                server.run_sql("CHECKPOINT;")
                at_once = bool(number % 2)
                documents = slices(way, number, arguments.events, arguments.shape)
                with staged(stores, documents) as waiting:
                    found[at_once].append(timed(postmaster, waiting, at_once))
                for store in stores:
                    with store.connect(autocommit=True) as connection:
                        connection.execute("VACUUM ANALYZE")
                print(f"{way}, {'at once' if at_once else 'in turn'}: {found[at_once][-1]}", flush=True)
            in_turn, at_once_took = ([took.seconds for took in found[how]] for how in (False, True))
            times = statistics.median(in_turn) / statistics.median(at_once_took)
            print(f"{way}: at once is {times:.2f} times as fast", flush=True)


def made_store(server: postgres.Server, name: str) -> Store:
    server.ensure_database(name, postgres.ROLE)
    store = Store(server.dsn(database=name))
    upgrade(store)
    return store


def slices(way: str, number: int, events: int, shape: str) -> list[list[bytes]]:
    runs = events // 2
    first = 2 * number * runs
    if way == "shared":
        return [list(generated_events.documents(runs, first + half * runs, shape)) for half in range(2)]
    return [named(generated_events.documents(runs, first, shape), half) for half in range(2)]


def named(documents: Iterator[bytes], half: int) -> list[bytes]:
    found = list(documents)
    for old, new in NAMES if half else ():
        found = [text.replace(old, new) for text in found]
    return found


@contextmanager
def staged(stores: Sequence[Store], documents: Sequence[Sequence[bytes]]) -> Iterator[list[Staged]]:
    """Both slices staged: in one store, or each in its own. When the block has merged them, they count as done."""
    if len(stores) == 1:
        with staged_in(stores[0], documents) as both:
            yield both
    else:
        with staged_in(stores[0], documents[:1]) as first, staged_in(stores[1], documents[1:]) as second:
            yield [*first, *second]


@contextmanager
def staged_in(store: Store, documents: Sequence[Sequence[bytes]]) -> Iterator[list[Staged]]:
    for texts in documents:
        load(store, texts)
    with store.session("lineage_jobs") as connection, held_lease(store, WATERMARK) as lease:
        run = _Run(store, connection, HERE, lease, 1 << 40, _silent, time.monotonic(), None)
        reading = begin(connection, lease)
        with connection.transaction():
            events = list(reading.waiting(connection))
        found, after = [], reading.after
        for number, texts in enumerate(documents, start=1):
            own, events = events[: len(texts)], events[len(texts) :]
            planned = cut(number, after, own, 1 << 40, lambda: 2)
            assert planned is not None
            found.append(Staged(store, merging.staging_schema(number), stage(run, reading, planned)))
            after = planned.until
        yield found
        with connection.transaction():
            reading.mark_done(connection, after)
        finish(connection, lease, reading)
        run.leave_nothing()


def stage(run: _Run, reading: object, planned: Slice) -> list[StagedPart]:
    start: Callable[[object, Slice], Callable[[], list[StagedPart]]] = vars(_Run)["_start"].__get__(run)
    return start(reading, planned)()


def timed(postmaster: int, waiting: Sequence[Staged], at_once: bool) -> Took:
    with ThreadPoolExecutor(2 if at_once else 1) as pool:
        of_postgres, started = tree_seconds(postmaster), time.monotonic()
        refusals = [refusal for refusal in pool.map(merge, waiting) if refusal]
        seconds = time.monotonic() - started
    time.sleep(WAIT)
    return Took(round(seconds, 2), round(tree_seconds(postmaster) - of_postgres, 2), tuple(refusals))


def merge(waiting: Staged) -> str | None:
    """Merges without a lease; why Postgres refused it, if it did. It is done again then, as a run would."""
    with waiting.store.session("lineage_jobs") as connection:
        try:
            merge_on(connection, waiting)
        except (psycopg.Error, SliceRefused) as error:
            merge_on(connection, waiting)
            return f"{type(error).__name__}: {str(error).splitlines()[0]}"
    return None


def merge_on(connection: Connection, waiting: Staged) -> None:
    run: Callable[..., None] = vars(merging)["_run"]
    with connection.transaction():
        connection.execute(statements.named("normalize/merge_settings"))
        for step in merging.merge_steps(keep_replaced_tables(connection)):
            run(connection, step, waiting.schema, [part.part_id for part in waiting.parts])
        judge_schemas(connection)


if __name__ == "__main__":
    main()
