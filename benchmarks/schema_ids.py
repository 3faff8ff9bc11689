"""What parts of many schema ids cost a reader: `python benchmarks/schema_ids.py --parts 1000 --ids 40 --rows 1000`.

The same rows are written as parts of one schema, and as parts of many ids, each of which adds a column and deletes
another. Both are read in the same latest schema, by turns. Aimed at: at most 1.3 times as long. Each round reads all
files, which are in the page cache after the first one. With `--spark` a DataFrame of all parts is counted and summed.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from lineage_core.changelog import numbered, write_part
from lineage_core.changelog.schemas import StreamSchemas
from lineage_core.files import FileFolder
from lineage_core.streams.parts import published_tables, stream_folder
from lineage_core.streams.published_versions import PublishedVersion
from lineage_core.streams.store.heads import PublishedPart

NOW = datetime(2026, 1, 1, tzinfo=UTC)
KEPT = ("id", "name", "owner", "bytes")
MANY, ONE = "many", "one"


def schema(number: int, ids: int) -> pa.Schema:
    """Four columns stay; of as many others as there are ids, one comes and one goes with each."""
    others = [pa.field(f"old_{place}", pa.string()) for place in range(number, ids)]
    new = [pa.field(f"new_{place}", pa.string()) for place in range(number)]
    types = (pa.int64(), pa.string(), pa.string(), pa.int64())
    return pa.schema([*(pa.field(name, type_) for name, type_ in zip(KEPT, types, strict=True)), *others, *new])


def evolved(stream: str, schemas: list[pa.Schema]) -> StreamSchemas:
    found = StreamSchemas(stream)
    for one in schemas:
        evolution = found.evolved(found.latest_id, one)
        if evolution.refusal is not None:
            raise evolution.refusal
        found = evolution.schemas
    return found


def records(one: pa.Schema, first: int, rows: int) -> pa.Table:
    places = range(first, first + rows)
    kept = {
        "id": pa.array(places, pa.int64()),
        "name": pa.array([f"dataset_{place}" for place in places]),
        "owner": pa.array([f"team_{place % 97}" for place in places]),
        "bytes": pa.array([3 * place for place in places], pa.int64()),
    }
    rest = {name: pa.array([f"{name}_{place % 7}" for place in places]) for name in one.names if name not in kept}
    table = pa.Table.from_pydict({**kept, **rest}, schema=one)
    return numbered(table.append_column("op", pa.array([0] * rows, pa.uint8())), first, NOW)


def written(root: FileFolder, schemas: StreamSchemas, parts: int, rows: int) -> PublishedVersion:
    """Parts in which each schema follows the one before, as a stream evolves."""
    listed = []
    for number in range(parts):
        schema_id = number * len(schemas.types) // parts
        made = records(schemas.schema(schema_id), number * rows, rows)
        part = write_part(stream_folder(root, schemas.stream), schemas.stream, schema_id, made)
        path = f"{schemas.stream}/history/{part.name}"
        hashes = part.physical_hash, part.logical_hash
        listed.append(PublishedPart(part.start_offset, part.end_offset, schema_id, path, part.bytes, *hashes, []))
    return PublishedVersion(None, listed, schemas)


def read(root: FileFolder, version: PublishedVersion) -> tuple[int, int]:
    """Rows, and the sum of a column: the same of both."""
    found, total = 0, 0
    stream = version.schemas.stream
    for table in published_tables(stream, root, version.parts, version.schemas.to_latest()):
        found += len(table)
        total += pc.sum(table.column("bytes")).as_py()
    return found, total


@contextmanager
def reader(root: FileFolder, on_spark: bool) -> Iterator[Callable[[PublishedVersion], tuple[int, int]]]:
    if not on_spark:
        yield lambda version: read(root, version)
        return
    from lineage_core.spark.changelog_frame import stream_frame
    from lineage_core.spark.session import spark_session
    from lineage_core.streams.files_to_read import files_of_version

    with spark_session("schema_ids", "local[2]") as session:

        def sums(version: PublishedVersion) -> tuple[int, int]:
            frame = stream_frame(session, files_of_version(version, root.url)).records
            row: Any = frame.selectExpr("count(*) AS rows", "sum(bytes) AS total").collect()[0]
            return row.rows, row.total

        yield sums


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--parts", type=int, default=1_000)
    parser.add_argument("--ids", type=int, default=40)
    parser.add_argument("--rows", type=int, default=1_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--spark", action="store_true")
    arguments = parser.parse_args()
    schemas = [schema(number, arguments.ids) for number in range(arguments.ids)]
    with tempfile.TemporaryDirectory() as folder:
        root = FileFolder(folder)
        versions = {
            ONE: written(root, evolved(ONE, schemas[-1:]), arguments.parts, arguments.rows),
            MANY: written(root, evolved(MANY, schemas), arguments.parts, arguments.rows),
        }
        with reader(root, arguments.spark) as work:
            if work(versions[ONE]) != work(versions[MANY]):
                raise SystemExit("The two say different things")
            seconds = measured(work, versions, arguments.rounds)
    print(f"{arguments.parts} parts of {arguments.rows} rows; seconds: median and range of {arguments.rounds} rounds")
    for name, ids in ((ONE, 1), (MANY, arguments.ids)):
        took = seconds[name]
        print(f"{ids:4} ids  {statistics.median(took):.3f}  {min(took):.3f} - {max(took):.3f}")
    print(f"ratio of the medians: {statistics.median(seconds[MANY]) / statistics.median(seconds[ONE]):.2f}")


def measured(
    work: Callable[[PublishedVersion], Any], versions: dict[str, PublishedVersion], rounds: int
) -> dict[str, list[float]]:
    seconds: dict[str, list[float]] = {name: [] for name in versions}
    for _ in range(rounds):
        for name, version in versions.items():
            started = time.perf_counter()
            work(version)
            seconds[name].append(time.perf_counter() - started)
    return seconds


if __name__ == "__main__":
    main()
