"""How much memory a program and all that it starts have resident, at most, read from /proc again and again."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from lineage_core.submission import WORKERS_DAEMON

_INTERVAL = 0.02


@dataclass
class Peak:
    """In MiB: of all processes together at one time, and of the largest process of each kind.

    Pages that processes share count in each of them, so that the sum is an upper bound.
    """

    together: float = 0.0
    of_kind: dict[str, float] = field(default_factory=dict)


def run_measured(command: Sequence[str], environment: Mapping[str, str]) -> tuple[Peak, str]:
    """Runs a command; its peak and its output."""
    peak = Peak()
    with subprocess.Popen(
        command, env=dict(environment), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        while process.poll() is None:
            _note(process.pid, peak)
            time.sleep(_INTERVAL)
        assert process.stdout
        output = process.stdout.read()
    assert process.returncode == 0, output
    return peak, output


def _note(root: int, peak: Peak) -> None:
    sizes = [(_kind(pid), _resident(pid)) for pid in _tree(root)]
    peak.together = max(peak.together, sum(size for _, size in sizes))
    for kind, size in sizes:
        peak.of_kind[kind] = max(peak.of_kind.get(kind, 0.0), size)


def _tree(root: int) -> set[int]:
    parents = {int(entry.name): _parent(entry) for entry in Path("/proc").iterdir() if entry.name.isdigit()}
    members = {root}
    while grown := {pid for pid, parent in parents.items() if parent in members} - members:
        members |= grown
    return members


def _parent(entry: Path) -> int:
    fields = _text(entry / "stat").rpartition(")")[2].split()
    return int(fields[1]) if fields else 0


def _kind(pid: int) -> str:
    words = _text(Path("/proc") / str(pid) / "cmdline").split("\0")
    if words[0].endswith("java"):
        return "JVM"
    return "Python worker" if WORKERS_DAEMON in words else "driver"


def _resident(pid: int) -> float:
    lines = _text(Path("/proc") / str(pid) / "status").splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("VmRSS:")) / 1024


def _text(file: Path) -> str:
    try:
        return file.read_text()
    except (FileNotFoundError, ProcessLookupError):
        return ""  # The process has ended meanwhile.
