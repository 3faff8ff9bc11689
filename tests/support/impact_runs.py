"""Jobs that make datasets of others, by columns, and the impact of a change on them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from zlib import crc32

from lineage_core.answers.impact.impact import impact_of
from lineage_core.answers.impact.model import Impact, SchemaToCome
from lineage_core.postgres.store import Store
from lineage_core.testing import TIME, Document, dataset, facet, named_job, run_event

NAMESPACE = "shop"
FIELDS = [("a", "INT"), ("b", "INT")]


def run(
    name: str,
    reads: str = "",
    writes: str = "",
    *,
    takes: Document | None = None,
    minute: int = 0,
    facets: Document | None = None,
) -> Document:
    """The COMPLETE of a run of a job. reads, writes: names of datasets.

    takes: of each dataset that it writes and of its columns, the columns that these are made of.
    """
    return run_event(
        "COMPLETE",
        run_id=f"0190a0a0-0000-7000-8000-{crc32(f'{name} {minute}'.encode()):012}",
        job=named_job(name, NAMESPACE, facets=facets),
        time=TIME + timedelta(minutes=minute),
        inputs=[dataset(one, NAMESPACE, fields=FIELDS) for one in reads.split()],
        outputs=[dataset(one, NAMESPACE, fields=FIELDS, facets=_lineage(one, takes)) for one in writes.split()],
    )


def _lineage(name: str, takes: Document | None) -> Document:
    if takes is None or name not in takes:
        return {}
    fields = {
        column: {"inputFields": [input_field(word) for word in words.split()]} for column, words in takes[name].items()
    }
    return {"columnLineage": facet(fields=fields)}


def input_field(word: str) -> Document:
    name, _, field = word.partition(".")
    return {"namespace": NAMESPACE, "name": name, "field": field}


def drop(store: Store, *columns: str, name: str = "raw", **options: Any) -> Impact:
    return impact_of(store, NAMESPACE, name, SchemaToCome(dropped=columns), **options)


def by_names(found: Impact) -> dict[tuple[str, str | None], tuple[str, tuple[str, ...], int]]:
    """By the names of job and dataset: verdict, columns, hops."""
    return {
        (one.job.removeprefix("shop/"), one.dataset and one.dataset.removeprefix("shop/")): (
            one.verdict.value,
            one.columns,
            one.hops,
        )
        for one in found.consumers
    }


RAW = run("load", writes="raw")
CLEAN = run("clean", "raw", "clean", takes={"clean": {"a": "raw.b", "b": "raw.a"}}, minute=1)
REPORT = run("report", "clean", "report", takes={"report": {"a": "clean.b"}}, minute=2)
SHOWN = run("show", "report", minute=3)
