"""Large events: all that the job starts stays within its memory, and so does whoever reads their facets."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from lineage_core.postgres.store import Store
from lineage_core.settings import inherited_environment
from lineage_core.testing import dataset, facet, named_job, run_event, to_json
from tests.support.large_events import MEGABYTE, SHAPES, large_event
from tests.support.resident_memory import Peak, run_measured
from tests.support.stores import rows

pytestmark = [pytest.mark.postgres, pytest.mark.spark]

ALLOWED = 2 << 10
"""MiB for the driver, the JVM and the Python workers together, with events of up to 64 MiB."""

STARTED = 760
"""MiB of the same with nothing to do, shared pages counted in each process."""

READ_FACETS = """
import sys
from pathlib import Path
from uuid import UUID
from lineage_core import reading
from lineage_core.postgres.store import Store
def peak():
    (line,) = (line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM:"))
    return int(line.split()[1]) >> 10
before = peak()
facets = getattr(reading, sys.argv[2])(Store(sys.argv[1]), UUID(sys.argv[3]))
sizes = [len(facet.facet) for facet in facets]
print(len(sizes), sum(sizes) >> 20, peak() - before)
"""
"""Prints how many facets were read, their MiB, and by how many MiB the memory rose. `ru_maxrss` would begin
with the peak of the process that started this one."""


def put(store: Store, documents: Iterable[bytes], run: str | None = None) -> None:
    """As another writer would: one document in memory at a time."""
    query = "COPY lineage_events (event_time, event, run_uuid, created_at) FROM STDIN"
    with store.connect() as connection, connection.cursor().copy(query) as copy:
        for document in documents:
            copy.write_row(("2026-01-01Z", document.decode(), run, "2026-06-01Z"))


def normalize(store: Store, events: int) -> Peak:
    command = [str(Path(sys.executable).with_name("lineage")), "normalize", "--json"]
    peak, output = run_measured(command, inherited_environment() | {"LINEAGE_DSN": store.dsn})
    outcome = json.loads(output.splitlines()[-1])
    assert (outcome["events"], outcome["quarantined"]) == (events, 0)
    largest = ", ".join(f"{kind} {size:.0f}" for kind, size in peak.of_kind.items())
    sys.stdout.write(f"\n{peak.together:.0f} MiB together at most; the largest of each kind: {largest}\n")
    return peak


@pytest.mark.long
@pytest.mark.parametrize("shape", SHAPES)
def test_64_events_of_12_mb_and_one_of_64(database: Store, shape: str) -> None:
    sizes = [*[12] * 40, 64, *[12] * 24]
    put(database, (large_event(shape, number, megabytes) for number, megabytes in enumerate(sizes)))
    assert normalize(database, len(sizes)).together < ALLOWED


@pytest.mark.slow
def test_a_few_large_events_take_little_more_than_none(database: Store) -> None:
    put(database, (large_event("a text", number, 12) for number in range(4)))
    assert normalize(database, 4).together < STARTED + 2 * 150


def read_measured(store: Store, function: str, uuid: object) -> list[int]:
    command = [sys.executable, "-c", READ_FACETS, store.dsn, function, str(uuid)]
    _, output = run_measured(command, inherited_environment())
    return [int(word) for word in output.split()]


OWNERS: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "facets_of_run": ("SELECT uuid FROM runs", lambda facets: run_event("COMPLETE", facets=facets)),
    "facets_of_job_version": (
        "SELECT uuid FROM job_versions",
        lambda facets: run_event("COMPLETE", job=named_job(facets=facets)),
    ),
    "facets_of_dataset_version": (
        "SELECT uuid FROM dataset_versions",
        lambda facets: run_event("COMPLETE", outputs=[dataset(facets=facets)]),
    ),
}
"""Where facets may stand: the query for the one uuid of whom they describe, and an event that has them."""


@pytest.mark.slow
@pytest.mark.parametrize(
    "function", [name if name == "facets_of_run" else pytest.param(name, marks=pytest.mark.long) for name in OWNERS]
)
def test_facets_are_read_one_at_a_time(database: Store, function: str) -> None:
    query, event = OWNERS[function]
    large = {f"debug {number}": facet(text=noise(number, 3)) for number in range(8)}
    put(database, [to_json(event(large))])
    normalize(database, 1)
    ((uuid,),) = rows(database, query)
    facets, megabytes, risen = read_measured(database, function, uuid)
    assert (facets, megabytes) == (8, 24)
    assert risen < 18


@pytest.mark.long
@pytest.mark.parametrize("megabytes", [12, 64])
@pytest.mark.parametrize("function", OWNERS)
def test_facets_of_large_events_are_read_before_and_after(database: Store, function: str, megabytes: int) -> None:
    """A stored facet takes itself and its pieces, a raw event also its rows; not more, however many there are."""
    query, event = OWNERS[function]
    run = "0190a0a0-0000-7000-8000-000000000001"
    put(database, [to_json(event({}))], run)
    normalize(database, 1)
    ((uuid,),) = rows(database, query)
    put(database, (to_json(event({"debug": facet(text=noise(number, megabytes))})) for number in range(3)), run)
    raw = read_measured(database, function, uuid)
    normalize(database, 3)
    stored = read_measured(database, function, uuid)
    sys.stdout.write(f"\n{function}, {megabytes} MB: {raw[2]} MiB raw, {stored[2]} MiB stored\n")
    assert raw[:2] == stored[:2] == [3, 3 * megabytes]
    assert raw[2] < 5 * megabytes + 10
    assert stored[2] < 3 * megabytes + 10


def noise(number: int, megabytes: int) -> str:
    """A text that does not compress well."""
    return random.Random(number).randbytes(megabytes * MEGABYTE // 2).hex()
