"""The situations in which the path of a column within another is also the name of a column."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import permutations

from tests.support.event_sets import Document

FLOORS = {
    "a column within another that another schema has by itself": 8,
    "a column within another that a later arrival has by itself": 6,
    "a column within another that an earlier arrival has by itself": 6,
    "an origin within another column that another schema has by itself": 7,
    "a column that has a type in one schema and none in another": 10,
}


def situations(sequence: list[Document]) -> Iterator[str]:
    """Which of them a sequence of events shows."""
    described = list(_described(sequence))
    yield from (situation for situation, shown in _SITUATIONS.items() if shown(described))


Dataset = tuple[str, str]


@dataclass(frozen=True)
class _Described:
    """A dataset as one event describes it. `paths`: of columns within others. `arrival`: the place of the event."""

    arrival: int
    dataset: Dataset
    columns: frozenset[tuple[str, str | None]]
    paths: frozenset[str]
    outputs: frozenset[str]
    origins: frozenset[tuple[Dataset, str]]

    def has(self, name: str) -> bool:
        return any(name == column for column, _ in self.columns)


def _described(sequence: list[Document]) -> Iterator[_Described]:
    for arrival, event in enumerate(sequence):
        declared = [event["dataset"]] if "dataset" in event else []
        for one in (*declared, *event.get("inputs", ()), *event.get("outputs", ())):
            facets = one.get("facets", {})
            listed = facets.get("schema", {}).get("fields", ())
            made = facets.get("columnLineage", {}).get("fields", {})
            yield _Described(
                arrival,
                (one["namespace"], one["name"]),
                frozenset((field["name"], field.get("type")) for field in listed),
                frozenset(f"{field['name']}.{inner['name']}" for field in listed for inner in field.get("fields", ())),
                frozenset(made),
                frozenset(
                    ((origin["namespace"], origin["name"]), origin["field"])
                    for column in made.values()
                    for origin in column["inputFields"]
                ),
            )


def _pairs(described: list[_Described]) -> Iterator[tuple[_Described, _Described]]:
    """Any two descriptions of one dataset."""
    yield from ((one, other) for one, other in permutations(described, 2) if one.dataset == other.dataset)


def _names_what_is_alone(one: _Described, other: _Described) -> bool:
    """Whether the one tells what a column within another comes from that has no type and is by itself in the other."""
    return any((path, None) in other.columns for path in one.outputs & one.paths if not one.has(path))


def _has_path_of_a_column(described: list[_Described]) -> bool:
    return any(_names_what_is_alone(one, other) for one, other in _pairs(described))


def _has_path_of_a_later_column(described: list[_Described]) -> bool:
    return any(one.arrival < other.arrival and _names_what_is_alone(one, other) for one, other in _pairs(described))


def _has_path_of_an_earlier_column(described: list[_Described]) -> bool:
    return any(one.arrival > other.arrival and _names_what_is_alone(one, other) for one, other in _pairs(described))


def _has_origin_of_a_column(described: list[_Described]) -> bool:
    """A run reads what it names by a path, which is a column of another schema."""
    named = {(one.arrival, origin) for one in described for origin in one.origins}
    return any(
        (one.arrival, (one.dataset, path)) in named and other.has(path)
        for one, other in _pairs(described)
        for path in one.paths
        if not one.has(path)
    )


def _has_column_with_and_without_type(described: list[_Described]) -> bool:
    return any(
        (name, None) in one.columns and any(name == named and type_ for named, type_ in other.columns)
        for one, other in _pairs(described)
        for name, _ in one.columns
    )


_SITUATIONS: dict[str, Callable[[list[_Described]], bool]] = {
    "a column within another that another schema has by itself": _has_path_of_a_column,
    "a column within another that a later arrival has by itself": _has_path_of_a_later_column,
    "a column within another that an earlier arrival has by itself": _has_path_of_an_earlier_column,
    "an origin within another column that another schema has by itself": _has_origin_of_a_column,
    "a column that has a type in one schema and none in another": _has_column_with_and_without_type,
}
