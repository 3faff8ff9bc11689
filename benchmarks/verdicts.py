"""What judging the schemas of datasets costs a merge: `python benchmarks/verdicts.py --events 5000 --rounds 6`.

Two stores take in the same slices, in turns; in one of them no schema is judged. Measured are the transactions that
merge. All that are measured meet datasets that are known already.
"""

from __future__ import annotations

import argparse
import statistics
from contextlib import nullcontext
from unittest.mock import patch

import generated_events
import servers
from streams import Merges, load

from lineage_core.local import postgres
from lineage_core.normalize.normalization import normalize
from lineage_core.normalize.store import merging
from lineage_core.operate.whole_store import upgrade
from lineage_core.postgres.store import Store
from lineage_core.tasks import SerialRunner

WITHOUT, WITH = "bench_verdicts_without", "bench_verdicts_with"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=5_000, help="of each round")
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--shape", choices=sorted(generated_events.SHAPES), default="repeating")
    arguments = parser.parse_args()
    with servers.running() as (_, server):
        for name in (WITHOUT, WITH):
            server.ensure_database(name, postgres.ROLE)
            upgrade(Store(server.dsn(database=name)))
        measure({name: server.dsn(database=name) for name in (WITHOUT, WITH)}, arguments)


def measure(stores: dict[str, str], arguments: argparse.Namespace) -> None:
    taken: dict[str, list[float]] = {name: [] for name in stores}
    runs = arguments.events // 2
    for number in range(arguments.rounds + 1):
        texts = list(generated_events.documents(runs, number * runs, arguments.shape))
        for name in (WITHOUT, WITH) if number % 2 else (WITH, WITHOUT):
            taken[name].append(merged(Store(stores[name]), texts, judges=name == WITH))
    without, judged = (statistics.median(taken[name][1:]) for name in (WITHOUT, WITH))
    print(f"merge without judging  {without:6.2f} s")
    print(f"merge with judging     {judged:6.2f} s: {judged / without:.2f} times")


def merged(store: Store, texts: list[bytes], *, judges: bool) -> float:
    """Seconds of the merge of these events."""
    load(store, texts)
    spared = nullcontext() if judges else patch.object(merging, "judge_schemas")
    with spared, Merges() as merges:
        normalize(store, SerialRunner(2))
    return sum(merges.seconds)


if __name__ == "__main__":
    main()
