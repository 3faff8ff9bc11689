"""Names made for it: different things whose ids Marquez hashes from one text, as it joins their parts by `:`.

Each kind below is a pool of such things and how events speak of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta
from random import Random
from typing import Any
from uuid import UUID

from lineage_core.model.meaning.schema_versions import dataset_version_uuid
from lineage_core.testing import TIME, dataset, dataset_event, facet, job_event, named_job, parent, run_event

Document = dict[str, Any]

_RUNS = tuple(f"0190a0a0-0000-7000-8000-0000000003{number:02}" for number in range(3))
_JOBS = (("b:c", "a"), ("c", "a:b"))
"""Name and namespace of two jobs; versions of theirs with equal datasets have one id."""


def alike(chosen: Random) -> list[Document]:
    """A few events of two of the kinds, at times that do not follow their order here."""
    return [event for kind in chosen.sample(_KINDS, 2) for event in kind(chosen)]


def _source(name: str) -> Document:
    return {"dataSource": facet(name=name, uri=f"db://{name.partition(':')[0]}")}


def _lifecycle(state: str) -> Document:
    return {"lifecycleStateChange": facet(lifecycleStateChange=state)}


def _symlinks(namespace: str, name: str) -> Document:
    return {"symlinks": facet(identifiers=[{"namespace": namespace, "name": name, "type": "TABLE"}])}


_SOURCES = (
    dataset("x", "a:b", fields=[("k", "INT")], facets=_source("c")),
    dataset("x", "a", fields=[("k", "INT")], facets=_source("b:c")),
)
_SCHEMAS = (
    dataset("b:c:INT", "a", fields=[("z", "INT")]),
    dataset("b", "a", fields=[("c", "INT"), ("z", "INT")]),
)
_STATES = (
    dataset("x", "a", fields=[("c", None)], facets=_lifecycle("INT:")),
    dataset("x", "a", fields=[("c", "INT")]),
)
_PART_OF_A_SCHEMA = dataset("b", "a", fields=[("c", "INT")])
"""An event that reads or writes it under this schema, and another under the whole one, drifts to the shared one."""


def _of_datasets(chosen: Random, pool: Sequence[Document]) -> list[Document]:
    """Events of runs, of jobs and of datasets that read and write some of the pool."""
    return [_of_pool(chosen, pool) for _ in range(chosen.randint(3, 5))]


def _of_pool(chosen: Random, pool: Sequence[Document]) -> Document:
    kind = chosen.choice(("run", "run", "run", "dataset", "dataset", "job"))
    if kind == "dataset":
        return dataset_event(chosen.choice(pool), time=_time(chosen))
    inputs = chosen.sample(pool, chosen.choice((0, 0, 1, 2)))
    outputs = chosen.sample(pool, chosen.choice((0, 1, 1, 2)))
    if kind == "job":
        return job_event(_job(chosen), time=_time(chosen), inputs=inputs, outputs=outputs)
    return _run_event(chosen, inputs=inputs, outputs=[_made_of(chosen, one, pool) for one in outputs])


def _made_of(chosen: Random, output: Document, pool: Sequence[Document]) -> Document:
    """Perhaps with the columns of the pool that its own come from."""
    if chosen.random() < 0.5:
        return output
    origins = [
        {"namespace": source["namespace"], "name": source["name"], "field": field["name"]}
        for source in pool
        for field in source["facets"]["schema"]["fields"]
    ]
    made_of = {
        field["name"]: {"inputFields": chosen.sample(origins, 2), "transformationType": chosen.choice(("A", "B"))}
        for field in output["facets"]["schema"]["fields"]
    }
    return output | {"facets": output["facets"] | {"columnLineage": facet(fields=made_of)}}


def _run_event(chosen: Random, **parts: Any) -> Document:
    return run_event(
        chosen.choice(("START", "RUNNING", "COMPLETE", "COMPLETE", "COMPLETE")),
        run_id=chosen.choice(_RUNS[:2]),
        job=_job(chosen),
        time=_time(chosen),
        **parts,
    )


def _job(chosen: Random) -> Document:
    return named_job(*chosen.choice(_JOBS))


def _time(chosen: Random) -> Any:
    return TIME + timedelta(minutes=chosen.randint(0, 9))


def _sources(chosen: Random) -> list[Document]:
    return _of_datasets(chosen, _SOURCES)


def _schemas(chosen: Random) -> list[Document]:
    return _of_datasets(chosen, (*_SCHEMAS, *chosen.choice(((), (_PART_OF_A_SCHEMA,)))))


def _states(chosen: Random) -> list[Document]:
    return _of_datasets(chosen, _STATES)


def _renamed(chosen: Random) -> list[Document]:
    """Two datasets with one version or one schema version, until an event says that a third is one of them."""
    pool = chosen.choice((_SOURCES, _SCHEMAS))
    one = chosen.choice(pool)
    third = dataset("third", "a", facets=_symlinks(one["namespace"], one["name"]))
    return [*_of_datasets(chosen, pool), dataset_event(third, time=_time(chosen))]


def _jobs(chosen: Random) -> list[Document]:
    """Runs of two jobs that read and write the same, so that they have one job version; and one of another version."""
    inputs = chosen.choice(([], [dataset("in", "a")]))
    other = [dataset("other", "a")]
    return [
        run_event(
            chosen.choice(("COMPLETE", "COMPLETE", "FAIL")),
            run_id=f"0190a0a0-0000-7000-8000-0000000004{number:02}",
            job=_job(chosen),
            time=_time(chosen),
            inputs=inputs,
            outputs=chosen.choice(([dataset("out", "a")], [dataset("out", "a")], other)),
        )
        for number in range(chosen.randint(4, 6))
    ]


def _locations(chosen: Random) -> list[Document]:
    """One job that either lies at `o:1` or writes the dataset `:o`|`1`."""
    place = {"sourceCodeLocation": facet(type="git", url="o:1")}
    return [
        job_event(named_job("j", "a", facets=place), time=_time(chosen))
        if chosen.random() < 0.5
        else job_event(named_job("j", "a"), time=_time(chosen), outputs=[dataset("1", ":o")])
        for _ in range(chosen.randint(3, 4))
    ]


def _arguments(chosen: Random) -> list[Document]:
    """Runs whose arguments differ, while Marquez' checksum of them is one."""
    named = (parent("p#name=q", "r", "n"), parent("p", "q#name=r", "n"))
    return [
        run_event(run_id=_RUNS[number], job=named_job("j", "a"), time=_time(chosen), facets=chosen.choice(named))
        for number in range(3)
    ]


