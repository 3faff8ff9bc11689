"""What pages take on a large store: `python benchmarks/pages.py --scale 0.1 --home FOLDER`.

The store is that of `graph.py`, with what `pages_store.sql` adds: at 0.1 there are 100,000 datasets of twelve columns,
12,500 jobs, and 1,000,000 runs. Each page is asked for at names at random, as a browser asks and as a program does, in
this process: the figure is the whole, with the session and with what makes the page. Searches go by trigrams where the
server has them (`--postgres 15`).
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import servers
from fastapi.testclient import TestClient
from graph import A_YEAR_AGO, DATABASE, filled, readable

from lineage_core.local import postgres
from lineage_core.local.ports import PAGES
from lineage_core.local.postgres import Server
from lineage_core.pages.serving import served
from lineage_core.postgres.store import Store
from lineage_core.postgres.trigrams import make_missing


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scale", type=float, default=0.1, help="1 makes a million datasets")
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--home", type=Path, required=True, help="keep the store here, and use it again")
    parser.add_argument("--postgres", type=int, default=postgres.VERSION)
    arguments = parser.parse_args()
    arguments.home.mkdir(exist_ok=True)
    arguments.home.chmod(0o711)
    try:
        measure(servers.start(arguments.home, arguments.postgres), arguments)
    finally:
        postgres.stop_server(arguments.home, arguments.postgres)


def measure(server: Server, arguments: argparse.Namespace) -> None:
    store = with_pages(server, arguments.scale)
    print("searches go by trigrams" if with_trigrams(store) else "no trigrams: searches read all names")
    chance = random.Random(1)
    named = [{"namespace": root.namespace, "name": root.name} for root in readable(store, chance, arguments.rounds)]
    with store.connect() as connection:
        (jobs,) = connection.execute("SELECT count(*) FROM jobs").fetchone() or (0,)
        runs = connection.execute(
            "SELECT uuid FROM runs TABLESAMPLE SYSTEM (1) LIMIT %s", [arguments.rounds]
        ).fetchall()
    of_jobs = [{"namespace": "bench", "name": f"job_{chance.randrange(jobs)}"} for _ in named]
    asking = TestClient(served(store), base_url=f"http://127.0.0.1{PAGES}", headers={"Accept": "text/html"})
    print(f"{'page':40}{'p50 ms':>10}{'p95 ms':>10}{'most ms':>10}")
    for what, path, asked in (
        ("overview", "/", [{}] * 5),
        ("search, a name", "/search", [{"q": one["name"]} for one in named]),
        ("search, what many have", "/search", [{"q": "able_1"}] * 10),
        ("search, what none has", "/search", [{"q": "zebra"}] * 10),
        ("search, a name of another by a letter", "/search", [{"q": misspelled(one["name"])} for one in named]),
        ("datasets", "/datasets", [{}] * 10),
        ("jobs", "/jobs", [{}] * 10),
        ("runs", "/runs", [{}] * 10),
        ("a dataset", "/datasets", named),
        ("a job", "/jobs", of_jobs),
        ("a run", "/runs", [{"run": str(uuid)} for (uuid,) in runs]),
        ("a graph of three hops", "/graph", named),
        ("a graph of a year ago", "/graph", [one | {"at": A_YEAR_AGO.isoformat()} for one in named]),
        ("a graph of 1,000 nodes", "/graph", [one | {"limit": 1_000} for one in named]),
    ):
        tell(what, [timed(asking.get, path, parameters) for parameters in asked])


def with_pages(server: Server, scale: float) -> Store:
    """The store, made unless it is there."""
    store = filled(server, scale)
    with store.connect() as connection:
        is_made = connection.execute("SELECT EXISTS (SELECT FROM dataset_symlinks)").fetchone() == (True,)
    if not is_made:
        server.run_sql(Path(__file__).with_name("pages_store.sql").read_text(), DATABASE)
    return store


def with_trigrams(store: Store) -> bool:
    """Where the server has pg_trgm, names are found by it from now on; whether it has."""
    with store.connect(autocommit=True) as connection:
        found = connection.execute("SELECT FROM pg_available_extensions WHERE name = 'pg_trgm'").fetchall()
        if found:
            connection.execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")
            make_missing(store)
            connection.execute("VACUUM ANALYZE")
    return bool(found)


def misspelled(name: str) -> str:
    """The last word, with its second letter twice."""
    word = name.rpartition(".")[2]
    return word[:2] + word[1:]


def timed(get: Callable[..., Any], path: str, parameters: dict[str, Any]) -> float:
    started = time.perf_counter()
    get(path, params=parameters).raise_for_status()
    return 1_000 * (time.perf_counter() - started)


def tell(what: str, taken: list[float]) -> None:
    ordered = sorted(taken)
    p95 = ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]
    print(f"{what:40}{statistics.median(ordered):10.0f}{p95:10.0f}{ordered[-1]:10.0f}", flush=True)


if __name__ == "__main__":
    main()
