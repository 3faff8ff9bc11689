"""Progress of a few long steps, for a terminal and for a log alike."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from rich.console import Console

ReportLine = Callable[[str], None]


@dataclass
class Steps:
    """Says each step when it begins, what it waits for, and how long it took."""

    console: Console
    started: float = field(default_factory=time.monotonic)

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.started

    @contextmanager
    def step(self, title: str) -> Iterator[ReportLine]:
        """A step; what is told during it stands beside its title until it ends."""
        begun = time.monotonic()
        with self.console.status(title) as status:
            yield lambda words: status.update(f"{title}: {words}")
        self.console.print(f"[green]✓[/green] {title} [dim]({time.monotonic() - begun:.1f} s)[/dim]", highlight=False)