def _twins(chosen: Random) -> list[Document]:
    """A dataset event whose lifecycle ends like the version that a run writes: `state:run`."""
    written = dataset("x", "a", fields=[("k", "INT", "of a run")], facets=_lifecycle("DROP"))
    declared = dataset("x", "a", fields=[("k", "INT", "of a run")], facets=_lifecycle(f"DROP:{_RUNS[0]}"))
    return [
        dataset_event(declared, time=_time(chosen)),
        *(
            run_event(chosen.choice(("START", "COMPLETE")), run_id=_RUNS[0], time=_time(chosen), outputs=[written])
            for _ in range(2)
        ),
    ]


def _run_with_the_id_of_a_version(chosen: Random) -> list[Document]:
    """A producer may give its run any id, that of a version of another event, too."""
    declared = dataset("x", "a")
    run_id = str(UUID(bytes=dataset_version_uuid("a", "x", "default", "", "", None)))
    return [
        dataset_event(declared, time=_time(chosen)),
        run_event("COMPLETE", run_id=run_id, job=named_job("j", "a"), time=_time(chosen), outputs=[dataset("y", "a")]),
        run_event("COMPLETE", run_id=run_id, job=named_job("j", "a"), time=_time(chosen)),
    ]


def _parents(chosen: Random) -> list[Document]:
    """Parents whose runs have one id, as the texts that it is hashed from are joined by dots."""
    named = (parent("manual", "b.c.task", "a"), parent("manual", "c.task", "a.b"))
    return [
        run_event(
            chosen.choice(("START", "COMPLETE")),
            run_id=_RUNS[number % 3],
            job=named_job("task", chosen.choice(("a", "a.b"))),
            time=_time(chosen),
            facets=chosen.choice(named),
        )
        for number in range(4)
    ]


def _children(chosen: Random) -> list[Document]:
    """A job by its full name, and the same as child of a parent."""
    return [
        run_event(run_id=_RUNS[0], job=named_job("p.j", "a"), time=_time(chosen)),
        run_event(run_id=_RUNS[1], job=named_job("j", "a"), time=_time(chosen), facets=parent(_RUNS[2], "p", "a")),
        run_event(run_id=_RUNS[2], job=named_job("p", "a"), time=_time(chosen)),
    ]


_KINDS: Sequence[Callable[[Random], list[Document]]] = (
    _sources,
    _sources,
    _schemas,
    _schemas,
    _states,
    _renamed,
    _renamed,
    _jobs,
    _jobs,
    _locations,
    _arguments,
    _twins,
    _run_with_the_id_of_a_version,
    _parents,
    _children,
)
