"""What a change of the store costs a merge: `python benchmarks/merge_cost.py --before FOLDER --shape repeating`.

FOLDER holds the sources of an earlier commit (`git worktree add FOLDER COMMIT`). A store of that commit and one of this
take in the same slices, in turns, on one server; each turn is a process of its own, which imports the sources of its
commit. Measured is the CPU time of Postgres and of Python to normalize, which other work on the machine changes less
than the time that passes. Nothing is vacuumed meanwhile; all is between turns. `--statements` also tells
what each statement of this commit's merge takes, beside that of the commit before, where it has one.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import generated_events
from cpu import process_seconds, tree_seconds

SOURCES = Path(__file__).resolve().parents[1] / "src"
BEFORE, NOW = "bench_cost_before", "bench_cost_now"
WAIT = 0.5
"""Seconds until the server has waited for its ended backends, whose CPU counts only then."""

SIZES = """
SELECT relname, pg_total_relation_size(oid)
FROM pg_class
WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'm')
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--before", type=Path, required=True, help="sources of the commit before")
    parser.add_argument("--shape", choices=sorted(generated_events.SHAPES), default="repeating")
    parser.add_argument("--events", type=int, default=6_000, help="of each round")
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--statements", action="store_true", help="what each statement of the merge takes")
    parser.add_argument("--turn", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.turn:
        print(json.dumps(turn(**json.loads(arguments.turn))))
    else:
        compare(arguments)


def compare(arguments: argparse.Namespace) -> None:
    import servers

    from lineage_core.local import postgres

    with servers.running() as (home, server):
        server.run_sql("ALTER SYSTEM SET autovacuum = off;")
        server.run_sql("SELECT pg_reload_conf();")
        sources = {BEFORE: arguments.before / "src", NOW: SOURCES}
        for name in sources:
            server.ensure_database(name, postgres.ROLE)
        postmaster = int(next(home.glob("postgres/data-*/postmaster.pid")).read_text().split()[0])
        found: dict[str, list[dict[str, Any]]] = {name: [] for name in sources}
        for number in range(arguments.rounds):
            for name in (BEFORE, NOW) if number % 2 else (NOW, BEFORE):
                server.run_sql("CHECKPOINT;")
                asked = {
                    "dsn": server.dsn(database=name),
                    "postmaster": postmaster,
                    "first": number * (arguments.events // 2),
                    "runs": arguments.events // 2,
                    "shape": arguments.shape,
                }
                found[name].append(in_its_own_process(sources[name], asked, arguments.before))
                server.run_sql("VACUUM ANALYZE;", name)
            say(number, found[BEFORE][-1], found[NOW][-1])
        say_all(found, arguments)


def in_its_own_process(sources: Path, asked: dict[str, Any], before: Path) -> dict[str, Any]:
    from lineage_core.settings import inherited_environment

    done = subprocess.run(
        [sys.executable, __file__, "--before", str(before), "--turn", json.dumps(asked)],
        env={**inherited_environment(), "PYTHONPATH": str(sources)},
        check=True,
        capture_output=True,
        text=True,
    )
    answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return answer


def turn(dsn: str, postmaster: int, first: int, runs: int, shape: str) -> dict[str, Any]:
    """Seconds of CPU, those of each statement of the merge, and bytes of the tables."""
    from streams import load

    from lineage_core.normalize.normalization import normalize
    from lineage_core.operate.whole_store import upgrade
    from lineage_core.postgres.store import Store
    from lineage_core.tasks import SerialRunner

    store = Store(dsn)
    upgrade(store)
    load(store, generated_events.documents(runs, first, shape))
    with store.connect(autocommit=True) as connection:
        connection.execute("VACUUM ANALYZE lineage_events")
    time.sleep(WAIT)
    of_postgres, of_python = tree_seconds(postmaster), tree_seconds(os.getpid())
    with timed_statements() as statements:
        normalize(store, SerialRunner())
    of_python = tree_seconds(os.getpid()) - of_python
    time.sleep(WAIT)
    of_postgres = tree_seconds(postmaster) - of_postgres
    with store.connect(autocommit=True) as connection:
        sizes = {str(name): int(size) for name, size in connection.execute(SIZES)}
    return {"postgres": of_postgres, "python": of_python, "statements": statements, "sizes": sizes}


@contextmanager
def timed_statements() -> Iterator[dict[str, float]]:
    """Seconds of CPU of the session's server process, by statement."""
    from lineage_core.normalize.store import merging

    found: defaultdict[str, float] = defaultdict(float)
    run = vars(merging)["_run"]

    def timed(connection: Any, step: str, *rest: Any) -> None:
        started = process_seconds(connection.info.backend_pid)
        run(connection, step, *rest)
        found[step] += process_seconds(connection.info.backend_pid) - started

    vars(merging)["_run"] = timed
    try:
        yield found
    finally:
        vars(merging)["_run"] = run


def say(number: int, before: dict[str, Any], now: dict[str, Any]) -> None:
    times = total(now) / total(before)
    print(
        f"round {number}: before {before['postgres']:.2f} + {before['python']:.2f} s,"
        f" now {now['postgres']:.2f} + {now['python']:.2f} s (Postgres + Python): {times:.3f} times",
        flush=True,
    )


def total(measured: dict[str, Any]) -> float:
    return float(measured["postgres"] + measured["python"])


def say_all(found: dict[str, list[dict[str, Any]]], arguments: argparse.Namespace) -> None:
    pairs = list(zip(found[BEFORE], found[NOW], strict=True))
    both = [total(now) / total(before) for before, now in pairs]
    merges = [sum(now["statements"].values()) / sum(before["statements"].values()) for before, now in pairs]
    print(f"{arguments.shape}: {statistics.median(both):.3f} times, merges alone {statistics.median(merges):.3f} times")
    before, now = (found[name][-1]["sizes"] for name in (BEFORE, NOW))
    events = arguments.events * arguments.rounds
    for table in sorted(now.keys() - before.keys()):
        print(f"  {table:24}{now[table] / events:9.1f} bytes an event")
    print(f"  {'all tables':24}{sum(now.values()) / events:9.1f}, before {sum(before.values()) / events:.1f}")
    if arguments.statements:
        seconds = {name: by_statement(turns) for name, turns in found.items()}
        for step, taken in sorted(seconds[NOW].items(), key=lambda one: -one[1]):
            print(f"  {step:40}{seconds[BEFORE].get(step, 0.0):9.3f}{taken:9.3f} s")


def by_statement(turns: list[dict[str, Any]]) -> dict[str, float]:
    found: defaultdict[str, float] = defaultdict(float)
    for measured in turns:
        for step, seconds in measured["statements"].items():
            found[step] += seconds
    return found


if __name__ == "__main__":
    main()
