"""Names that are like a text which none has, by their trigrams."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lineage_core.answers.graph.model import NodeKind
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.trigrams import MOST_CHARACTERS, operators_of
from lineage_core.postgres.typed_rows import composed, every_row, one_value

MOST_SIMILAR = 5

LEAST_CHARACTERS = 3
"""Of a text to which names can be similar: of a shorter one they have all or nothing."""

LIKENESS = ("0.6", "0.4")
"""The share of a text's trigrams that a part of a name has at least. One wrong letter in five or six leaves half.

Names with the greater share are looked for first, and others only if these are too few: where a word is in each of a
hundred thousand names, all have the lesser share of a text with it, and to put them in order takes a second.
"""


@dataclass(frozen=True)
class SimilarName:
    """A name that a text is like. column: None unless it is one, of the dataset of this name."""

    kind: NodeKind
    namespace: str
    name: str
    column: str | None


def similar_names(connection: Connection, question: Mapping[str, Any]) -> tuple[SimilarName, ...]:
    """The most similar first, by what a search asks for; none where the login may not use the operators of pg_trgm."""
    operators = operators_of(connection)
    if operators is None or len(question["text"]) < LEAST_CHARACTERS:
        return ()
    asked = {part: question[part] for part in ("kinds", "left_out")}
    text = question["text"][:MOST_CHARACTERS]
    fits = composed("answers/search/is_similar", trigrams=operators)
    statement = composed(
        "answers/search/similar", named=composed("answers/search/named", fits=fits), trigrams=operators
    )
    found: list[SimilarName] = []
    for likeness in LIKENESS:
        one_value(connection, str, "answers/search/likeness", {"likeness": likeness})
        found = every_row(connection, _similar, statement, asked | {"text": text, "most": MOST_SIMILAR})
        if len(found) == MOST_SIMILAR:
            break
    return tuple(found)


def _similar(kind: str, namespace: str, name: str, column_name: str | None) -> SimilarName:
    return SimilarName(NodeKind(kind), namespace, name, column_name)
