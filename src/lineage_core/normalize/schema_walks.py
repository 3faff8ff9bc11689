"""How the schemas of datasets are judged anew: from the earliest change on, as far as it makes a difference.

The rules are those of `lineage_core.evolution.dataset_history`. What is judged is a timeline: the versions of a dataset
that became current, in the order of events.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from lineage_core.evolution import DatasetHistory, Judgement
from lineage_core.evolution.dataset_history import recorded_fields
from lineage_core.openlineage.identity import key_uuid

MOST_LISTED = 1_000
"""Members of each list of a verdict that are kept."""


@dataclass(frozen=True)
class TimelinePlace:
    """A version that became current by the event at `event_order`. `fields` is JSON, None if no event gave a schema.

    history: the id of what it was judged by when `is_judged`; None if nothing was known.
    """

    dataset: UUID
    event_order: bytes
    version: UUID
    current_from: datetime
    fields: str | None
    is_judged: bool
    history: UUID | None


@dataclass(frozen=True)
class KeptHistory:
    """By what a schema is judged, as JSON, and the id that follows from it; None of the beginning."""

    uuid: UUID | None
    history: str

    @classmethod
    def of(cls, dataset: UUID, history: DatasetHistory) -> KeptHistory:
        text = msgspec.json.encode(history).decode()
        if history == DatasetHistory():
            return cls(None, text)
        return cls(UUID(bytes=key_uuid("dataset_schema_histories", str(dataset), text)), text)


@dataclass(frozen=True)
class JudgedPlace:
    """A place with its verdict."""

    place: TimelinePlace
    judgement: Judgement
    history: KeptHistory


class SchemaWalk:
    """A walk along the timeline of one dataset, over the places that have changed and those that follow from them.

    It asks for what it needs: what is known before `place`, if `begins`, and the places from there on.
    """

    def __init__(self, dataset: UUID, changed: Sequence[bytes]) -> None:
        """changed: the places that are new or have other fields, at least one; some may be gone."""
        self.dataset = dataset
        self._changed = sorted(changed)
        self._known = DatasetHistory()
        self._kept = KeptHistory.of(dataset, self._known)
        self._unchanged: tuple[str | None, Judgement] | None = None
        """The last fields that left what is known as it was, and their judgement."""
        self.begins = True
        """Whether it needs to know what came before."""
        self.place: bytes | None = self._changed[0]
        """From where on it needs places; None at its end."""

    def begin(self, history: DatasetHistory) -> None:
        self._remember(history)
        self.begins = False

    def judge(self, places: Iterable[TimelinePlace], most: int) -> Iterator[JudgedPlace]:
        """The verdicts on the next places, up to where those that are stored stand; it knows where to go on when all
        are taken. Fewer places than `most` are the last.

        Between two changes that lie far from each other, it leaves out what stands.
        """
        changed = set(self._changed)
        self.place = None
        for number, place in enumerate(places, 1):
            history = self._kept
            # Judged by what is known now, so this verdict stands, and with it all behind it up to the next change.
            if place.event_order not in changed and place.is_judged and place.history == history.uuid:
                self._leave_out(place)
                return
            judgement = self._judgement(place.fields)
            # The least order behind this one, as bytes are compared: more places may follow those that were read.
            self.place = place.event_order + b"\0" if number == most else None
            yield JudgedPlace(place, judgement, history)

    def _judgement(self, fields: str | None) -> Judgement:
        """The judgement of the fields that came next, and are known from then on.

        Most are those that came before them. Fields that have changed nothing are judged once, as long as they come.
        """
        if self._unchanged is None or fields != self._unchanged[0]:
            judgement, known = self._known.next_for_all(recorded_fields(fields))
            if known != self._known:
                self._remember(known)
                return judgement
            self._unchanged = fields, judgement
        return self._unchanged[1]

    def _remember(self, history: DatasetHistory) -> None:
        self._known = history
        self._kept = KeptHistory.of(self.dataset, history)
        self._unchanged = None

    def _leave_out(self, standing: TimelinePlace) -> None:
        """Goes on at the next change behind a verdict that stands."""
        following = bisect_right(self._changed, standing.event_order)
        self.place = self._changed[following] if following < len(self._changed) else None
        self.begins = True


def known_before(history: Any, fields: str | None, *, is_before: bool) -> DatasetHistory:
    """What was known before a place: JSON of a history, followed by a schema that was judged by it if `is_before`."""
    known = DatasetHistory() if history is None else DatasetHistory.from_json(history)
    return known.next(recorded_fields(fields))[1] if is_before else known


def listed(members: Sequence[Any]) -> str:
    """Changes or refusals as JSON, no more than are kept."""
    return msgspec.json.encode(members[:MOST_LISTED]).decode()
