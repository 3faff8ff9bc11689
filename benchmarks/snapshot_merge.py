"""How long a Snapshot merge takes: `python benchmarks/snapshot_merge.py --rows 1000000 --changes 20000`.

The rule of `lineage_core.changelog` finds what has changed in a table of many rows. It is timed beside a full outer
join of the same two tables by Arrow, which is the least that a comparison of whole tables takes.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from lineage_core.changelog import Operation, Snapshot, merge

KEY = ("id",)


def table(rows: int) -> pa.Table:
    """Rows of a key, two texts and a number."""
    keys = pa.array(range(rows), pa.int64())
    names = pa.array([f"dataset_{number}" for number in range(rows)])
    owners = pa.array([f"team_{number % 97}" for number in range(rows)])
    return pa.table({"id": keys, "name": names, "owner": owners, "bytes": pc.multiply(keys, 3)})


def changed(state: pa.Table, changes: int) -> pa.Table:
    """The same with so many rows changed: a tenth is new, a tenth gone, the rest have another number."""
    chance, tenth = random.Random(1), changes // 10
    touched = {*chance.sample(range(state.num_rows), changes - 2 * tenth)}
    sizes = [size + 1 if place in touched else size for place, size in enumerate(state["bytes"].to_pylist())]
    kept = state.set_column(3, "bytes", pa.array(sizes, pa.int64())).slice(tenth)
    new = table(state.num_rows + tenth).slice(state.num_rows)
    return pa.concat_tables([kept, new])


def outer_join(state: pa.Table, batch: pa.Table) -> int:
    joined = state.join(batch, "id", join_type="full outer", right_suffix="_new")
    alike = [pc.equal(joined[name], joined[f"{name}_new"]) for name in ("name", "owner", "bytes")]
    same = pc.and_(pc.and_(alike[0], alike[1]), alike[2]).fill_null(False)
    return int(joined.num_rows - pc.sum(same).as_py())


def seconds(work: Callable[[], Any], rounds: int) -> list[float]:
    taken = list[float]()
    for _ in range(rounds):
        started = time.perf_counter()
        work()
        taken.append(time.perf_counter() - started)
    return taken


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--changes", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    state = table(arguments.rows)
    batch = changed(state, arguments.changes)
    found = merge(Snapshot(KEY), state, batch)
    steps = found.num_rows - pc.sum(pc.equal(found["op"], int(Operation.CORRECT_TO))).as_py()
    if outer_join(state, batch) != steps:
        raise SystemExit(f"The join finds {outer_join(state, batch)} changed rows, the merge {steps}")
    print(f"{arguments.rows} rows, {steps} of them changed; median and range of {arguments.rounds} rounds, in seconds")
    for name, work in (
        ("Snapshot merge", lambda: merge(Snapshot(KEY), state, batch)),
        ("full outer join", lambda: outer_join(state, batch)),
    ):
        taken = seconds(work, arguments.rounds)
        print(f"{name:>16}  {statistics.median(taken):.2f}  ({min(taken):.2f} to {max(taken):.2f})")


if __name__ == "__main__":
    main()
