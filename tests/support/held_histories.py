"""Histories under a legal hold, for the law of holds: things of many names, and a hold by any of them.

What the hold is about is worked out from what happened, not as the product does it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from fnmatch import fnmatchcase
from random import Random
from uuid import UUID

from lineage_core.namespace_format import formatted_namespace
from lineage_core.retention.store.policies import HeldThing
from lineage_core.testing import TIME, Document, dataset, dataset_event, facet, job_event, named_job, parent, run_event

HOUR = timedelta(hours=1)
NAMESPACES = ("shop", "my shop (eu)", "C:\\data", "s3://bücket")
_TASKS = ("load", "sum")
_TABLES = ("orders", "sums")
WAYS = 9
"""In which a hold may name what it is about."""

FOLLOWED = ("load", "sum")
"""Jobs without a parent: the first has the second as its symlink, set by hand."""

Name = tuple[str, str]
"""A formatted namespace and a name."""


@dataclass(frozen=True)
class Ran:
    """A run, or a job event where `run` is None; `tables` are its datasets by their own names."""

    run: str | None
    namespace: str
    task: str
    dag: str | None
    dag_run: str | None
    tables: frozenset[Name]
    events: tuple[Document, ...]

    @property
    def job(self) -> Name:
        return formatted_namespace(self.namespace), f"{self.dag}.{self.task}" if self.dag else self.task


@dataclass(frozen=True)
class HeldHistory:
    """What happened, and the hold. `described`: events about a dataset alone, by its own name."""

    ran: tuple[Ran, ...]
    described: tuple[tuple[Name, Document], ...]
    held: HeldThing
    is_symlinked: bool

    @property
    def events(self) -> list[Document]:
        return [*(event for one in self.ran for event in one.events), *(event for _, event in self.described)]

    def runs(self) -> set[UUID]:
        """The runs that the hold is about."""
        return {UUID(one.run) for one in self.ran if one.run and self._is_about(one)}

    def jobs(self) -> set[Name]:
        if self.held.dataset or self.held.run:
            return set()
        return {one.job for one in self.ran if self._is_about(one)}

    def tables(self) -> set[Name]:
        if self.held.job or self.held.run:
            return set()
        named = {table for one in self.ran for table in one.tables} | {table for table, _ in self.described}
        return {
            table
            for table in named
            for namespace, name in (table, alias_of(table))
            if self._fits(namespace) and self.held.dataset in {None, name}
        }

    def raw_events(self) -> list[Document]:
        """The raw events that the hold is about."""
        tables = self.tables()
        of_runs = [event for one in self.ran if self._is_about(one) for event in one.events]
        of_tables = [
            event
            for one in self.ran
            for event in one.events
            if {formatted(named) for named in (*event["inputs"], *event["outputs"])} & with_aliases(tables)
        ]
        alone = [event for table, event in self.described if table in tables]
        return [*of_runs, *(event for event in of_tables if event not in of_runs), *alone]

    def _is_about(self, one: Ran) -> bool:
        if self.held.run:
            return self._fits(one.namespace) and str(self.held.run) in {one.run, one.dag_run}
        if self.held.dataset or not self._fits(one.namespace):
            return False
        return self.held.job is None or self.held.job in self._names(one)

    def _names(self, one: Ran) -> set[str]:
        names = {one.task, one.job[1]} | ({one.dag} if one.dag else set())
        if self.is_symlinked and one.job[0] == "shop" and one.job[1] in FOLLOWED:
            names |= set(FOLLOWED)
        if self.is_symlinked and one.job[0] == "shop" and self.held.job in _TASKS and one.job[1] in FOLLOWED:
            names |= set(_TASKS)
        return names

    def _fits(self, namespace: str) -> bool:
        pattern = "*".join(map(formatted_namespace, self.held.namespace_pattern.split("*")))
        return fnmatchcase(formatted_namespace(namespace), pattern)


def alias_of(table: Name) -> Name:
    """Another name of it, in a namespace of aliases."""
    return "aliases", f"{table[0]}.{table[1]}"


def with_aliases(tables: set[Name]) -> set[Name]:
    return tables | {alias_of(table) for table in tables}


def formatted(named: Document) -> Name:
    return formatted_namespace(named["namespace"]), named["name"]


def held_history(random: Random, number: int) -> HeldHistory:
    """Of ten to sixteen runs and events, an hour apart; the number says in which way the hold names something."""
    ran = tuple(_ran(random, hour) for hour in range(random.randint(10, 16)))
    described = tuple(_described(random, 50 + number) for number in range(3))
    held_runs = [one for one in ran if one.run]
    one = random.choice([one for one in held_runs if one.dag] or held_runs)
    held = _ways(random, one)[number % WAYS]
    return HeldHistory(ran, described, held, random.random() < 0.5)


def _ran(random: Random, hour: int) -> Ran:
    namespace, task = random.choice(NAMESPACES), random.choice(_TASKS)
    dag = random.choice((None, "dag"))
    dag_run = f"0190a0a0-1111-7000-8000-{hour // 3:012}" if dag else None
    read, wrote = _table(random), _table(random)
    inputs, outputs = [_named(random, read, hour)], [_named(random, wrote, hour, source=read)]
    job = named_job(task, namespace, facets={"documentation": facet(description=f"text {hour}")})
    tables = frozenset(map(_own, (read, wrote)))
    time = TIME + hour * HOUR
    if random.random() < 0.2:
        times = (time, time + HOUR / 2)  # the second takes the place of the first as the last of the job's version
        declared = tuple(job_event(job, time=moment, inputs=inputs, outputs=outputs) for moment in times)
        return Ran(None, namespace, task, None, None, tables, declared)
    run = f"0190a0a0-0000-7000-8000-{hour:012}"
    facets = {"note": facet(hour=hour)} | (parent(dag_run, dag, namespace) if dag and dag_run else {})
    events = tuple(
        run_event(kind, run_id=run, job=job, time=time, inputs=inputs, outputs=outputs, facets=facets)
        for kind in ("START", "COMPLETE")
    )
    return Ran(run, namespace, task, dag, dag_run, tables, events)


def _table(random: Random) -> Name:
    """With its namespace as a producer spells it."""
    return random.choice(NAMESPACES), random.choice(_TABLES)


def _own(table: Name) -> Name:
    return formatted_namespace(table[0]), table[1]


def _named(random: Random, table: Name, hour: int, source: Name | None = None) -> Document:
    alias_namespace, alias = alias_of(_own(table))
    facets = {"symlinks": facet(identifiers=[{"namespace": alias_namespace, "name": alias, "type": "TABLE"}])}
    facets["documentation"] = facet(description=f"text {hour}")
    if source:
        column = {"namespace": source[0], "name": source[1], "field": "a"}
        facets["columnLineage"] = facet(fields={"a": {"inputFields": [column]}})
    fields = random.choice(([("a", "INT")], [("a", "INT"), ("b", "TEXT")]))
    return dataset(table[1], table[0], fields=fields, facets=facets)


def _described(random: Random, number: int) -> tuple[Name, Document]:
    table = _table(random)
    return _own(table), dataset_event(_named(random, table, number), time=TIME + number * timedelta(minutes=7))


def _ways(random: Random, one: Ran) -> list[HeldThing]:
    """Holds on what a run is of or has named, by each of the names of that."""
    namespace = random.choice((one.namespace, formatted_namespace(one.namespace)))
    table = random.choice(sorted(one.tables))
    spelled = next(known for known in NAMESPACES if formatted_namespace(known) == table[0])
    alias = alias_of(table)
    return [
        HeldThing(namespace),
        HeldThing(namespace[:3] + "*" + namespace[-1]),
        HeldThing(namespace, job=one.task),
        HeldThing(namespace, job=one.job[1]),
        HeldThing(namespace, job=one.dag or one.task),
        HeldThing(namespace, run=UUID(one.run)),
        HeldThing(namespace, run=UUID(one.dag_run or one.run)),
        HeldThing(random.choice((spelled, table[0])), dataset=table[1]),
        HeldThing(alias[0], dataset=alias[1]),
    ]


def late_events(history: HeldHistory) -> Iterator[Document]:
    """What was stated of datasets, stated again by a job of a namespace of which nothing goes, and by their aliases."""
    for number, one in enumerate(history.ran):
        named = [*one.events[0]["inputs"], *one.events[0]["outputs"]]
        late = f"0190a0a0-2222-7000-8000-{number:012}"
        time = one.events[0]["eventTime"]
        yield run_event("COMPLETE", run_id=late, job=named_job("late", "never"), time=time, outputs=named)
        for table in sorted(one.tables):
            alias = alias_of(table)
            yield dataset_event(dataset(alias[1], alias[0], fields=[("late", "INT")]), time=time)
