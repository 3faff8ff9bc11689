"""CPU time of a process, or of a tree of them, those of its children that have ended among it, read from /proc."""

from __future__ import annotations

import os
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")


def process_seconds(pid: int) -> float:
    """Seconds of CPU that the process itself has used, as finely as the kernel counts them."""
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9


def tree_seconds(root: int) -> float:
    """Seconds of CPU that the process, its living descendants and their waited-for children have used."""
    stats = _all_stats()
    members = {root}
    while grown := {pid for pid, (parent, _) in stats.items() if parent in members} - members:
        members |= grown
    return sum(stats[pid][1] for pid in members if pid in stats)


def by_kind(root: int) -> dict[str, float]:
    """The same for each program's name below the root, without what has ended."""
    stats = _all_stats(live=True)
    members = {root}
    while grown := {pid for pid, (parent, _) in stats.items() if parent in members} - members:
        members |= grown
    found: dict[str, float] = {}
    for pid in members:
        name = (Path("/proc") / str(pid) / "comm").read_text().strip() if (Path("/proc") / str(pid)).exists() else "?"
        found[name] = found.get(name, 0.0) + stats.get(pid, (0, 0.0))[1]
    return found


def _all_stats(*, live: bool = False) -> dict[int, tuple[int, float]]:
    found = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        own, waited_for = fields[11:13], fields[13:15]
        ticks = sum(map(int, own if live else [*own, *waited_for]))
        found[int(entry.name)] = (int(fields[1]), ticks / _TICKS)
    return found
