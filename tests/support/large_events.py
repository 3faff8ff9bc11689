"""Events of many megabytes, in the shapes in which producers make them."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from lineage_core.testing import TIME, dataset, facet, named_job, run_event, to_json

MEGABYTE = 1 << 20


def large_event(shape: str, number: int, megabytes: int) -> bytes:
    """One event of about that size; two in turn are START and COMPLETE of one run."""
    return to_json(SHAPES[shape](number, megabytes * MEGABYTE))


def _with_a_plan(number: int, size: int) -> dict[str, Any]:
    """A facet of many small members, as Spark's plans are."""
    chosen = random.Random(number)
    node = {"class": "org.apache.spark.sql.catalyst.plans.logical.Project", "num-children": 1, "nullable": True}
    nodes = [node | {"exprId": chosen.randrange(1 << 40)} for _ in range(size // 125)]
    return _event(number, facets={"spark.logicalPlan": facet(plan=nodes)})


def _with_a_text(number: int, size: int) -> dict[str, Any]:
    """A facet of one text that does not compress well."""
    return _event(number, facets={"debug": facet(text=random.Random(number).randbytes(size // 2).hex())})


def _with_many_columns(number: int, size: int) -> dict[str, Any]:
    fields = [(f"column_{number}_{place}", "VARCHAR(64)", "what it holds " * 3) for place in range(size // 106)]
    return _event(number, outputs=[dataset(f"wide_{number % 3}", fields=fields)])


def _with_many_datasets(number: int, size: int) -> dict[str, Any]:
    fields = [(f"column_{place}", "VARCHAR(64)") for place in range(18)]
    written = [dataset(f"table_{number % 3}_{place}", fields=fields) for place in range(size // 1_150)]
    return _event(number, outputs=written)


SHAPES: dict[str, Callable[[int, int], dict[str, Any]]] = {
    "a plan": _with_a_plan,
    "a text": _with_a_text,
    "many columns": _with_many_columns,
    "many datasets": _with_many_datasets,
}


def _event(number: int, **members: Any) -> dict[str, Any]:
    return run_event(
        ("START", "COMPLETE")[number % 2],
        run_id=f"0190a0a0-0000-7000-8000-{number // 2:012}",
        job=named_job(f"large {number // 2 % 10}"),
        time=TIME + timedelta(minutes=number),
        **members,
    )
