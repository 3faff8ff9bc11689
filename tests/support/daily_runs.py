"""A job that runs once a day: what tests of retention delete."""

from __future__ import annotations

from datetime import timedelta

from lineage_core.testing import TIME, Document, dataset, facet, named_job, run_event


def run_id(number: int) -> str:
    return f"0190a0a0-0000-7000-8000-{number:012}"


def daily(days: int, *, job: str = "load", first: int = 0) -> list[Document]:
    """A run a day, which reads one dataset and writes another."""
    return [
        run_event(
            kind,
            run_id=run_id(first + day),
            job=named_job(job),
            time=TIME + timedelta(days=day),
            inputs=[dataset("orders", fields=[("a", "INT")])],
            outputs=[dataset("sums", fields=[("a", "INT")])],
            facets={"note": facet(day=day)},
        )
        for day in range(days)
        for kind in ("START", "COMPLETE")
    ]
