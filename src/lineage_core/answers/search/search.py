"""Datasets, jobs and columns that have a text in their names."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from lineage_core.answers.graph.model import NodeKind
from lineage_core.answers.search.place import FittingName, FoundOrder, SearchPlace, place_of
from lineage_core.answers.search.similar import SimilarName, similar_names
from lineage_core.errors import WrongUsage
from lineage_core.own_lineage.datasets import OWN_NAMESPACE
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store
from lineage_core.postgres.trigrams import has_indexes, pattern_of
from lineage_core.postgres.typed_rows import composed, every_row
from lineage_core.reading.store import snapshot

if TYPE_CHECKING:
    from psycopg import sql

MOST_FOUND = 50

USUAL_KINDS = (NodeKind.DATASET, NodeKind.JOB)
"""Unless others are asked for: there are ten times as many columns, and all their names would be read."""

PUT_IN_ORDER = 500
"""Names at a time. To look up when each had an event, and how much it is used, takes longer than to read its name."""

MOST_READINGS = 10
"""Of all names, for one answer: each puts the next names in order. What is left is behind `SearchAnswer.next`."""

ROOM_FOR_NEW = 4
"""Times as many names may have come, by the next page, to those that are in order together. What comes beyond may be
shown twice."""

MOST_USES = 20
"""What has more counts as much as what has so many."""


@dataclass(frozen=True)
class FoundName:
    """What has the text in its name. column: None unless it is one, of the dataset of this name. updated_at: when the
    last event was that named the dataset, or that was of the job. uses: how many jobs read the dataset now, or how
    many runs the job has had; at most MOST_USES."""

    kind: NodeKind
    namespace: str
    name: str
    column: str | None
    updated_at: datetime
    uses: int


@dataclass(frozen=True)
class SearchAnswer:
    """found: what is named so first, then what begins so, then where a word begins so, then the others; of these what
    had an event on the last day (of UTC) first, of one day what is used most, and then the shortest name.

    complete: whether these are all. next: where it goes on; None at its end. It may go on behind fewer names than were
    asked for, even behind none: where hidden ones are many, looking ends after MOST_READINGS. in_one_order: whether
    that order is one of all names with the text. Where they are more than PUT_IN_ORDER, it is one of so many at a time,
    and the shortest names come first.

    by_trigrams: whether the database finds names by their trigrams. Without them it reads each, and similar is empty.
    similar: if nothing at all is found, the names that are most similar, the most similar first.
    """

    complete: bool
    next: str | None
    in_one_order: bool
    found: tuple[FoundName, ...]
    by_trigrams: bool = False
    similar: tuple[SimilarName, ...] = ()


def search(
    store: Store,
    text: str,
    *,
    kinds: Collection[NodeKind] = USUAL_KINDS,
    limit: int = MOST_FOUND,
    after: str | None = None,
    own: bool = False,
) -> SearchAnswer:
    """after: `SearchAnswer.next` of the answer before, for the same text and kinds. Events that are normalized between
    two answers may move the names that they are about, so that one of these is found twice, or not at all; every other
    name is found once. ASCII capitals count as small letters. own: the tables of this store, too, in which people
    seldom look for theirs.

    Raises WrongUsage for an empty text, and for a cursor that no answer has given.
    """
    with snapshot(store) as connection:
        return search_in(connection, text, kinds=kinds, limit=limit, after=after, own=own)


def search_in(
    connection: Connection,
    text: str,
    *,
    kinds: Collection[NodeKind] = USUAL_KINDS,
    limit: int = MOST_FOUND,
    after: str | None = None,
    own: bool = False,
) -> SearchAnswer:
    """As `search`, in a snapshot that other questions share."""
    if not text.strip():
        raise WrongUsage("Say what to search for: a part of a name.")
    by_trigrams = has_indexes(connection)
    question = {
        "text": text.strip(),
        "pattern": pattern_of(text.strip()) if by_trigrams else None,
        "kinds": [kind.value for kind in kinds],
        "left_out": None if own else OWN_NAMESPACE,
        "most_uses": MOST_USES,
    }
    place: SearchPlace | None = place_of(after)
    in_one_order = place is not None and place.behind is None
    found: list[FoundName] = []
    places: list[SearchPlace] = []
    for _ in range(MOST_READINGS):
        if place is None or len(found) > limit:
            break
        window = _window(connection, question, place, most=limit + 1 - len(found))
        found += window.found
        places += window.places
        in_one_order = in_one_order and window.goes_on is None
        place = window.goes_on
    goes_on = places[limit - 1] if len(found) > limit else place
    answer = SearchAnswer(
        complete=goes_on is None,
        next=None if goes_on is None else goes_on.cursor(),
        in_one_order=in_one_order,
        found=tuple(found[:limit]),
        by_trigrams=by_trigrams,
    )
    if by_trigrams and after is None and answer.complete and not answer.found:
        return replace(answer, similar=similar_names(connection, question))
    return answer


def found_statement(pattern: str | None) -> sql.Composed:
    """By index where there is a pattern, which all names with the text are LIKE; the same names in any case."""
    fits = composed("answers/search/has_text" if pattern is None else "answers/search/has_text_by_index")
    return composed("answers/search/found", named=composed("answers/search/named", fits=fits))


@dataclass(frozen=True)
class SearchWindow:
    """Names that were put in order together. places: where the search goes on behind each. goes_on: where the next
    window begins; None if no name is behind."""

    found: Sequence[FoundName]
    places: Sequence[SearchPlace]
    goes_on: SearchPlace | None


def _window(connection: Connection, question: dict[str, Any], place: SearchPlace, *, most: int) -> SearchWindow:
    size = PUT_IN_ORDER if place.until is None else PUT_IN_ORDER * ROOM_FOR_NEW
    parameters = question | place.parameters() | {"window": size, "most": most}
    rows: list[dict[str, Any]] = every_row(connection, dict, found_statement(question["pattern"]), parameters)
    named = [row for row in rows if row["kind"] is not None]
    until = _ending(rows[0]) or place.until
    return SearchWindow(
        found=[_found(row) for row in named],
        places=[SearchPlace(place.behind, until, _order(row)) for row in named],
        goes_on=SearchPlace(behind=until) if rows[0]["goes_on"] else None,
    )


def _found(row: Mapping[str, Any]) -> FoundName:
    return FoundName(
        kind=NodeKind(row["kind"]),
        namespace=row["namespace"],
        name=row["name"],
        column=row["column_name"],
        updated_at=row["updated_at"].astimezone(UTC),
        uses=row["uses"],
    )


def _order(row: Mapping[str, Any]) -> FoundOrder:
    return FoundOrder(
        rank=row["rank"],
        age=row["age"],
        uses=row["uses"],
        kind=row["kind"],
        namespace=row["namespace"],
        name=row["name"],
        column=row["column_name"] or "",
    )


def _ending(row: Mapping[str, Any]) -> FittingName | None:
    """Of the names that were put in order together, the last; None if they have all gone since the page before."""
    if row["end_rank"] is None:
        return None
    return FittingName(row["end_rank"], row["end_kind"], str(row["end_named_in"]), row["end_name"])
