"""The walk from bad versions to the runs that read them, to what these wrote, and on, a step at a time.

A step takes all versions of the step before at once, by arrays of keys: each row that it reads is one of the answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from lineage_core.answers.affected.answer import AffectedRead
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.typed_rows import each_row, every_row

_FETCHED = 5_000
"""Rows that are held of a step before they are looked at."""


@dataclass(frozen=True)
class WalkStart:
    """Where a walk begins: versions that are bad, and the runs that wrote them.

    asked: the run that is asked about, which is in no list though it may read what comes of itself.
    """

    asked: UUID | None
    bad: tuple[UUID, ...]
    writers: tuple[WrittenVersion, ...]


@dataclass(frozen=True)
class WrittenVersion:
    """A version that names a run; `is_there` is whether retention has left it."""

    run: UUID
    version: UUID
    is_there: bool


@dataclass(frozen=True)
class _Reader:
    run: UUID
    version: UUID
    is_there: bool


@dataclass(frozen=True)
class WalkPage:
    """Which of the runs are asked for: at most `limit`, behind the run `after`."""

    limit: int
    after: UUID | None


@dataclass
class WalkFindings:
    """What a walk has reached up to the end of its page: the order is by steps, and by ids within a step.

    runs, versions: of the page alone. Those that are purged stand apart.
    reads, written: all that were met, also before the page: what feeds what follows from them.
    next: the last run of the page, if there are more.
    """

    runs: list[UUID] = field(default_factory=list)
    versions: list[UUID] = field(default_factory=list)
    purged_runs: list[UUID] = field(default_factory=list)
    purged_versions: list[UUID] = field(default_factory=list)
    reads: list[AffectedRead] = field(default_factory=list)
    written: list[WrittenVersion] = field(default_factory=list)
    next: UUID | None = None
    has_begun: bool = False
    """Whether the page has begun: it does not while the run is not met after which it stands."""


def walk(connection: Connection, start: WalkStart, page: WalkPage) -> WalkFindings:
    """Everything that is reached, up to the end of a page. In memory is what was walked, also before the page."""
    return _Walk(connection, start, page).done()


class _Walk:
    def __init__(self, connection: Connection, start: WalkStart, page: WalkPage) -> None:
        self._connection = connection
        self._page = page
        self._known_runs: set[UUID] = set() if start.asked is None else {start.asked}
        self._known_versions = set(start.bad)
        self._start = start
        self._taken = 0
        self._found = WalkFindings(written=list(start.writers), has_begun=page.after is None)

    def done(self) -> WalkFindings:
        if self._start.asked is not None and self._found.has_begun:
            self._take_versions(self._start.writers)
        bad: Sequence[UUID] = self._start.bad
        while bad and self._found.next is None:
            bad = self._step(bad)
        return self._found

    def _step(self, bad: Sequence[UUID]) -> list[UUID]:
        """From versions to the runs that read them, and to what these wrote that was not reached before."""
        before = self._found.has_begun
        readers = list(self._readers(bad))
        if not readers:
            return []
        parameters = {"runs": [one.run for one in readers]}
        written = every_row(self._connection, WrittenVersion, "answers/affected/written", parameters)
        self._found.written += written
        new = list(self._first_writers(written))
        shown = new if before else [one for one in new if one.run in self._of_the_page(readers)]
        self._take_versions(shown)
        self._known_versions.update(one.version for one in new)
        return [one.version for one in new]

    def _of_the_page(self, readers: Sequence[_Reader]) -> set[UUID]:
        """The runs of a step in which the page begins that stand behind the run after which it does."""
        runs = [one.run for one in readers]
        return set(runs[runs.index(self._page.after) + 1 :]) if self._page.after in runs else set()

    def _readers(self, bad: Sequence[UUID]) -> Iterator[_Reader]:
        """The runs that are reached first by these versions, each once, until the page is full."""
        parameters = {"versions": list(bad)}
        rows = each_row(self._connection, _Reader, "answers/affected/readers", parameters, at_once=_FETCHED)
        for row in rows:
            if row.run not in self._known_runs:
                if self._taken == self._page.limit:
                    self._found.next = self._last
                    rows.close()
                    return
                self._known_runs.add(row.run)
                self._take_run(row)
                yield row
            self._found.reads.append(AffectedRead(row.run, row.version))

    def _take_run(self, row: _Reader) -> None:
        self._last = row.run
        if not self._found.has_begun:
            self._found.has_begun = row.run == self._page.after
            return
        self._taken += 1
        (self._found.runs if row.is_there else self._found.purged_runs).append(row.run)

    def _first_writers(self, written: Iterable[WrittenVersion]) -> Iterator[WrittenVersion]:
        """Each version that is new, by the first of the runs that it names: rows stand in the order of versions."""
        last = None
        for one in written:
            if one.version != last and one.version not in self._known_versions:
                yield one
            last = one.version

    def _take_versions(self, written: Iterable[WrittenVersion]) -> None:
        for one in written:
            (self._found.versions if one.is_there else self._found.purged_versions).append(one.version)
