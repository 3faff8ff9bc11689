"""Large events: all that the job starts stays within its memory, and so does whoever reads their facets."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from lineage_core.settings import inherited_environment
from lineage_core.store.connection import connect
from support.large_events import SHAPES, large_event
from support.resident_memory import Peak, run_measured
from support.stores import rows

pytestmark = [pytest.mark.postgres, pytest.mark.spark]

ALLOWED = 2 << 10
"""MiB for the driver, the JVM and the Python workers together, with events of up to 64 MiB."""

STARTED = 760
"""MiB of the same with nothing to do, shared pages counted in each process."""

READ_FACETS = """
import resource, sys
from uuid import UUID
from lineage_core.store.connection import connect
from lineage_core.store.facet_reads import FacetsOf, read_facets
def peak(): return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
with connect(sys.argv[1]) as connection:
    before = peak()
    sizes = [len(facet) for _, facet in read_facets(connection, FacetsOf.RUN, UUID(sys.argv[2]))]
print(len(sizes), sum(sizes) >> 20, peak() - before)
"""


def put(dsn: str, documents: Iterable[bytes]) -> None:
    """As another writer would: one document in memory at a time."""
    query = "COPY lineage_events (event_time, event, created_at) FROM STDIN"
    with connect(dsn) as connection, connection.cursor().copy(query) as copy:
        for document in documents:
            copy.write_row(("2026-01-01Z", document.decode(), "2026-06-01Z"))


def normalize(dsn: str, events: int) -> Peak:
    command = [str(Path(sys.executable).with_name("lineage")), "normalize", "--json"]
    peak, output = run_measured(command, inherited_environment() | {"LINEAGE_DSN": dsn})
    outcome = json.loads(output.splitlines()[-1])
    assert (outcome["events"], outcome["quarantined"]) == (events, 0)
    largest = ", ".join(f"{kind} {size:.0f}" for kind, size in peak.of_kind.items())
    sys.stdout.write(f"\n{peak.together:.0f} MiB together at most; the largest of each kind: {largest}\n")
    return peak


@pytest.mark.long
@pytest.mark.parametrize("shape", SHAPES)
def test_64_events_of_12_mb_and_one_of_64(database: str, shape: str) -> None:
    sizes = [*[12] * 40, 64, *[12] * 24]
    put(database, (large_event(shape, number, megabytes) for number, megabytes in enumerate(sizes)))
    assert normalize(database, len(sizes)).together < ALLOWED


def test_a_few_large_events_take_little_more_than_none(database: str) -> None:
    put(database, (large_event("a text", number, 12) for number in range(4)))
    assert normalize(database, 4).together < STARTED + 2 * 150


def test_the_facets_of_a_large_run_are_read_one_at_a_time(database: str) -> None:
    put(database, (named_facet(number) for number in range(8)))
    normalize(database, 8)
    ((run,),) = rows(database, "SELECT uuid FROM runs")
    _, output = run_measured([sys.executable, "-c", READ_FACETS, database, str(run)], inherited_environment())
    facets, megabytes, risen = map(int, output.split())
    assert (facets, megabytes) == (8, 24)
    assert risen < 18


def named_facet(number: int) -> bytes:
    """An event of one run, with a facet of 3 MB under a name of its own."""
    return large_event("a text", 0, 3).replace(b'"debug"', b'"debug %d"' % number)
