"""What streams cost: `python benchmarks/streams.py --events 10000 --shape repeating`.

Two stores take in the same slices, in turns: in one all streams are on, in the other none is. Measured are the
transactions that merge. Then all that was captured is published, and its records are written once more as plain
Parquet, by Arrow's defaults, from memory: that is the measure of publishing.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import generated_events
import pyarrow as pa
import pyarrow.parquet as pq
import servers

from lineage_core.database.store import upgrade
from lineage_core.local import postgres
from lineage_core.model.streams import all_streams
from lineage_core.normalize import run as normalization
from lineage_core.normalize.run import InProcess, normalize
from lineage_core.normalize.store.merging import merging
from lineage_core.postgres.connection import connect
from lineage_core.streams import reading
from lineage_core.streams.run import publish
from lineage_core.streams.store import switches

OFF, ON = "bench_streams_off", "bench_streams_on"


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
    with tempfile.TemporaryDirectory(prefix="lineage-bench-") as folder:
        home = Path(folder)
        home.chmod(0o711)
        server = servers.start(home)
        try:
            for name in (OFF, ON):
                server.ensure_database(name, postgres.ROLE)
                upgrade(server.dsn(database=name))
            off, on = server.dsn(database=OFF), server.dsn(database=ON)
            measure(off, on, home / "streams", arguments)
        finally:
            postgres.stop_server(home)


def measure(off: str, on: str, root: Path, arguments: argparse.Namespace) -> None:
    for stream in all_streams():
        switches.start(on, stream.name)
    publish(on, str(root))
    taken: dict[str, list[float]] = {off: [], on: []}
    for number in range(arguments.rounds):
        texts = list(generated_events.documents(arguments.events // 2, number * arguments.events // 2, arguments.shape))
        for dsn in (off, on) if number % 2 else (on, off):
            load(dsn, texts)
            with Merges() as merges:
                normalize(dsn, InProcess(2))
            taken[dsn].append(sum(merges.seconds))
    without, with_streams = (statistics.median(taken[dsn]) for dsn in (off, on))
    print(f"merge without streams {without:6.2f} s, with all {with_streams:6.2f} s: {with_streams / without:.2f} times")
    publish_and_write(on, root)


def publish_and_write(dsn: str, root: Path) -> None:
    outcome = publish(dsn, str(root))
    print(f"published {outcome.records:,} records in {outcome.seconds:.1f} s", end="")
    print(f": {outcome.records / outcome.seconds:,.0f} records/s")
    tables = [
        pa.concat_tables([pq.read_table(part.path) for part in described.parts])
        for stream in all_streams()
        if (described := reading.describe(dsn, str(root), stream.name)).parts
    ]
    started = time.monotonic()
    for number, table in enumerate(tables):
        pq.write_table(table, root / f"plain-{number}.parquet")
    seconds = time.monotonic() - started
    print(f"the same as plain Parquet in {seconds:.1f} s: {sum(map(len, tables)) / seconds:,.0f} records/s")


def load(dsn: str, texts: Iterable[bytes]) -> None:
    columns = "COPY lineage_events (event_time, event, created_at) FROM STDIN"
    with connect(dsn) as connection, connection.cursor().copy(columns) as copy:
        for text in texts:
            copy.write_row((json.loads(text)["eventTime"], text.decode(), "2027-06-01"))


if __name__ == "__main__":
    main()
