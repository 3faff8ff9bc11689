"""A shop's pipeline of five days: a job that reads one dataset more from the fourth day on, a schema change against the
rules on that day, and a run that fails on the last."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid5

from lineage_core.testing import TIME, dataset, facet, named_job, run_event

WAREHOUSE = "postgres://warehouse:5432"
FIRST_DAY = TIME.replace(hour=3, minute=0, second=0, microsecond=0) - timedelta(days=10)
DAYS = 5
CHANGED_ON = 3
FAILED = UUID("0190a0a0-0000-7000-8000-00000000dead")

_STEPS = {
    "load_orders": (["raw_orders"], "orders"),
    "join_orders": (["orders", "customers"], "order_lines"),
    "leaderboard": (["order_lines"], "leaders"),
    "daily_report": (["leaders"], "report"),
}
_RUNS = UUID("0190a0a0-0000-7000-8000-000000000000")


def shop_events() -> list[Any]:
    return list(_events())


def moment(day: int) -> datetime:
    """Midnight before that day's runs."""
    return FIRST_DAY.replace(hour=0) + timedelta(days=day)


def _events() -> Iterator[Any]:
    for day in range(DAYS):
        for place, (name, (reads, writes)) in enumerate(_STEPS.items()):
            began = FIRST_DAY + timedelta(days=day, minutes=20 * place)
            inputs = reads + (["discounts"] if name == "join_orders" and day >= CHANGED_ON else [])
            failed = (name, day) == ("leaderboard", DAYS - 1)
            run = FAILED if failed else uuid5(_RUNS, f"{name} {day}")
            described: dict[str, Any] = {
                "run_id": str(run),
                "job": named_job(name),
                "inputs": [dataset(one, WAREHOUSE) for one in inputs],
            }
            yield run_event("START", time=began, **described)
            if failed:
                error = {"errorMessage": facet(message="ValueError: no number: '12,50'", programmingLanguage="python")}
                yield run_event("FAIL", time=began + timedelta(minutes=2), facets=error, **described)
            else:
                made = dataset(writes, WAREHOUSE, fields=_fields(writes, day))
                yield run_event("COMPLETE", time=began + timedelta(minutes=1 + day), outputs=[made], **described)


def _fields(name: str, day: int) -> list[tuple[str, str]]:
    amount = "DOUBLE" if day < CHANGED_ON or name != "order_lines" else "VARCHAR"
    return [("id", "INTEGER"), ("amount", amount)]
