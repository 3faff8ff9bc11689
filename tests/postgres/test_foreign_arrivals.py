"""Events that bear an arrival number of elsewhere: none stops a run, and none is missed by one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from lineage_core.ingest.store import ensure_event_partitions
from lineage_core.normalize.normalization import NormalizationOutcome, normalize
from lineage_core.operate.whole_store import differences
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store
from lineage_core.tasks import SerialRunner
from lineage_core.testing import run_event
from tests.support.stores import put, rows

pytestmark = [pytest.mark.postgres, pytest.mark.both_servers, pytest.mark.slow]

MONTH = "lineage_events_2026_01"
ATTACH = (
    f"ALTER TABLE lineage_events_arrived ATTACH PARTITION {MONTH} FOR VALUES FROM ('2026-01-01Z') TO ('2026-02-01Z')"
)
FAR_AHEAD = 1 << 62
NUMBERS = {"far ahead": FAR_AHEAD, "long past": 3, "below all": -5, "highest": (1 << 63) - 1, "lowest": -(1 << 63)}
LOAD = f"INSERT INTO {MONTH} (event_time, event, arrived_xid, arrival_seq) VALUES ('2026-01-01Z', %s::jsonb, %s, 1)"


@pytest.fixture
def owner(database: Store) -> Iterator[Connection]:
    """A connection of the owner, to a store that has normalized an event of January 2026, in a partition of its own."""
    with database.connect(autocommit=True) as connection:
        connection.execute(
            "SELECT create_event_partition('2026-01-01Z', false), attach_event_partition('2026-01-01Z', false)"
        )
        put(database, [_event(0)])
        assert _normalized(database) == (1, 0)
        yield connection


def _event(number: int) -> Any:
    return run_event(run_id=f"run {number}")


def _normalized(store: Store) -> tuple[int, int]:
    outcome = normalize(store, SerialRunner())
    return outcome.events, outcome.renumbered


def _runs(store: Store) -> set[str]:
    return {name for (name,) in rows(store, "SELECT external_id FROM runs")}


def _load(connection: Connection, number: int, xid: int) -> None:
    connection.execute(LOAD, [json.dumps(_event(number)), xid])


@pytest.mark.parametrize("xid", NUMBERS.values(), ids=NUMBERS)
def test_an_event_loaded_into_a_partition_while_it_is_detached_is_read(
    database: Store, owner: Connection, xid: int
) -> None:
    owner.execute(f"ALTER TABLE lineage_events_arrived DETACH PARTITION {MONTH}".encode())
    _load(owner, 1, xid)
    owner.execute(ATTACH.encode())
    put(database, [_event(2)])
    assert _normalized(database) == (2, 1)
    assert _runs(database) == {"run 0", "run 1", "run 2"}
    assert _normalized(database) == (0, 0)


@pytest.mark.parametrize("xid", NUMBERS.values(), ids=NUMBERS)
def test_an_event_loaded_while_the_triggers_are_off_is_read_and_they_are_on_again(
    database: Store, owner: Connection, xid: int
) -> None:
    """As `pg_restore --data-only --disable-triggers` loads."""
    owner.execute(f"ALTER TABLE {MONTH} DISABLE TRIGGER USER".encode())
    _load(owner, 1, xid)
    owner.execute(f"ALTER TABLE {MONTH} ENABLE TRIGGER USER".encode())
    assert _normalized(database) == (1, 1)
    assert _runs(database) == {"run 0", "run 1"}
    _load(owner, 2, xid)
    assert _normalized(database) == (1, 0)


def test_triggers_that_are_off_are_reported_as_a_difference_and_turned_on_by_the_next_run(
    database: Store, owner: Connection
) -> None:
    owner.execute("ALTER TABLE lineage_events DISABLE TRIGGER USER")
    assert len(differences(database)) == 2
    assert all(", disabled; declared is" in difference for difference in differences(database))
    _normalized(database)
    assert differences(database) == []


def test_an_event_that_waited_in_a_partition_which_was_away_during_a_run_is_read(
    database: Store, owner: Connection
) -> None:
    put(database, [_event(1)])
    owner.execute(f"ALTER TABLE lineage_events_arrived DETACH PARTITION {MONTH}".encode())
    put(database, [run_event(run_id="run 2", time="2025-01-01T00:00:00Z")])
    assert _normalized(database) == (1, 0)
    owner.execute(ATTACH.encode())
    assert _normalized(database) == (1, 1)
    assert _runs(database) == {"run 0", "run 1", "run 2"}


def test_an_event_that_the_cursor_of_an_interrupted_run_has_passed_is_read(
    database: Store, owner: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(database, [_event(1)])
    owner.execute(f"ALTER TABLE lineage_events_arrived DETACH PARTITION {MONTH}".encode())
    late = [run_event(run_id=f"late {number}", time="2025-01-01T00:00:00Z") for number in range(2)]
    put(database, late)

    def stop(_slice: object, _outcome: NormalizationOutcome) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        normalize(database, SerialRunner(), slice_bytes=1, progress=stop)
    owner.execute(ATTACH.encode())
    assert _normalized(database) == (2, 1)
    assert _runs(database) == {"run 0", "run 1", "late 0", "late 1"}


def test_a_partition_that_is_made_or_attached_again_brings_nothing_anew_if_all_of_it_is_done(
    database: Store, owner: Connection
) -> None:
    bad = run_event(time="2026-01-01T00:00:00Z") | {"job": {}}
    put(database, [bad, *(run_event(run_id=f"run {n}", time="2024-01-01T00:00:00Z") for n in range(3))])
    assert normalize(database, SerialRunner()).quarantined == 1
    owner.execute("SELECT create_event_partition('2024-01-01Z', false), attach_event_partition('2024-01-01Z', false)")
    owner.execute(f"ALTER TABLE lineage_events_arrived DETACH PARTITION {MONTH}".encode())
    owner.execute(ATTACH.encode())
    assert normalize(database, SerialRunner()) == NormalizationOutcome()


def test_a_partition_has_the_triggers_of_the_table_however_it_was_made(database: Store, owner: Connection) -> None:
    ensure_event_partitions(database, 5)
    owner.execute(f"ALTER TABLE lineage_events_arrived DETACH PARTITION {MONTH}".encode())
    owner.execute(ATTACH.encode())
    state = "SELECT DISTINCT tgname, tgenabled FROM pg_trigger WHERE tgname ^@ 'lineage_events' ORDER BY 1"
    assert rows(database, state) == [("lineage_events_1_check", "A"), ("lineage_events_2_describe", "A")]
    tables = rows(
        database,
        "SELECT count(*), (SELECT count(*) FROM pg_trigger WHERE tgname ^@ 'lineage_events') / 2 FROM"
        " pg_partition_tree('lineage_events')",
    )
    assert tables[0][0] == tables[0][1] > 8
