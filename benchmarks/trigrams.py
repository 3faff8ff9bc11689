"""What trigrams of names save a search, and cost who writes names: on a server of its own that has pg_trgm.

    .venv/bin/python benchmarks/trigrams.py --postgres 15

Both are done in turns on one store of 100,000 datasets: with the indexes, and without them, as if the database had no
pg_trgm. Milliseconds of CPU of the server's process, as Linux counts them, the least and the median.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Callable
from functools import partial
from unittest import mock

import servers
from cpu import process_seconds

from lineage_core.answers.graph.model import NodeKind
from lineage_core.answers.search import search as searching
from lineage_core.local import postgres
from lineage_core.operate.whole_store import upgrade
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store
from lineage_core.postgres.trigrams import INDEXES, make_missing
from lineage_core.reading.store import snapshot

NAMES = """
INSERT INTO namespaces (uuid, created_at, updated_at, name) VALUES (md5('namespace')::uuid, now(), now(), 'bench')
ON CONFLICT DO NOTHING;
CREATE TEMP TABLE named AS
SELECT
    md5('{start} ' || d)::uuid AS uuid,
    (ARRAY['public', 'staging', 'analytics', 'finance'])[1 + d % 4] || '.'
    || (ARRAY['daily', 'weekly', 'raw', 'clean', 'dim', 'fact', 'tmp'])[1 + d % 7] || '_'
    || (ARRAY['orders', 'customers', 'payments', 'sessions', 'stock', 'returns', 'emails', 'prices'])[1 + d % 8]
    || '_' || substr(md5('{start} ' || d), 1, 8) AS name
FROM generate_series(1, {number}) AS d;
INSERT INTO datasets (uuid, type, created_at, updated_at, namespace_uuid, name, physical_name, namespace_name)
SELECT uuid, 'DB_TABLE', now(), now(), md5('namespace')::uuid, name, name, 'bench' FROM named;
"""
SYMLINKS = """
INSERT INTO dataset_symlinks (dataset_uuid, name, namespace_uuid, is_primary, created_at, updated_at, name_uuid)
SELECT uuid, name, md5('namespace')::uuid, true, now(), now(), uuid FROM named;
"""
TEXTS = {
    "what 1,800 names have": "clean_orders_",
    "a name": "_00ab",
    "what 14,000 names have": "daily_",
    "what none has": "zebra",
    "two letters": "zz",
    "misspelled": "custmers_of",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--postgres", type=int, default=15)
    parser.add_argument("--names", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=20)
    given = parser.parse_args()
    with servers.running(given.postgres) as (_, server):
        server.ensure_database("trigrams", postgres.ROLE)
        measure(Store(server.dsn(database="trigrams")), given.names, given.rounds)


def measure(store: Store, names: int, rounds: int) -> None:
    upgrade(store)
    with store.connect(autocommit=True) as connection:
        connection.execute((NAMES + SYMLINKS).format(start="first", number=names).encode())
        connection.execute("DROP TABLE named; CREATE EXTENSION pg_trgm")
        connection.execute("VACUUM ANALYZE")
        make_missing(store)
        size = connection.execute(
            "SELECT pg_size_pretty(pg_relation_size('dataset_symlinks_trigram_index'))"
        ).fetchone()
    print(f"the index of names: {size}")
    with snapshot(store) as connection:
        for text, sought in TEXTS.items():
            works = (partial(cpu_of_search, connection, sought, by_trigrams=which) for which in (True, False))
            with_them, without = in_turns(rounds, *works)
            print(f"{text}: with {described(with_them)}, without {described(without)}")
    writing = (partial(cpu_of_writing, store, has_indexes=which) for which in (True, False))
    with_them, without = in_turns(rounds, *writing)
    print(f"1,000 names written: with {described(with_them)}, without {described(without)}")


def cpu_of_search(connection: Connection, text: str, *, by_trigrams: bool) -> float:
    with mock.patch.object(searching, "has_indexes", lambda _: by_trigrams):
        return cpu_of(
            connection, partial(searching.search_in, connection, text, kinds=[NodeKind.DATASET, NodeKind.JOB])
        )


def cpu_of_writing(store: Store, *, has_indexes: bool) -> float:
    """Rolled back, but for what the index keeps of it until its next cleaning."""
    with store.connect() as connection:
        if not has_indexes:
            connection.execute("; ".join(f"DROP INDEX {name}" for name in INDEXES).encode())
        connection.execute(NAMES.format(start="more", number=1_000).encode())
        taken = cpu_of(connection, lambda: connection.execute(SYMLINKS.encode()))
        connection.rollback()
    return taken


def cpu_of(connection: Connection, work: Callable[[], object]) -> float:
    """Milliseconds."""
    before = process_seconds(connection.info.backend_pid)
    work()
    return (process_seconds(connection.info.backend_pid) - before) * 1000


def in_turns(rounds: int, *works: Callable[[], float]) -> list[list[float]]:
    """Behind a round that does not count."""
    rows = [[work() for work in works] for _ in range(rounds + 1)][1:]
    return [list(column) for column in zip(*rows, strict=True)]


def described(taken: list[float]) -> str:
    return f"{min(taken):.1f}, {statistics.median(taken):.1f} ms"


if __name__ == "__main__":
    main()
