"""What the demo shows: its steps as they go, and at its end what came out of it, with questions answered."""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime

from rich.console import Console
from rich.table import Table

from lineage_core.command_line.found_rows import FoundRows
from lineage_core.database.sizes import row_counts
from lineage_core.declare.tables import table_named
from lineage_core.local.demo_commands import output_of
from lineage_core.postgres.store import Store
from lineage_core.queries.store import answer

LEADERBOARD = "games.example.leaderboard"
FAILED_TASK = "match_scores_leaderboard.update_leaderboard"

QUESTIONS = (
    ("What is the leaderboard made of?", "upstream_of_a_dataset"),
    ("Which versions of it were there?", "versions_of_a_dataset"),
    ("Where does each of its columns come from?", "origins_of_columns"),
)
"""A question and the file in sql/queries/ that answers it."""


@dataclass(frozen=True)
class Story:
    """namespace: of the example's datasets. before, after: moments before and after the job changed."""

    namespace: str
    before: datetime
    after: datetime


def report(console: Console, store: Store, story: Story, seconds: float) -> None:
    """Print the questions with their answers, what changed, why a run failed, and how many events there are."""
    for question, query in QUESTIONS:
        found = answer(store, query, {"dataset": LEADERBOARD})
        console.print(_grid(f"{question}  (sql/queries/{query}.sql)", found.columns, _texts(found)))
    _show_change(console, story)
    _show_failure(console, store, story)
    counts = row_counts(store, [table_named("lineage_events"), table_named("quarantine")])
    events, quarantined = counts["lineage_events"], counts["quarantine"]
    console.print(f"\n[bold]{events:,}[/bold] events, [bold]{quarantined:,}[/bold] quarantined, {seconds:.0f} seconds")


def _show_change(console: Console, story: Story) -> None:
    """What the leaderboard is made of since its job has changed, that it was not before."""
    moments = ("--from", _moment(story.before), "--to", _moment(story.after))
    words = ("graph", "diff", "--dataset", story.namespace, LEADERBOARD, *moments, "--up")
    _show_command(console, "What is it made of since its job has changed?", words)


def _show_failure(console: Console, store: Store, story: Story) -> None:
    """Of the run that was made to fail."""
    for run in failed_example(store, story):
        _show_command(console, "Why did its last run fail?", ("explain", run))


def failed_example(store: Store, story: Story) -> list[str]:
    """The runs of the example that failed since its job has changed, as the tables have them."""
    failed = answer(store, "failed_runs", {"since": story.after.isoformat()})
    job, run = failed.columns.index("job"), failed.columns.index("run")
    return [str(row[run]) for row in failed.rows if row[job] == FAILED_TASK]


def _show_command(console: Console, question: str, words: Sequence[str]) -> None:
    """A command as a person would run it, and what it prints."""
    console.print(f"\n[bold]{question}[/bold]\n$ lineage {shlex.join(words)}", highlight=False, soft_wrap=True)
    console.print(output_of(*words), highlight=False, soft_wrap=True, markup=False)


def _moment(time: datetime) -> str:
    return f"{time:%Y-%m-%dT%H:%M:%SZ}"


def _texts(found: FoundRows) -> list[tuple[str, ...]]:
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
        if not self.console.is_terminal:  # which has no line that changes
            self.console.print(f"… {title}", highlight=False)
        with self.console.status(title) as status:
            yield lambda words: status.update(f"{title}: {words}")
        self.console.print(f"[green]✓[/green] {title} [dim]({time.monotonic() - begun:.1f} s)[/dim]", highlight=False)
