"""Events that no one can stage: what goes wrong when their rows are made is not foreseen by any check."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from typing import Any

from lineage_core.declare.vocabulary import Row
from lineage_core.model.folding import RowMaker, RowMakers
from lineage_core.normalize.store.staging import StagingTask
from lineage_core.openlineage.events import AnyMention, Event
from lineage_core.tasks import Done, Item, SerialRunner, Work
from lineage_core.testing import TIME, Document, dataset, facet, named_job, run_event

CURSED = "cursed"
"""Name of the job whose events break what touches them."""

Rows = Iterator[Row]
Breaking = Callable[[Rows], Rows]


def events(number: int, cursed: set[int]) -> list[Document]:
    """One job and one dataset for several events, so that the cursed are folded with their neighbours."""
    return [
        run_event(
            "COMPLETE",
            run_id=f"run {place}",
            time=TIME + timedelta(minutes=place),
            job=named_job(CURSED if place in cursed else f"job {place % 2}"),
            outputs=[dataset(f"table {place % 3}", fields=[("id", "INT")])],
            facets={"own": facet(n=place)},
        )
        for place in range(number)
    ]


@contextmanager
def broken(breaking: Breaking, table: str = "facets") -> Iterator[None]:
    """While it lasts, the rows of a table that cursed events say are what `breaking` makes of them."""
    whole, together = RowMaker.rows, RowMakers.rows

    def rows(self: RowMaker, event: Event, mentions: Iterable[AnyMention] | None = None) -> Rows:
        made = whole(self, event, mentions)
        return breaking(made) if self._name == table and _is_cursed(event) else made

    def rows_of_all(self: RowMakers, event: Event, mentions: Iterable[AnyMention]) -> list[list[Row]]:
        made = together(self, event, mentions)
        for place, maker in enumerate(self._makers):
            if maker.kinds and maker._name == table and _is_cursed(event):
                made[place] = list(breaking(iter(made[place])))
        return made

    RowMaker.rows, RowMakers.rows = rows, rows_of_all  # type: ignore[method-assign]
    try:
        yield
    finally:
        RowMaker.rows, RowMakers.rows = whole, together  # type: ignore[method-assign]


def _is_cursed(event: Event) -> bool:
    return event.job is not None and event.job.name == CURSED


def raising(error: Exception) -> Breaking:
    def rows(_made: Rows) -> Rows:
        raise error

    return rows


def recursing(made: Rows) -> Rows:
    return recursing(made)


def saying(values: Mapping[str, Any]) -> Breaking:
    """Rows with values that Postgres does not take."""

    def rows(made: Rows) -> Rows:
        return ({**row, **values} for row in made)

    return rows


def killing(death: signal.Signals) -> Breaking:
    def rows(made: Rows) -> Rows:
        os.kill(os.getpid(), death)
        return made

    return rows


def ending(code: int) -> Breaking:
    def rows(_made: Rows) -> Rows:
        os._exit(code)

    return rows


class Apart(SerialRunner):
    """Stages each part in a process of its own, as Spark's tasks do with large events."""

    is_elsewhere = True

    def results(self, work: Work[Item, Done], items: Sequence[Item]) -> Iterator[Done]:
        apart = [replace(item, apart=True) if isinstance(item, StagingTask) else item for item in items]
        return super().results(work, apart)
