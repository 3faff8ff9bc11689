"""Bytes of an event by where it is kept: `python benchmarks/kept_bytes.py --events 2000 --shape repeating`.

A store with all streams on takes the events in, in five slices. Measured are its tables with their indexes, what is
published of its streams, and the archive of its raw events.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import generated_events
import servers

from lineage_core.declare.streams import all_streams
from lineage_core.local import postgres
from lineage_core.normalize.normalization import normalize
from lineage_core.operate.whole_store import upgrade
from lineage_core.postgres.store import Store
from lineage_core.retention.archiving import archive_expired
from lineage_core.retention.policies import Cutoff
from lineage_core.retention.store.raw_events import raw_event_namespaces
from lineage_core.retention.tables import PolicyKind
from lineage_core.streams.publication import publish
from lineage_core.streams.store import switches
from lineage_core.tasks import SerialRunner

SLICES = 5
SIZES = """
SELECT
    coalesce(sum(pg_total_relation_size(oid)) FILTER (WHERE is_raw), 0)::bigint AS raw,
    coalesce(sum(pg_total_relation_size(oid)) FILTER (WHERE NOT is_raw), 0)::bigint AS others
FROM (
    SELECT oid, relname LIKE 'lineage\\_events%' AS is_raw
    FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'm')
) AS tables
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=2_000)
    parser.add_argument("--shape", choices=sorted(generated_events.SHAPES), default="repeating")
    arguments = parser.parse_args()
    with servers.running() as (home, server):
        server.ensure_database("bench_kept_bytes", postgres.ROLE)
        store = Store(server.dsn(database="bench_kept_bytes"))
        upgrade(store)
        measure(store, home, arguments)


def measure(store: Store, home: Path, arguments: argparse.Namespace) -> None:
    for stream in all_streams():
        switches.start(store, stream.name)
    publish(store, str(home / "streams"))
    before = sizes(store)
    texts = events = 0
    runs = arguments.events // 2 // SLICES
    for number in range(SLICES):
        documents = list(generated_events.documents(runs, number * runs, arguments.shape))
        load(store, documents)
        normalize(store, SerialRunner(1))
        texts += sum(map(len, documents))
        events += len(documents)
    with store.connect(autocommit=True) as connection:
        connection.execute("VACUUM ANALYZE")
    after = sizes(store)
    publish(store, str(home / "streams"))
    with store.connect() as connection:
        namespaces = raw_event_namespaces(connection)
    now = datetime.now(UTC)
    cutoffs = [Cutoff(PolicyKind.RAW_EVENTS, name, now + timedelta(days=3_650), 0) for name in namespaces]
    archived = archive_expired(store, str(home / "archive"), cutoffs, now)
    print(f"{events:,} events, {archived.rows:,} archived; bytes an event:")
    print(f"text                         {texts / events:10,.0f}")
    print(f"lineage_events               {(after[0] - before[0]) / events:10,.0f}")
    print(f"other tables                 {(after[1] - before[1]) / events:10,.0f}")
    print(f"streams, all, as published   {bytes_below(home / 'streams') / events:10,.0f}")
    print(f"event archive                {bytes_below(home / 'archive') / archived.rows:10,.0f}")


def load(store: Store, documents: Iterable[bytes]) -> None:
    columns = "COPY lineage_events (event_time, event) FROM STDIN"
    with store.connect() as connection, connection.cursor().copy(columns) as copy:
        for text in documents:
            copy.write_row((json.loads(text)["eventTime"], text.decode()))


def sizes(store: Store) -> tuple[int, int]:
    """Of raw events and of all other tables, with their indexes."""
    with store.connect() as connection:
        found = connection.execute(SIZES).fetchone()
    assert found is not None
    return int(found[0]), int(found[1])


def bytes_below(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


if __name__ == "__main__":
    main()
