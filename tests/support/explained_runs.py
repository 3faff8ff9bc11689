"""Two jobs that run each day for a week: one loads orders, the other sums them up. The last day may go wrong."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from uuid import UUID

from lineage_core.testing import TIME, Document, Facets, dataset, facet, named_job, run_event

DAYS = 7
LOAD, SUM = "load_orders", "daily_sums"
COLUMNS = [("id", "INT"), ("price", "INT")]


def run_of(job: str, day: int) -> UUID:
    return UUID(f"0190e0e0-0000-7000-8000-{day:06}{1 if job == LOAD else 2:06}")


SUMMED = run_of(SUM, DAYS - 1)
"""The run that is asked about."""


def week(
    *, query: str | None = None, loading: str | None = "COMPLETE", error: str | None = None, dropped: int = 0
) -> Iterator[Document]:
    """The events of all days.

    Of the last day: query is another SQL of the summing job, loading the ending of the loading one, error why the
    summing one failed, dropped how many columns the orders lack.
    """
    for day in range(DAYS):
        is_last = day == DAYS - 1
        fields = COLUMNS[: len(COLUMNS) - dropped] if is_last else COLUMNS
        orders = dataset(fields=fields, output_facets={"outputStatistics": facet(rowCount=1000 + day)})
        began = TIME + timedelta(days=day)
        yield from _run(LOAD, day, began, outputs=[orders], ending=loading if is_last else "COMPLETE")
        text = query if is_last and query else "SELECT sum(price) FROM orders"
        failed = error if is_last else None
        yield from _run(
            SUM,
            day,
            began + timedelta(hours=2),
            inputs=[dataset()],
            outputs=[] if failed else [dataset("public.sums")],
            job_facets={"sql": facet(query=text)},
            facets={"errorMessage": facet(message=failed, programmingLanguage="SQL")} if failed else {},
            ending="FAIL" if failed else "COMPLETE",
        )


def _run(
    job: str,
    day: int,
    began: datetime,
    *,
    inputs: list[Document] | None = None,
    outputs: list[Document] | None = None,
    job_facets: Facets | None = None,
    facets: Facets | None = None,
    ending: str | None = "COMPLETE",
) -> Iterator[Document]:
    run, described = str(run_of(job, day)), named_job(job, "etl", facets=job_facets)
    yield run_event("START", run_id=run, job=described, time=began, inputs=inputs or [])
    if ending is not None:
        yield run_event(
            ending,
            run_id=run,
            job=described,
            time=began + timedelta(minutes=30),
            inputs=inputs or [],
            outputs=outputs or [] if ending == "COMPLETE" else [],
            facets=facets,
        )
