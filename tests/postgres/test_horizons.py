"""What lies behind a horizon, as the merge and readers judge it, by whichever name."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest

from lineage_core.normalize.store.event_choices import Horizons
from lineage_core.openlineage.parsing import parse
from lineage_core.postgres.store import Store
from lineage_core.retention.store.policies import HeldThing, add_hold
from lineage_core.testing import TIME, Document, dataset, dataset_event, job_event, named_job, run_event, to_json

HOUR = timedelta(hours=1)
NAMESPACES = ("shop", "Shop", "a shop/é", "a_shop/_", "postgres://h:5432", "x\ny", "~", "_")
HOLDS = (
    (),
    (HeldThing("*", events_since=TIME - HOUR, events_until=TIME),),
    (HeldThing("*", events_since=TIME - HOUR),),
    (HeldThing("*"), HeldThing("shop", events_since=TIME - 2 * HOUR)),
)


def events() -> Iterator[Document]:
    for namespace in NAMESPACES:
        for hours in (-2, -1, 0, 1):
            time = TIME + hours * HOUR
            yield run_event(job=named_job("load", namespace), time=time)
            yield job_event(named_job("load", namespace), time=time)
            yield dataset_event(dataset("orders", namespace), time=time)


@pytest.mark.postgres
@pytest.mark.parametrize("held", HOLDS, ids=["nothing", "an hour", "since an hour", "not about all of a time"])
def test_both_judge_alike(database: Store, held: tuple[HeldThing, ...]) -> None:
    for hold in held:
        add_hold(database, hold, "restored", None)
    judged = list(events())
    with database.connect() as connection:
        for kind, namespace in (
            ("runs", "shop"),
            ("runs", "a_shop/_"),
            ("versions", "postgres://h:5432"),
            ("runs", "_"),
        ):
            connection.execute("INSERT INTO retention_horizons VALUES (%s, %s, %s)", [kind, namespace, TIME])
        parsed = [parse(to_json(event), is_ahead=False) for event in judged]
        expired = Horizons(connection).expired(list(zip(map(to_json, judged), parsed, strict=True)))
        behind = [
            connection.execute(
                "SELECT is_behind_horizon(%s, %s)",
                [to_json(event).decode(), datetime.fromisoformat(event["eventTime"])],
            ).fetchall()[0][0]
            for event in judged
        ]
    assert [one.identity in expired for one in parsed] == behind
    assert any(behind)
    assert not all(behind)
