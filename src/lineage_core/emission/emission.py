"""Sends raw events on, each at least once, and remembers how far it has come."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from typing import Any

from lineage_core import statements
from lineage_core.emission.destination import Destination, RefusedByReceiver
from lineage_core.errors import NeedsOperator, StaleWatermark
from lineage_core.normalize.slices import Position, SliceEvent
from lineage_core.normalize.store.event_choices import EventsByArrival, begin, finish, prefer_indexes
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.failures import explained
from lineage_core.postgres.leases import Lease, fence, held_lease
from lineage_core.postgres.store import Store
from lineage_core.postgres.typed_rows import every_row, execute

AT_ONCE, BYTES_AT_ONCE = 500, 8 << 20
"""Events whose places are written down together, and their bytes; one event alone may have more."""

SHOWN_REFUSALS = 20
"""How many refused events an outcome names."""

MOST_REFUSED_AT_FIRST = 20
"""After so many refusals, and none that was taken, the address or the receiver is taken for the fault."""

PATIENCE_SECONDS = 2.0


@dataclass(frozen=True)
class RefusedEvent:
    """run: its id, or None of an event without a run. event_time: as the event has it; None if it cannot be read."""

    run: str | None
    event_time: str | None
    reason: str


@dataclass(frozen=True)
class EmissionOutcome:
    """sent: events that the receiver took. refused: how many it did not; the first of them are `refusals`."""

    sent: int
    refused: int
    refusals: tuple[RefusedEvent, ...]


@dataclass(frozen=True)
class _RawEvent:
    first: int
    second: int
    event: str


def consumer(name: str) -> str:
    """The watermark and the lease of an emission."""
    return f"emit {name}"


def emit(
    store: Store,
    destination: Destination,
    name: str,
    *,
    most: int | None = None,
    again: bool = False,
    tell: Callable[[RefusedEvent], object] = lambda _refused: None,
    progress: Callable[[int], object] = lambda _done: None,
) -> EmissionOutcome:
    """Sends on what has arrived and was not sent on under this name, in order of arrival, `most` events of it.

    again: all, whatever was sent on before. tell: called for each event that the receiver refuses, at once. progress:
    called with how many events are through. What the
    receiver has taken is written down though the rest fails. Raises TryAgain if the receiver or the store is away, or
    somebody else is at it, NeedsOperator if the receiver takes none.
    """
    with (
        explained("lineage_jobs"),
        held_lease(store, consumer(name), patience=PATIENCE_SECONDS) as lease,
        store.connect(application_name="lineage emits", autocommit=True) as connection,
        closing(destination),
    ):
        if again:
            _forget(connection, lease, name)
        return _Emission(connection, lease, destination, name, tell, progress).run(most)


def _forget(connection: Connection, lease: Lease, name: str) -> None:
    with connection.transaction():
        fence(connection, lease)
        execute(connection, "emission/begin_again", {"name": consumer(name)})


class _Emission:
    def __init__(
        self,
        connection: Connection,
        lease: Lease,
        destination: Destination,
        name: str,
        tell: Callable[[RefusedEvent], object],
        progress: Callable[[int], object],
    ) -> None:
        self._connection = connection
        self._lease = lease
        self._destination = destination
        self._name = name
        self._tell = tell
        self._progress = progress
        self._sent = 0
        self._refused = 0
        self._refusals: list[RefusedEvent] = []

    def run(self, most: int | None) -> EmissionOutcome:
        reading = self._begin()
        while most is None or most > self._done:
            batch = list(self._next(reading, AT_ONCE if most is None else min(AT_ONCE, most - self._done)))
            if batch:
                self._send(reading, batch)
                reading = reading.behind(batch[-1].position)
                continue
            finish(self._connection, self._lease, reading)
            if not reading.is_resumed:
                break
            reading = self._begin()
        return EmissionOutcome(self._sent, self._refused, tuple(self._refusals))

    def _begin(self) -> EventsByArrival:
        try:
            return begin(self._connection, self._lease, consumer(self._name))
        except StaleWatermark:
            raise StaleWatermark(
                f"The database was restored from a dump, so that it is unknown what was sent as {self._name!r}."
                " `--again` sends everything once more"
            ) from None

    @property
    def _done(self) -> int:
        return self._sent + self._refused

    def _next(self, reading: EventsByArrival, most: int) -> Iterator[SliceEvent]:
        size = 0
        with self._connection.transaction(), closing(reading.waiting(self._connection)) as waiting:
            for event in islice(waiting, most):
                size += event.size
                if size > BYTES_AT_ONCE and size > event.size:
                    return
                yield event

    def _send(self, reading: EventsByArrival, batch: Sequence[SliceEvent]) -> None:
        """Where it breaks off, what was taken is written down all the same, and what was refused before it."""
        done: Position | None = None
        try:
            for raw in self._texts(batch):
                self._send_one(raw.event)
                self._progress(self._done)
                done = (raw.first, raw.second)
        except BaseException:
            if done is not None and self._sent:
                self._mark(reading, done)
            raise
        if done is not None:
            self._mark(reading, done)

    def _texts(self, batch: Sequence[SliceEvent]) -> list[_RawEvent]:
        asked = {"firsts": [event.position[0] for event in batch], "seconds": [event.position[1] for event in batch]}
        with self._connection.transaction():
            prefer_indexes(self._connection)
            return every_row(self._connection, _RawEvent, "emission/events", asked)

    def _send_one(self, text: str) -> None:
        event: dict[str, Any] = {}
        try:
            event = json.loads(text)
            self._destination.send(event)
        except RefusedByReceiver as refused:
            self._refuse(event, str(refused))
        except (ValueError, RecursionError) as error:
            self._refuse(event, f"OpenLineage's client cannot write it: {error}")
        else:
            self._sent += 1

    def _refuse(self, event: dict[str, Any], reason: str) -> None:
        run = event.get("run") or {}
        refused = RefusedEvent(run.get("runId"), event.get("eventTime"), reason)
        self._refused += 1
        self._tell(refused)
        if len(self._refusals) < SHOWN_REFUSALS:
            self._refusals.append(refused)
        if self._refused >= MOST_REFUSED_AT_FIRST and not self._sent:
            raise NeedsOperator(
                f"{self._destination.name} took none of {self._refused} events, the last because: {reason}"
            )

    def _mark(self, reading: EventsByArrival, until: Position) -> None:
        statements.announce("emit")
        with self._connection.transaction():
            fence(self._connection, self._lease)
            reading.mark_done(self._connection, until)
