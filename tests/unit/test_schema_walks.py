"""Walks along the timeline of a dataset judge anew what a change makes different, and no more."""

from __future__ import annotations

import json
from bisect import bisect_left, insort
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from lineage_core.evolution import DatasetHistory, DescribedField, Judgement
from lineage_core.evolution.dataset_history import DEEPEST, recorded_fields
from lineage_core.normalize.schema_walks import JudgedPlace, SchemaWalk, TimelinePlace, known_before, listed

DATASET = UUID(int=1)
NOW = datetime(2026, 1, 1, tzinfo=UTC)
LONG = 10_000

Schema = str | None
"""The names of its fields, each one letter; None if no event says it."""


def written(schema: Schema) -> str | None:
    return None if schema is None else json.dumps([{"name": name, "type": "INT"} for name in schema])


@dataclass
class Timeline:
    """What a store holds of one dataset: schemas by their places, and the verdicts that are kept."""

    schemas: dict[bytes, Schema] = field(default_factory=dict)
    kept: dict[bytes, JudgedPlace] = field(default_factory=dict)
    places: list[bytes] = field(default_factory=list)
    read: int = 0

    def put(self, *changed: tuple[int, Schema], most: int = 3) -> list[int]:
        """Puts schemas at places, as one merge does; which places were judged."""
        for number, schema in changed:
            place = number.to_bytes(4)
            if place not in self.schemas:
                insort(self.places, place)
            self.schemas[place] = schema
        walk = SchemaWalk(DATASET, [number.to_bytes(4) for number, _ in changed])
        judged = []
        while walk.place is not None:
            if walk.begins:
                walk.begin(self._known_before(walk.place))
            for one in list(walk.judge(self._next(walk.place, most), most)):
                self.kept[one.place.event_order] = one
                judged.append(int.from_bytes(one.place.event_order))
            most = min(2 * most, 512)
        return judged

    def _next(self, start: bytes, most: int) -> list[TimelinePlace]:
        first = bisect_left(self.places, start)
        found = self.places[first : first + most]
        self.read += len(found)
        return [self._place(place) for place in found]

    def _place(self, place: bytes) -> TimelinePlace:
        kept = self.kept.get(place)
        before = None if kept is None else kept.history.uuid
        fields = written(self.schemas[place])
        return TimelinePlace(DATASET, place, UUID(int=2), NOW, fields, kept is not None, before)

    def _known_before(self, start: bytes) -> DatasetHistory:
        behind = [place for place in self.places if place >= start and place in self.kept]
        if behind:
            return known_before(json.loads(self.kept[behind[0]].history.history), None, is_before=False)
        earlier = [place for place in self.places if place < start and place in self.kept]
        if not earlier:
            return DatasetHistory()
        last = self.kept[earlier[-1]]
        return known_before(json.loads(last.history.history), written(self.schemas[earlier[-1]]), is_before=True)

    def judgements(self) -> list[Judgement]:
        return [self.kept[place].judgement for place in self.places]

    def anew(self) -> Iterator[Judgement]:
        history = DatasetHistory()
        for place in self.places:
            judgement, history = history.next_for_all(recorded_fields(written(self.schemas[place])))
            yield judgement


SCHEMAS = st.none() | st.sets(st.sampled_from("abc")).map(lambda names: "".join(sorted(names)))
MERGES = st.lists(st.lists(st.tuples(st.integers(0, 12), SCHEMAS), min_size=1, max_size=8), max_size=5)


@given(merges=MERGES, most=st.integers(1, 4))
def test_it_ends_where_judging_anew_does(merges: list[list[tuple[int, Schema]]], most: int) -> None:
    timeline = Timeline()
    for merge in merges:
        timeline.put(*dict(merge).items(), most=most)
        assert timeline.judgements() == list(timeline.anew())


def test_fields_that_come_again_after_others_are_judged_by_those() -> None:
    timeline = Timeline()
    timeline.put((0, "a"), (1, "a"), (2, "ab"), (3, "a"))
    assert [judgement.verdict for judgement in timeline.judgements()] == [
        "first",
        "unchanged",
        "compatible",
        "compatible",
    ]


def test_what_comes_last_is_judged_alone() -> None:
    timeline = Timeline()
    timeline.put(*((number, "ab") for number in range(9)))
    assert timeline.put((9, "a")) == [9]


def test_a_late_schema_that_changes_nothing_behind_it_is_judged_alone() -> None:
    timeline = Timeline()
    timeline.put(*((number, "ab") for number in range(0, 90, 2)))
    assert timeline.put((3, "ab")) == [3]


def test_a_late_schema_is_followed_as_far_as_it_makes_a_difference() -> None:
    timeline = Timeline()
    timeline.put((0, "a"), (2, "ab"), (4, "abc"), (6, "abc"))
    assert timeline.put((1, "ab")) == [1, 2], "what is known behind 2 is what it was"


def test_what_lies_between_two_changes_stands() -> None:
    timeline = Timeline()
    timeline.put(*((number, "ab") for number in range(0, 90, 2)))
    timeline.read = 0
    assert timeline.put((3, "ab"), (71, "ab"), most=4) == [3, 71]
    assert timeline.read < 20


def test_a_late_deletion_is_known_to_all_behind_it() -> None:
    timeline = Timeline()
    timeline.put((0, "ab"), (2, "b"), (4, "b"))
    assert timeline.put((1, "abc")) == [1, 2, 4]
    assert timeline.put((5, "bc")) == [5]
    assert timeline.judgements()[-1].refusals[0].path == "c"


def test_in_a_long_history_no_place_is_read_or_judged_twice_and_few_are_where_little_changes() -> None:
    timeline = Timeline()
    timeline.put(*((2 * number, "ab" if number % 100 else "abc") for number in range(LONG)))
    timeline.read = 0
    assert timeline.put((LONG + 3, "ab")) == [LONG + 3]
    assert timeline.read < 10
    timeline.read = 0
    assert len(timeline.put((1, "d"))) == LONG + 1
    assert timeline.read < LONG + 10


def test_the_lists_that_are_kept_end_somewhere() -> None:
    judgement, _ = (
        DatasetHistory()
        .next_for_all((DescribedField("c0"),))[1]
        .next_for_all(recorded_fields(json.dumps([{"name": f"c{number}"} for number in range(1_200)])))
    )
    assert len(judgement.changes) == 1_199
    assert len(json.loads(listed(judgement.changes))) == 1_000


def test_what_is_nested_too_deeply_counts_as_unknown() -> None:
    text = '[{"name": "a", "fields": ' * 100 + "[]" + "}]" * 100
    fields = recorded_fields(text)
    for _ in range(DEEPEST - 1):
        assert fields is not None
        fields = fields[0].fields
    assert fields is not None
    assert fields[0].fields is None
    far = '[{"name": "a", "fields": ' * 100_000 + "[]" + "}]" * 100_000
    assert recorded_fields(far) is None
