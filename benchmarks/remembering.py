"""What `remembered` costs beside `cachetools`: `python benchmarks/remembering.py --events 4000`.

The rows of all tables are made of generated events, as staging does, in a process of its own each time. It counts the
CPU time, and by how much the memory rose at its highest. The ways take turns.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from functools import wraps
from threading import Lock
from typing import Any

from cachetools import LRUCache, cached
from generated_events import SHAPES, documents

from lineage_core import remembered as module

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]
Footprint = Callable[[tuple[Any, ...], Any], int]
Way = Callable[[int, Footprint | None], Decorator]
WAYS: dict[str, Way] = {"remembered": module.remembered}


def _way(name: str) -> Callable[[Way], Way]:
    def noted(make: Way) -> Way:
        WAYS[name] = make
        return make

    return noted


@_way("cachetools, of the same bytes")
def _of_the_same_bytes(most_bytes: int, footprint_of: Footprint | None = None) -> Decorator:
    """An entry has its arguments, as `getsizeof` is given nothing else."""

    def size(entry: tuple[tuple[Any, ...], Any]) -> int:
        return 200 + (footprint_of(*entry) if footprint_of else module.footprint(entry))

    def decorate(work_out: Callable[..., Any]) -> Callable[..., Any]:
        known: LRUCache[Any, Any] = LRUCache(most_bytes, getsizeof=size)
        lock = Lock()

        @wraps(work_out)
        def asked(*key: Any) -> Any:
            with lock:
                entry = known.get(key)
            if entry is None:
                entry = (key, work_out(*key))
                if known.getsizeof(entry) * 16 <= most_bytes:
                    with lock:
                        known[key] = entry
            return entry[1]

        return asked

    return decorate


@_way("cachetools, results alone counted")
def _results_alone_counted(most_bytes: int, _footprint_of: Footprint | None = None) -> Decorator:
    """As its manual has it."""
    made: Decorator = cached(LRUCache(most_bytes, getsizeof=module.footprint), lock=Lock())
    return made


def measure(way: str, events: int, shape: str) -> None:
    """Prints the seconds of CPU, and the KiB."""
    module.remembered = WAYS[way]  # type: ignore[assignment]
    from lineage_core.model.arrivals import check_rows
    from lineage_core.openlineage.parsing import parse

    texts = list(documents(events // 2, shape=shape))
    check_rows(parse(texts.pop()))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    started = time.process_time()
    for text in texts:
        check_rows(parse(text))
    print(time.process_time() - started, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=4_000)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--measure", choices=WAYS, help="one way in this process")
    parser.add_argument("--shape", choices=SHAPES, action="append")
    arguments = parser.parse_args()
    shapes = arguments.shape or list(SHAPES)
    if arguments.measure:
        measure(arguments.measure, arguments.events, *shapes)
        return
    for shape in shapes:
        found: dict[str, list[list[float]]] = {way: [] for way in WAYS}
        for _ in range(arguments.rounds):
            for way, rounds in found.items():
                chosen = ["--measure", way, "--events", str(arguments.events), "--shape", shape]
                output = subprocess.run([sys.executable, __file__, *chosen], check=True, capture_output=True, text=True)
                rounds.append([float(word) for word in output.stdout.split()])
        for way, rounds in found.items():
            seconds, kib = (statistics.median(column) for column in zip(*rounds, strict=True))
            print(f"{shape:10}{way:36}{seconds / arguments.events * 1000:8.3f} CPU-ms an event{kib / 1024:8.1f} MiB")


if __name__ == "__main__":
    main()
