"""A run that has ended leaves nothing in staging."""

from __future__ import annotations

import pytest
from psycopg import sql

from lineage_core.errors import LeaseLost
from lineage_core.model.database_schemas import STAGING_SCHEMAS
from lineage_core.normalize.normalization import NormalizationOutcome, normalize
from lineage_core.normalize.slices import Slice
from lineage_core.normalize.store.event_choices import EventsByTime, interval
from lineage_core.openlineage.instants import microseconds
from lineage_core.postgres.store import Store
from lineage_core.tasks import SerialRunner
from lineage_core.testing import TIME, dataset, facet, run_event
from tests.support.stores import put, rows

pytestmark = pytest.mark.postgres

EVENTS = [
    run_event(
        run_id=f"run {number}",
        time=TIME.replace(minute=number % 60),
        outputs=[dataset(f"table {number}", fields=[("id", "INT")])],
        facets={"own": facet(text="x" * 500)},
    )
    for number in range(300)
]
WHOLE_DAY = interval(microseconds(TIME.replace(hour=0)), microseconds(TIME.replace(hour=23)))


def staged(store: Store) -> tuple[int, int]:
    """How many parts staging has, and how many bytes of rows, those that are deleted among them."""
    size = (
        "SELECT coalesce(sum(pg_table_size(oid)), 0) FROM pg_class"
        " WHERE relkind = 'r' AND relnamespace = ANY (%s::regnamespace[])"
    )
    ((parts,),) = rows(store, "SELECT count(*) FROM staged_parts")
    ((bytes_,),) = rows(store, size, [list(STAGING_SCHEMAS)])
    return parts, int(bytes_)


@pytest.mark.parametrize("chosen", [None, WHOLE_DAY], ids=["by arrival", "by event time"])
def test_staging_is_as_small_as_before_it(chosen: EventsByTime | None, database: Store) -> None:
    before = staged(database)
    put(database, EVENTS)
    held: list[int] = []

    def note(_slice: Slice, _outcome: NormalizationOutcome) -> None:
        held.append(staged(database)[1])

    assert normalize(database, SerialRunner(2), interval=chosen, slice_bytes=50_000, progress=note).slices > 2
    assert max(held) > before[1] + 50_000
    assert staged(database) == before


def test_what_a_run_left_that_was_interrupted_goes_too_though_nothing_waits(database: Store) -> None:
    before = staged(database)
    put(database, EVENTS[:3])
    normalize(database, SerialRunner())
    with database.connect() as connection:
        connection.execute(
            "INSERT INTO staged_parts (part_id, epoch, slice, partition, rows) VALUES (1, 1, 2, 0, '{}')"
        )
        connection.execute(sql.SQL("INSERT INTO {} (part_id) VALUES (1)").format(sql.Identifier("staging_2", "runs")))
    assert normalize(database, SerialRunner()).slices == 0
    assert staged(database) == before


def test_a_run_that_lost_its_lease_removes_nothing(database: Store) -> None:
    put(database, EVENTS[:3])

    def lose(_slice: Slice, _outcome: NormalizationOutcome) -> None:
        with database.connect() as connection:
            connection.execute("UPDATE leases SET epoch = epoch + 1")

    with pytest.raises(LeaseLost):
        normalize(database, SerialRunner(), progress=lose)
    assert staged(database)[0] == 1
