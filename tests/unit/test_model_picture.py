"""The picture of the model: every table once, nothing upon anything else, and each line as the declarations say."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from xml.etree import ElementTree

import pytest

from lineage_core.declare.tables import all_tables, normalized_tables
from lineage_core.model.derivations import all_derivations
from lineage_core.render.model_picture import EVENTS, derived_of, lane_of, picture, shortest
from lineage_core.settings import PROJECT

SVG = "{http://www.w3.org/2000/svg}"
DRAWN = ElementTree.fromstring(picture(all_tables(), all_derivations()))
WIDEST = 7.4
"""Pixels of a character, on average, of a name in bold at 12 pixels; a wide font has no more."""

WIDEST_OF_KEYS = 6.8
"""The same of a line in a font of one width at 11 pixels."""


@dataclass(frozen=True)
class Rectangle:
    left: float
    top: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.left + self.width

    @property
    def bottom(self) -> float:
        return self.top + self.height

    def overlaps(self, other: Rectangle) -> bool:
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )

    def holds(self, other: Rectangle) -> bool:
        return (
            self.left <= other.left
            and other.right <= self.right
            and self.top <= other.top
            and other.bottom <= self.bottom
        )


def _rectangles(of: str) -> Iterator[Rectangle]:
    for found in DRAWN.iter(f"{SVG}rect"):
        if found.get("class") == of:
            yield Rectangle(*(float(found.get(name, "0")) for name in ("x", "y", "width", "height")))


BOXES, BANDS, (PAGE,) = [*_rectangles("box")], [*_rectangles("band")], _rectangles("page")


def _texts(kind: str) -> Iterator[tuple[str, float, float]]:
    for found in DRAWN.iter(f"{SVG}text"):
        if kind in str(found.get("class")).split():
            yield str(found.text), float(found.get("x", "0")), float(found.get("y", "0"))


def test_every_table_of_the_model_is_there_once() -> None:
    names = [name for name, _, _ in _texts("name")]
    assert sorted(names) == sorted([EVENTS, *(table.name for table in normalized_tables())])
    assert len(BOXES) == len(names)


def test_no_box_lies_upon_another_and_each_is_within_its_lane() -> None:
    assert not any(one.overlaps(other) for one, other in combinations(BOXES, 2))
    assert not any(one.overlaps(other) for one, other in combinations(BANDS, 2))
    assert all(sum(band.holds(box) for band in BANDS) == 1 for box in BOXES)
    assert all(PAGE.holds(band) for band in BANDS)


@pytest.mark.parametrize(("kind", "widest"), [("name", WIDEST), ("key", WIDEST_OF_KEYS), ("refers", WIDEST_OF_KEYS)])
def test_what_stands_in_a_box_has_room_there(kind: str, widest: float) -> None:
    lines = [*_texts(kind)]
    assert len(lines) > 20
    for text, x, y in lines:
        line = Rectangle(x, y - 9, len(text) * widest, 11)
        assert sum(box.holds(line) for box in BOXES) == 1, text


def test_no_line_passes_behind_a_box() -> None:
    """They are straight past a column of boxes, and curved where there is none."""
    lines = [str(path.get("d")) for path in DRAWN.iter(f"{SVG}path")]
    straight = list[Rectangle]()
    for line in lines:
        for left, height, right in re.findall(r"(\d+) (\d+) H(\d+)", line):
            straight.append(Rectangle(float(left), float(height) - 1, float(right) - float(left), 2))
    assert len(straight) > 10
    assert not any(box.overlaps(part) for box in BOXES for part in straight)


def test_there_is_a_line_for_each_table_that_another_is_derived_of() -> None:
    sources = derived_of(all_tables(), all_derivations())
    assert sources["datasets"] == {"dataset_names"}
    assert sources["jobs"] == {EVENTS}, "parents that do not report amend it"
    assert {"dataset_mentions", "dataset_schemas", "datasets"} <= sources["dataset_schema_versions"]
    assert sources["dataset_schema_verdicts"] == {"dataset_schema_histories", "datasets"}, "by what it refers to"
    expected = sum(len(found) for found in shortest(sources).values())
    assert len([*DRAWN.iter(f"{SVG}path")]) == expected


def test_what_follows_from_other_lines_has_none() -> None:
    assert shortest({"b": {"a"}, "c": {"a", "b"}, "d": {"a", "c"}}) == {"b": ["a"], "c": ["b"], "d": ["c"]}


@pytest.mark.parametrize(
    ("name", "lane"),
    [("datasets", "Datasets"), ("dataset_schemas", "Schemas and columns"), ("planets", "Others")],
)
def test_a_table_is_in_the_lane_that_its_name_fits_best(name: str, lane: str) -> None:
    assert lane_of(name).title == lane


def test_a_lane_without_tables_is_left_out() -> None:
    assert len(BANDS) == len({lane_of(name) for name, _, _ in _texts("name")})


def test_it_has_colours_for_a_dark_page_too_and_needs_nothing_else() -> None:
    text = (PROJECT / "docs" / "pictures" / "model.svg").read_text()
    assert "@media (prefers-color-scheme:dark)" in text
    assert re.findall(r"https?://[^\s\"]+", text) == ["http://www.w3.org/2000/svg"]
    assert "<script" not in text
