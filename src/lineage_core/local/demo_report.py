"""What the demo shows: its steps as they go, and at its end what came out of it, with three questions answered."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime

from rich.console import Console
from rich.table import Table

from lineage_core.database.sizes import row_counts
from lineage_core.declare.tables import normalized_tables, table_named
from lineage_core.postgres.store import Store
from lineage_core.queries.store import Answer, answer

LEADERBOARD = "games.example.leaderboard"

QUESTIONS = (
    ("What is the leaderboard made of?", "upstream_of_a_dataset"),
    ("Which versions of it were there?", "versions_of_a_dataset"),
    ("Where does each of its columns come from?", "origins_of_columns"),
)
"""A question and the file in sql/queries/ that answers it."""


def report(console: Console, store: Store, seconds: float) -> None:
    """Print the counts of all tables, then the questions with their answers."""
    counts = row_counts(store, [table_named("lineage_events"), table_named("quarantine"), *normalized_tables()])
    events, quarantined = counts.pop("lineage_events"), counts.pop("quarantine")
    console.print(
        _grid("Rows in the lineage tables", ("table", "rows"), [(n, f"{c:,}") for n, c in counts.items() if c])
    )
    for question, query in QUESTIONS:
        found = answer(store, query, {"dataset": LEADERBOARD})
        console.print(_grid(f"{question}  (sql/queries/{query}.sql)", found.columns, _texts(found)))
    console.print(f"\n[bold]{events:,}[/bold] events, [bold]{quarantined:,}[/bold] quarantined, {seconds:.0f} seconds")


def _texts(found: Answer) -> list[tuple[str, ...]]:
    return [tuple(_text(value) for value in row) for row in found.rows]


def _text(value: object) -> str:
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M:%S}"
    return "" if value is None else str(value)


def _grid(title: str, columns: tuple[str, ...], rows: list[tuple[str, ...]]) -> Table:
    grid = Table(title=title, title_justify="left", title_style="bold")
    for column in columns:
        grid.add_column(column, overflow="fold")
    for row in rows:
        grid.add_row(*row)
    return grid


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
        """A step; what is reported during it stands beside its title until it ends."""
        begun = time.monotonic()
        with self.console.status(title) as status:
            yield lambda words: status.update(f"{title}: {words}")
        self.console.print(f"[green]✓[/green] {title} [dim]({time.monotonic() - begun:.1f} s)[/dim]", highlight=False)
