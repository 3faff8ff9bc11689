"""What graphs of any moment cost: `python benchmarks/graph.py --scale 1`.

`graph_store.sql` makes a store of a million datasets, ten million spans of edges, most of which have ended, and a
million moments of jobs. With `--scale 0.1` there are a tenth of each. Asked are graphs of three hops, most of them of
hundreds of nodes, around datasets that many read, at moments at random, now, and a year ago; each root once.
The figures are the milliseconds that statements take until their rows have come, and those of CPU that the server has
for them, which other work on the machine changes less. What it takes to connect, and to make an answer of rows, is in
the milliseconds of the whole. A session of its own, as an answer has one, maps each page of the server's memory that it
touches for the first time; so all is asked again in one session that has seen these pages, which tells what the
statements themselves take.
"""

from __future__ import annotations

import argparse
import random
import resource
import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import servers
from cpu import process_seconds

from lineage_core.answers.graph import ends as graph_ends
from lineage_core.answers.graph import store as graph_store
from lineage_core.answers.graph.difference import graph_difference
from lineage_core.answers.graph.graph import graph_of
from lineage_core.answers.graph.model import NodeKind, Root
from lineage_core.local import postgres
from lineage_core.local.postgres import Server
from lineage_core.operate.whole_store import upgrade
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store

DATABASE = "bench_graph"
BEGIN, END = datetime(2023, 11, 1, tzinfo=UTC), datetime(2026, 11, 1, tzinfo=UTC)
A_YEAR_AGO = END - timedelta(days=365)
NAMED = 1000
"""The first of so many datasets can be asked for by their names: those that most jobs read."""


@dataclass
class Cost:
    """Of one answer: milliseconds of the whole, of its statements, of the server's CPU for these, by statement.

    resident: bytes that the server's process has of its own at the end of a statement, at most.
    """

    whole: float = 0.0
    waited: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    of_server: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    resident: int = 0


@contextmanager
def measured() -> Iterator[Cost]:
    cost = Cost()
    readers = ("every_row", "every_value", "value_or_none", "one_value")
    kept = {
        (module, name): getattr(module, name)
        for module in (graph_store, graph_ends)
        for name in readers
        if hasattr(module, name)
    }
    for (module, name), read in kept.items():
        setattr(module, name, timed(read, cost))
    started = time.perf_counter()
    try:
        yield cost
    finally:
        cost.whole = (time.perf_counter() - started) * 1000
        for (module, name), read in kept.items():
            setattr(module, name, read)


def timed(read: Callable[..., Any], cost: Cost) -> Callable[..., Any]:
    def reading(connection: Any, kind: Any, statement: Any, *parameters: Any) -> Any:
        name = statement if isinstance(statement, str) else getattr(kind, "__name__", "")
        pid = connection.info.backend_pid
        used, started = process_seconds(pid), time.perf_counter()
        found = read(connection, kind, statement, *parameters)
        cost.waited[name] += (time.perf_counter() - started) * 1000
        cost.of_server[name] += (process_seconds(pid) - used) * 1000
        cost.resident = max(cost.resident, resident(pid))
        return found

    return reading


