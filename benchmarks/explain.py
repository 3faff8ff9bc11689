"""What it costs to ask why a run failed: `python benchmarks/explain.py --copies 2800`.

Six jobs, each of which reads what the one before it writes, run each day for sixty days. Their events are taken in as
any are. `explain_store.sql` then copies all that came of them, with other ids and names: with 2,800 copies there are
1,008,000 runs. On the last day of each copy the first job writes a column less, and the last job, five hops away,
fails. The last run of copies at random is explained, each once. Given are the seconds of the whole, with a session of
its own, and the memory of the asking process.

With `--tasks 60`, a DAG starts so many tasks each day besides, each of which reads what the first job writes and fails
on the last day. Its last run is explained, too, whose causes are those of its tasks.
"""

from __future__ import annotations

import argparse
import random
import resource
import statistics
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import servers
from streams import load

from lineage_core.answers.explain.explained_run import explain
from lineage_core.answers.explain.explanation import CauseKind
from lineage_core.local import postgres
from lineage_core.local.postgres import Server
from lineage_core.normalize.normalization import normalize
from lineage_core.operate.whole_store import upgrade
from lineage_core.postgres.store import Store
from lineage_core.tasks import SerialRunner
from lineage_core.testing import Document, dataset, facet, named_job, parent, run_event, to_json

DATABASE = "bench_explain"
JOBS, DAYS = 6, 60
DAG = 100
"""The number of its job, which those of its tasks follow."""
BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
COLUMNS = [(f"column_{number}", "INT") for number in range(20)]
COPY_OF = "SELECT md5(%s::uuid::text || ' ' || %s)::uuid"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--copies", type=int, default=2_800)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--tasks", type=int, default=0, help="that a DAG starts each day")
    arguments = parser.parse_args()
    with servers.running() as (_, server):
        store = filled(server, arguments.copies, arguments.tasks)
        copies = random.Random(1).sample(range(1, arguments.copies + 1), arguments.rounds)
        measure("the last job", store, run_of(DAYS - 1, JOBS - 1), copies)
        if arguments.tasks:
            measure("the DAG", store, run_of(DAYS - 1, DAG), copies)
    print(f"resident of this process at most: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10} MiB")


def filled(server: Server, copies: int, tasks: int) -> Store:
    store = Store(server.dsn(database=DATABASE))
    server.ensure_database(DATABASE, postgres.ROLE)
    upgrade(store)
    load(store, (to_json(event) for event in events(tasks)))
    normalize(store, SerialRunner())
    script = Path(__file__).with_name("explain_store.sql").read_text()
    started = time.monotonic()
    server.run_sql(f"\\set copies {copies}\n{script}", DATABASE)
    with store.connect() as connection:
        (runs,) = connection.execute("SELECT count(*) FROM runs").fetchone() or (0,)
    print(f"{runs:,} runs, made in {time.monotonic() - started:.0f} s", flush=True)
    return store


def events(tasks: int) -> Iterator[Document]:
    for day in range(DAYS):
        for job in range(JOBS):
            yield from _run(day, job)
        if tasks:
            yield from _dag_run(day, tasks)


def _run(day: int, job: int) -> Iterator[Document]:
    is_last = day == DAYS - 1
    fields = COLUMNS[:-1] if is_last and job == 0 else COLUMNS
    has_failed = is_last and job == JOBS - 1
    common: dict[str, Any] = {
        "run_id": str(run_of(day, job)),
        "job": named_job(f"job_{job}", "etl", facets={"sql": facet(query=f"INSERT INTO table_{job} SELECT 1")}),
        "inputs": [dataset(f"table_{job - 1}")] if job else [],
    }
    described: dict[str, Document] = {
        "processing_engine": facet(version="4.2.0", name="spark", openlineageAdapterVersion="1.53.0"),
        "environment": facet(host=f"worker-{day % 7}", memory="4g", cores=day % 2 + 2),
    }
    if has_failed:
        described["errorMessage"] = facet(message=f"no column column_19 at line {day}", programmingLanguage="SQL")
    written = dataset(f"table_{job}", fields=fields, output_facets={"outputStatistics": facet(rowCount=1000 + day)})
    began = BEGIN + timedelta(days=day, hours=job)
    yield run_event("START", time=began, facets=described, **common)
    yield run_event(
        "FAIL" if has_failed else "COMPLETE",
        time=began + timedelta(minutes=30),
        outputs=[] if has_failed else [written],
        facets=described,
        **common,
    )


def _dag_run(day: int, tasks: int) -> Iterator[Document]:
    end = "FAIL" if day == DAYS - 1 else "COMPLETE"
    dag: dict[str, Any] = {"run_id": str(run_of(day, DAG)), "job": named_job("dag", "etl")}
    began = BEGIN + timedelta(days=day, hours=1)
    yield run_event("START", time=began, **dag)
    for task in range(tasks):
        described = parent(dag["run_id"], "dag", "etl")
        if end == "FAIL":
            described["errorMessage"] = facet(message=f"task {task}: no column column_19", programmingLanguage="SQL")
        yield run_event(
            end,
            time=began + timedelta(minutes=10),
            run_id=str(run_of(day, DAG + 1 + task)),
            job=named_job(f"dag.task_{task}", "etl"),
            inputs=[dataset("table_0")],
            outputs=[] if end == "FAIL" else [dataset(f"made_{task}", fields=COLUMNS)],
            facets=described,
        )
    yield run_event(end, time=began + timedelta(minutes=20), **dag)


def run_of(day: int, job: int) -> UUID:
    return UUID(int=(0x0190A0A0 << 96) + (day << 16) + job)


def measure(what: str, store: Store, asked: UUID, copies: Sequence[int]) -> None:
    taken: list[float] = []
    first = cut = 0
    for number in copies:
        with store.connect() as connection:
            (run,) = connection.execute(COPY_OF, [asked, number]).fetchone() or (None,)
        started = time.perf_counter()
        found = explain(store, run)
        taken.append(time.perf_counter() - started)
        first += found.causes[0].kind is CauseKind.SCHEMA_CHANGE
        cut += bool(found.cut)
        if len(found.causes) < 2:
            raise SystemExit(f"the answer is not what the store was made for: {found.causes}")
    ordered = sorted(taken)
    print(
        f"{what}: {statistics.median(taken):.2f} s in the median, p95 {ordered[int(len(ordered) * 0.95)]:.2f},"
        f" at most {ordered[-1]:.2f}; the schema is the first cause of {first} of {len(copies)}, {cut} are cut",
        flush=True,
    )


if __name__ == "__main__":
    main()
