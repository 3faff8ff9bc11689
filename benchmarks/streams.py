"""What streams cost: `python benchmarks/streams.py --events 10000 --shape repeating`.

Three stores take in the same slices, in turns: in one all streams are on, in the second none is, and in the third the
triggers that capture are dropped. Measured are the transactions that merge. Then all that was captured is published.
The measure of that is to read the tables and views as they are, and to write them as plain Parquet by Arrow's defaults.
The records are also written once more from memory, which is the least that writing takes.
"""

from __future__ import annotations

import argparse
import io
import json
import statistics
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import generated_events
import pyarrow as pa
import pyarrow.parquet as pq
import servers
from psycopg import sql
from pyarrow import csv

from lineage_core.declare.streams import DeclaredStream, all_streams
from lineage_core.declare.vocabulary import BYTEA
from lineage_core.local import postgres
from lineage_core.normalize import normalization
from lineage_core.normalize.normalization import normalize
from lineage_core.normalize.store.merging import merging
from lineage_core.operate.whole_store import upgrade
from lineage_core.postgres.store import Store
from lineage_core.streams import columns, reading
from lineage_core.streams.arrow_records import arrow_schema
from lineage_core.streams.publication import publish
from lineage_core.streams.store import switches
from lineage_core.tasks import SerialRunner

UNCAPTURED, OFF, ON = "bench_streams_uncaptured", "bench_streams_off", "bench_streams_on"


class Merges:
    """The seconds of each merge, while it is entered."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    def __enter__(self) -> Merges:
        vars(normalization)["merging"] = self._timed
        return self

    def __exit__(self, *_: object) -> None:
        vars(normalization)["merging"] = merging

    @contextmanager
    def _timed(self, *arguments: Any) -> Iterator[Any]:
        started = time.monotonic()
        with merging(*arguments) as changed:
            yield changed
        self.seconds.append(time.monotonic() - started)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=10_000, help="of each round")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--shape", choices=sorted(generated_events.SHAPES), default="repeating")
    arguments = parser.parse_args()
    with servers.running() as (home, server):
        stores = [Store(server.dsn(database=name)) for name in (UNCAPTURED, OFF, ON)]
        for name, store in zip((UNCAPTURED, OFF, ON), stores, strict=True):
            server.ensure_database(name, postgres.ROLE)
            upgrade(store)
        drop_triggers(stores[0])
        measure(stores, home / "streams", arguments)


def measure(stores: list[Store], root: Path, arguments: argparse.Namespace) -> None:
    """Of each round, merges of the same events into each store, the first of them another one each time."""
    *_, on = stores
    for stream in all_streams():
        switches.start(on, stream.name)
    publish(on, str(root))
    taken: dict[Store, list[float]] = {store: [] for store in stores}
    for number in range(arguments.rounds):
        texts = list(generated_events.documents(arguments.events // 2, number * arguments.events // 2, arguments.shape))
        for store in [*stores[number % 3 :], *stores[: number % 3]]:
            load(store, texts)
            with Merges() as merges:
                normalize(store, SerialRunner(2))
            taken[store].append(sum(merges.seconds))
    uncaptured, without, with_streams = (statistics.median(taken[store]) for store in stores)
    print(f"merge without triggers   {uncaptured:6.2f} s")
    print(f"merge without streams    {without:6.2f} s: {without / uncaptured:.2f} times")
    print(f"merge with all streams   {with_streams:6.2f} s: {with_streams / uncaptured:.2f} times")
    publish_and_write(on, root)


def drop_triggers(store: Store) -> None:
    with store.connect() as connection:
        found = connection.execute(
            "SELECT tgname, tgrelid::regclass::text FROM pg_trigger WHERE tgname LIKE '%\\_capture\\_%'"
        ).fetchall()
        for name, table in found:
            connection.execute(
                sql.SQL("DROP TRIGGER {} ON {}").format(sql.Identifier(str(name)), sql.Identifier(str(table)))
            )


def publish_and_write(store: Store, root: Path) -> None:
    outcome = publish(store, str(root))
    print(f"published {outcome.records:,} records in {outcome.seconds:.1f} s", end="")
    print(f": {outcome.records / outcome.seconds:,.0f} records/s")
    tables = [
        pa.concat_tables([pq.read_table(part.path) for part in described.parts])
        for stream in all_streams()
        if (described := reading.describe(store, str(root), stream.name)).parts
    ]
    started = time.monotonic()
    rows = sum(dumped(store, stream, root) for stream in all_streams())
    seconds = time.monotonic() - started
    print(f"tables as plain Parquet {rows:,} rows in {seconds:.1f} s: {rows / seconds:,.0f} rows/s")
    started = time.monotonic()
    for number, table in enumerate(tables):
        pq.write_table(table, root / f"plain-{number}.parquet")
    seconds = time.monotonic() - started
    print(f"the records from memory in {seconds:.1f} s: {sum(map(len, tables)) / seconds:,.0f} records/s")


def dumped(store: Store, stream: DeclaredStream, root: Path) -> int:
    """The rows of a stream's table or view, in the types of the stream, as one Parquet file. How many they are."""
    names = sql.SQL(", ").join(sql.SQL(columns.travelling(column)) for column in stream.columns)
    query = sql.SQL("COPY (SELECT {} FROM {}) TO STDOUT (FORMAT csv)").format(names, sql.Identifier(stream.name))
    with store.connect() as connection, connection.cursor().copy(query) as copy:
        text = b"".join(bytes(block) for block in copy)
    types = {column.name: arrow_schema(stream).field(column.name).type for column in stream.columns}
    for column in stream.columns:
        if columns.is_time(column.type):
            types[column.name] = pa.int64()
        elif columns.is_list(column.type) or column.type == BYTEA:
            types[column.name] = pa.string()
    read = (
        csv.read_csv(
            io.BytesIO(text),
            csv.ReadOptions(column_names=list(types), block_size=max(len(text), 1) + 1),
            csv.ParseOptions(newlines_in_values=True),
            csv.ConvertOptions(column_types=types, true_values=["t"], false_values=["f"]),
        )
        if text
        else pa.table({})
    )
    pq.write_table(read, root / f"dumped-{stream.name}.parquet")
    return int(read.num_rows)


def load(store: Store, texts: Iterable[bytes]) -> None:
    columns = "COPY lineage_events (event_time, event, created_at) FROM STDIN"
    with store.connect() as connection, connection.cursor().copy(columns) as copy:
        for text in texts:
            copy.write_row((json.loads(text)["eventTime"], text.decode(), "2027-06-01"))


if __name__ == "__main__":
    main()