def resident(pid: int) -> int:
    """Without what processes share."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) << 10 for line in lines if line.startswith("RssAnon"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scale", type=float, default=0.1, help="1 makes a million datasets")
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--statements", action="store_true", help="what each statement takes")
    parser.add_argument("--home", type=Path, help="keep the store here, and use it again")
    arguments = parser.parse_args()
    if arguments.home is None:
        with servers.running() as (_, server):
            measure(server, arguments)
    else:
        arguments.home.mkdir(exist_ok=True)
        arguments.home.chmod(0o711)
        try:
            measure(servers.start(arguments.home), arguments)
        finally:
            postgres.stop_server(arguments.home)


class OneSession(Store):
    """Gives the same session again and again."""

    @contextmanager
    def session(self, *_: object, **__: object) -> Iterator[Connection]:
        yield self.__dict__.setdefault("_kept", self.connect())
        self.__dict__["_kept"].rollback()


def measure(server: Server, arguments: argparse.Namespace) -> None:
    store = filled(server, arguments.scale)
    chance = random.Random(1)
    roots = readable(store, chance, arguments.rounds)
    moments = [BEGIN + (END - BEGIN) * chance.random() for _ in roots]
    columns = [
        Root(NodeKind.COLUMN, root.namespace, root.name, f"column_{number % 10}") for number, root in enumerate(roots)
    ]
    say("", [])
    for what, times in (
        ("at random moments", moments),
        ("now", [None] * len(roots)),
        ("a year ago", [A_YEAR_AGO] * len(roots)),
    ):
        ask(what, roots, times, store, arguments)
    ask("columns, at random moments", columns, moments, store, arguments)
    ask("columns, now", columns, [None] * len(roots), store, arguments)
    ask("the hub", [Root(NodeKind.DATASET, "bench", "hub")] * 10, [None, A_YEAR_AGO] * 5, store, arguments)
    hot = Root(NodeKind.JOB, "bench", "job_0")
    ask("a job of very many runs", [hot] * 10, [None] * 10, store, arguments)
    differences(roots, store)
    print(f"resident of this process at most: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10} MiB")


def filled(server: Server, scale: float) -> Store:
    """The store, made unless it is there."""
    store = Store(server.dsn(database=DATABASE))
    server.ensure_database(DATABASE, postgres.ROLE)
    upgrade(store)
    with store.connect() as connection:
        is_made = connection.execute("SELECT EXISTS (SELECT FROM job_edges)").fetchone() == (True,)
    if not is_made:
        jobs = int(125_000 * scale)
        script = Path(__file__).with_name("graph_store.sql").read_text()
        started = time.monotonic()
        server.run_sql(f"\\set jobs {jobs}\n\\set datasets {8 * jobs}\n{script}", DATABASE)
        print(f"made in {time.monotonic() - started:.0f} s")
    with store.connect() as connection:
        for table in ("datasets", "jobs", "job_edges", "job_version_timeline", "dataset_column_lineages"):
            query = "SELECT count(*), pg_total_relation_size(%s::regclass) FROM " + table
            rows, size = connection.execute(query, [table]).fetchone() or (0, 0)
            print(f"{table:28}{rows:12,} rows{size / 1e6:10.0f} MB")
        held = connection.execute("SELECT count(*) FROM job_edges WHERE until_event = '\\xff'").fetchone() or (0,)
        print(f"{'of the edges hold now':28}{held[0]:12,}", flush=True)
    return store


def readable(store: Store, chance: random.Random, rounds: int) -> list[Root]:
    """Datasets that many read, in an order at random, but the most read: their graphs are cut."""
    with store.connect() as connection:
        (datasets,) = connection.execute("SELECT count(*) FROM datasets").fetchone() or (0,)
    named = datasets // NAMED
    first = named // 33
    step = (named - first) / rounds
    names = [f"table_{first + int(step * number)}" for number in range(rounds)]
    chance.shuffle(names)
    return [Root(NodeKind.DATASET, "bench", name) for name in names]


def ask(
    what: str, roots: Sequence[Root], moments: Sequence[datetime | None], store: Store, arguments: argparse.Namespace
) -> None:
    costs, graphs = asked(roots, moments, store)
    say(what, costs, graphs)
    one = OneSession(store.dsn)
    asked(roots, moments, one)
    again, _ = asked(roots, moments, one)
    say("  in one session, once more", again, graphs)
    with one.session() as connection:
        pass
    connection.close()
    if arguments.statements:
        for name in sorted({name for cost in costs for name in cost.waited}):
            waited, of_server = [cost.waited[name] for cost in costs], [cost.of_server[name] for cost in costs]
            print(f"    {name:30}{pair(waited)}{pair(of_server)}")


class GraphSize(NamedTuple):
    """What is kept of a graph: many of them would make Python look through all that they have, again and again."""

    nodes: int
    complete: bool


def asked(
    roots: Sequence[Root], moments: Sequence[datetime | None], store: Store
) -> tuple[list[Cost], list[GraphSize]]:
    costs: list[Cost] = []
    graphs: list[GraphSize] = []
    for root, moment in zip(roots, moments, strict=True):
        with measured() as cost:
            graph = graph_of(store, root, at=moment, depth=3)
        graphs.append(GraphSize(len(graph.nodes), graph.complete))
        costs.append(cost)
    return costs, graphs


def say(what: str, costs: Sequence[Cost], graphs: Sequence[GraphSize] = ()) -> None:
    if not costs:
        print(
            f"{'ms: p50, p95':32}{'the whole':>18}{'statements':>18}{'server CPU':>18}  nodes, cut, MiB of the server"
        )
        return
    nodes = sorted(graph.nodes for graph in graphs)
    print(
        f"{what:32}{pair([cost.whole for cost in costs])}"
        f"{pair([sum(cost.waited.values()) for cost in costs])}{pair([sum(cost.of_server.values()) for cost in costs])}"
        f"  {nodes[len(nodes) // 2]} ({nodes[0]} to {nodes[-1]}), {sum(not graph.complete for graph in graphs)}"
        f" of {len(graphs)}, {max(cost.resident for cost in costs) >> 20}",
        flush=True,
    )


def pair(milliseconds: Sequence[float]) -> str:
    """The median, and what 95 of 100 stay below."""
    ordered = sorted(milliseconds)
    return f"{statistics.median(ordered):9.1f}{ordered[int(len(ordered) * 0.95)]:9.1f}"


def differences(roots: Sequence[Root], store: Store) -> None:
    taken, edges = [], []
    for root in roots[:20]:
        started = time.perf_counter()
        found = graph_difference(store, root, A_YEAR_AGO, END, depth=3)
        taken.append(time.perf_counter() - started)
        edges.append(len(found.came) + len(found.went))
    print(
        f"differences of {len(taken)} graphs of a year ago and of the last day: {statistics.median(taken):.2f} s,"
        f" at most {max(taken):.2f}; {statistics.median(edges):.0f} edges came or went"
    )


if __name__ == "__main__":
    main()
