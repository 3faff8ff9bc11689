"""The model as a picture: its tables by entity, from those that events fill to those that are derived of others.

A lane for each entity, a column for each step away from the events. Lines pass between boxes, never behind them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise

from lineage_core.declare.vocabulary import DERIVED, Table
from lineage_core.model.derivations import Derivation
from lineage_core.model.merge_order import MergeStep, merge_order


@dataclass(frozen=True)
class Lane:
    """An entity: the tables whose names begin so, in its colour (hue, in degrees)."""

    title: str
    beginnings: tuple[str, ...]
    hue: int


LANES = (
    Lane("Words that all share", ("namespace", "source", "owner", "tag"), 250),
    Lane("Jobs", ("job",), 30),
    Lane("Runs and their facets", ("run", "parent_mentions", "facet"), 350),
    Lane("Events", ("event_ledger", "unreadable_facets", "lineage_events"), 195),
    Lane("Datasets", ("dataset",), 215),
    Lane(
        "Schemas and columns",
        ("dataset_schema", "dataset_field", "schema_fields", "column_lineage", "dataset_column"),
        145,
    ),
    Lane("Others", ("",), 60),
)
"""From top to bottom. A table belongs to the lane with the longest beginning of its name; a lane without tables is left
out."""

EVENTS = "lineage_events"

_WIDTH, _GUTTER, _MARGIN = 234, 70, 20
"""Of a box, between two columns of boxes, and around all."""

_HEADER, _TITLE, _PAD, _GAP = 64, 30, 16, 16
"""Above the lanes, for the title of a lane, below its boxes, and between two boxes of a lane."""

_NAME, _LINE, _FOOT = 26, 15, 8
"""Heights within a box: its name, a line of its key or of what it refers to, and below them."""

_TRACK = 5
"""Between two lines that pass through one gap."""

_LONGEST = 31
"""Characters of a line within a box."""

_REFERS = "→ "
"""Before the name of a table that another refers to."""


@dataclass(frozen=True)
class _Box:
    table: Table
    lane: Lane
    column: int
    x: int
    y: int
    height: int

    @property
    def middle(self) -> int:
        return self.y + self.height // 2

    @property
    def right(self) -> int:
        return self.x + _WIDTH


@dataclass(frozen=True)
class _Sizes:
    width: int
    height: int
    lanes: Mapping[str, tuple[int, int]]
    """Top and height of each lane, by its title."""


def picture(tables: Sequence[Table], derivations: Sequence[Derivation]) -> str:
    """As SVG, in the colours of a light page or of a dark one."""
    drawn = [table for table in tables if table.name == EVENTS or _is_of_the_model(table)]
    sources = shortest(derived_of(tables, derivations))
    columns = {table.name: _column(table.name, sources) for table in drawn}
    boxes, sizes = _laid_out(drawn, columns, sources)
    return "\n".join(_svg(boxes, sources, sizes))


def lane_of(name: str) -> Lane:
    """Where a table is drawn."""
    fitting = [(len(start), lane) for lane in LANES for start in lane.beginnings if name.startswith(start)]
    return max(fitting, key=lambda found: found[0])[1]


def shortest(sources: Mapping[str, Collection[str]]) -> dict[str, list[str]]:
    """Without what is also a source of another source: of A to B to C and A to C, the last goes."""
    return {
        name: sorted(source for source in found if not any(source in _all_sources(other, sources) for other in found))
        for name, found in sources.items()
    }


def _is_of_the_model(table: Table) -> bool:
    return table.rows is not None or any(column.rule == DERIVED for column in table.columns)


def derived_of(tables: Sequence[Table], derivations: Sequence[Derivation]) -> dict[str, set[str]]:
    """Of each table of the model, those that it is derived of. One that events fill follows from the events, though
    others amend it; where no statement derives it, what it refers to stands for that."""
    drawn = [table for table in tables if _is_of_the_model(table)]
    names = {table.name for table in drawn}
    ranks = _ranks(tables, merge_order(tables, derivations))
    found: dict[str, set[str]] = {}
    for table in drawn:
        read = {name for one in derivations if table.name in one.writes for name in one.reads}
        if not read:
            read = {column.reference.table for column in table.columns if column.reference}
        earlier = {name for name in read & names if ranks[name] < ranks[table.name]}
        found[table.name] = {EVENTS} if table.is_merged or not earlier else earlier
    return found


def _ranks(tables: Sequence[Table], steps: Sequence[MergeStep]) -> dict[str, tuple[int, int]]:
    """Of each table, the first and the last step that writes it. Those that none writes come behind, parents first."""
    found = {table.name: (len(steps) + place, 0) for place, table in enumerate(tables)}
    for name in found:
        places = [place for place, step in enumerate(steps) if name in step.writes]
        if places:
            found[name] = (places[0], places[-1])
    return found


def _all_sources(name: str, sources: Mapping[str, Collection[str]]) -> set[str]:
    direct = sources.get(name, ())
    return {*direct, *(far for near in direct for far in _all_sources(near, sources))}


def _column(name: str, sources: Mapping[str, Collection[str]]) -> int:
    return 1 + max((_column(source, sources) for source in sources.get(name, ())), default=-1)


def _laid_out(
    tables: Sequence[Table], columns: Mapping[str, int], sources: Mapping[str, Collection[str]]
) -> tuple[dict[str, _Box], _Sizes]:
    boxes = dict[str, _Box]()
    lanes = dict[str, tuple[int, int]]()
    top = _MARGIN + _HEADER
    for lane in [one for one in LANES if any(lane_of(table.name) is one for table in tables)]:
        bottom = top + _TITLE
        for column in sorted({*columns.values()}):
            y = top + _TITLE
            cell = [one for one in tables if lane_of(one.name) is lane and columns[one.name] == column]
            for table in sorted(cell, key=lambda one: (_height_of_sources(one, boxes, sources), one.name)):
                x = _MARGIN + 14 + column * (_WIDTH + _GUTTER)
                boxes[table.name] = _Box(table, lane, column, x, y, _height(table))
                y += _height(table) + _GAP
            bottom = max(bottom, y - _GAP)
        lanes[lane.title] = (top, bottom + _PAD - top)
        top = bottom + _PAD + _GAP
    width = 2 * _MARGIN + 28 + max(columns.values()) * (_WIDTH + _GUTTER) + _WIDTH
    return boxes, _Sizes(width, top - _GAP + _MARGIN, lanes)


def _height_of_sources(table: Table, boxes: Mapping[str, _Box], sources: Mapping[str, Collection[str]]) -> float:
    """So that lines cross less."""
    places = [boxes[source].middle for source in sources.get(table.name, ()) if source in boxes]
    return sum(places) / len(places) if places else 1e6


def _lines(table: Table) -> list[tuple[str, str]]:
    """What stands in a box below its name, each with its class."""
    key = _wrapped(table.primary_key, " · ")
    parents = sorted({column.reference.table for column in table.columns if column.reference} - {table.name})
    return [*(("key", line) for line in key), *(("refers", f"{_REFERS}{parent}") for parent in parents)]


def _wrapped(words: Iterable[str], between: str) -> list[str]:
    lines = list[str]()
    for word in words:
        if lines and len(lines[-1]) + len(between) + len(word) <= _LONGEST:
            lines[-1] += f"{between}{word}"
        else:
            lines.append(word)
    return lines


def _height(table: Table) -> int:
    return _NAME + _LINE * len(_lines(table)) + _FOOT


def _svg(boxes: Mapping[str, _Box], sources: Mapping[str, Collection[str]], sizes: _Sizes) -> Iterator[str]:
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {sizes.width} {sizes.height}" width="{sizes.width}"'
        f' height="{sizes.height}" role="img" aria-label="The tables of the model, and which are derived of which">'
    )
    yield "<!-- Rendered from the declarations of tables and derivations by `lineage sql`. -->"
    yield f"<style>{_style()}</style>"
    yield f'<rect class="page" width="{sizes.width}" height="{sizes.height}"/>'
    yield from _header(boxes, sizes.width)
    for lane in dict.fromkeys(box.lane for box in boxes.values()):
        yield from _band(lane, sizes)
    yield from _connections(boxes, sources)
    for box in boxes.values():
        yield from _drawn(box)
    yield "</svg>"


def _style() -> str:
    return (
        _LIGHT
        + "".join(_colours(lane, colourful=45, ink=38, line=52, fill=98, band=96) for lane in LANES)
        + "@media (prefers-color-scheme:dark){"
        + _DARK
        + "".join(_colours(lane, colourful=30, ink=76, line=60, fill=14, band=10) for lane in LANES)
        + "}"
    )


_LIGHT = (
    "text{font-family:ui-sans-serif,system-ui,-apple-system,'Segoe UI',Roboto,sans-serif}"
    ".page{fill:#fff}.name{font-size:12px;font-weight:600;fill:#1c2430}"
    ".key,.refers{font-size:11px;font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}"
    ".key{fill:#5b6675}.lane{font-size:13px;font-weight:700}.head{font-size:16px;font-weight:700;fill:#1c2430}"
    ".sub{font-size:12px;fill:#5b6675}.line{fill:none;stroke-width:1.4;stroke-opacity:.75}"
)
_DARK = ".page{fill:#0d1117}.name,.head{fill:#e6edf3}.key,.sub{fill:#9aa7b5}"


def _colours(lane: Lane, *, colourful: int, ink: int, line: int, fill: int, band: int) -> str:
    """ink, line, fill, band: how light each is, in percent."""
    of = f"hsl({lane.hue} {colourful}%"
    name = _class(lane)
    return (
        f".{name} .box{{fill:{of} {fill}%);stroke:{of} {line}%)}}.{name} .band{{fill:{of} {band}%)}}"
        f".{name} .lane,.to-{name}{{fill:{of} {ink}%)}}.from-{name}{{stroke:{of} {line}%)}}"
    )


def _class(lane: Lane) -> str:
    return f"lane{LANES.index(lane)}"


def _header(boxes: Mapping[str, _Box], width: int) -> Iterator[str]:
    """Above the columns, and how to read a box and a line."""
    places = {box.column: box.x for box in boxes.values()}
    words = (
        (0, "What arrives", "raw events, as they came"),
        (1, "What events state", "rows of each event, folded by key"),
        (2, "What is derived", "of the tables to the left, from the earliest place that changed"),
    )
    for column, head, sub in words:
        yield f'<text class="head" x="{places[column]}" y="{_MARGIN + 22}">{head}</text>'
        yield f'<text class="sub" x="{places[column]}" y="{_MARGIN + 42}">{sub}</text>'
    for place, line in enumerate(("A box: a table, its primary key, and → the tables it refers to.", _LINES), start=1):
        yield f'<text class="sub" x="{width - _MARGIN}" y="{_MARGIN + 2 + 20 * place}" text-anchor="end">{line}</text>'


_LINES = "A line: what a table is derived of, unless that follows from another line."


def _band(lane: Lane, sizes: _Sizes) -> Iterator[str]:
    top, height = sizes.lanes[lane.title]
    yield f'<g class="{_class(lane)}">'
    yield f'<rect class="band" x="{_MARGIN}" y="{top}" width="{sizes.width - 2 * _MARGIN}" height="{height}" rx="10"/>'
    yield f'<text class="lane" x="{_MARGIN + 14}" y="{top + 20}">{escape(lane.title)}</text></g>'


def _drawn(box: _Box) -> Iterator[str]:
    yield f'<g class="{_class(box.lane)}">'
    yield f'<rect class="box" x="{box.x}" y="{box.y}" width="{_WIDTH}" height="{box.height}" rx="6"/>'
    yield f'<text class="name" x="{box.x + 10}" y="{box.y + 18}">{escape(box.table.name)}</text>'
    for number, (kind, line) in enumerate(_lines(box.table), start=1):
        colour = "" if kind == "key" else f" to-{_class(lane_of(line.removeprefix(_REFERS)))}"
        y = box.y + 18 + number * _LINE
        yield f'<text class="{kind}{colour}" x="{box.x + 10}" y="{y}">{escape(line)}</text>'
    yield "</g>"


def _connections(boxes: Mapping[str, _Box], sources: Mapping[str, Collection[str]]) -> Iterator[str]:
    """The short lines first: long ones find their way between them."""
    pairs = [(boxes[source], boxes[name]) for name, found in sources.items() for source in found]
    passages = _Passages(boxes.values())
    bends = _bends([source for source, _ in pairs])
    for source, target in sorted(pairs, key=lambda pair: (pair[1].column - pair[0].column, pair[0].y, pair[1].y)):
        way = _path(source, target, passages, bends[source.table.name])
        yield f'<path class="line from-{_class(source.lane)}" d="{way}"/>'


def _bends(sources: Iterable[_Box]) -> dict[str, int]:
    """How far from the middle between two columns the lines of a table turn, so that those of several lie apart."""
    columns = defaultdict[int, list[_Box]](list)
    for box in sorted(set(sources), key=lambda one: one.y):
        columns[box.column].append(box)
    return {
        box.table.name: round((place / max(1, len(column) - 1) - 0.5) * _GUTTER / 2)
        for column in columns.values()
        for place, box in enumerate(column)
    }


class _Passages:
    """The room between the boxes of each column, and which lines pass there. Lines of one table share a way."""

    def __init__(self, boxes: Iterable[_Box]) -> None:
        self._boxes = defaultdict[int, list[_Box]](list)
        self._taken = defaultdict[int, dict[int, str]](dict)
        for box in boxes:
            self._boxes[box.column].append(box)

    def through(self, column: int, wanted: int, of: str) -> tuple[int, int]:
        """Where a line of the table passes a column, as near to the wanted height as there is room: x and y."""
        x = _MARGIN + 14 + column * (_WIDTH + _GUTTER)
        distance = 0
        while True:
            for y in (wanted - distance, wanted + distance):
                if self._is_free(column, y, of):
                    self._taken[column][y] = of
                    return x, y
            distance += 1

    def _is_free(self, column: int, y: int, of: str) -> bool:
        clear = all(not box.y - _TRACK < y < box.y + box.height + _TRACK for box in self._boxes[column])
        return clear and all(other == of or abs(y - taken) >= _TRACK for taken, other in self._taken[column].items())


def _path(source: _Box, target: _Box, passages: _Passages, bend: int) -> str:
    """Straight past columns of boxes, curved between them, with a point at its end."""
    places = [(source.right, source.middle)]
    for column in range(source.column + 1, target.column):
        share = (column - source.column) / (target.column - source.column)
        wanted = round(source.middle + share * (target.middle - source.middle))
        x, y = passages.through(column, wanted, source.table.name)
        places += [(x, y), (x + _WIDTH, y)]
    places.append((target.x, target.middle))
    drawn = [f"M{places[0][0]} {places[0][1]}"]
    for number, ((_, y), (next_x, next_y)) in enumerate(pairwise(places)):
        if number % 2:
            drawn.append(f"H{next_x}")
        else:
            middle = next_x - _GUTTER // 2 + bend
            drawn.append(f"C{middle} {y} {middle} {next_y} {next_x} {next_y}")
    return " ".join([*drawn, "m-6 -3.5l6 3.5l-6 3.5"])
