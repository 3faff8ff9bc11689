"""Whom a change reaches, in Markdown: a comment for a pull request."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from lineage_core.answers.impact.model import Consumer, Impact
from lineage_core.answers.impact.text import missing_lines

MOST_BYTES = 60_000
"""Of a comment. GitHub takes 65,536 characters, GitLab and Azure DevOps more."""

_MOST_ITEMS = 20
"""Of each list above the table."""

_LONGEST_NAME = 200
"""Characters of a name; what is behind them is left out."""

_LONGEST_LINE = 1_000
"""The same of a line that says what is missing."""


def comment_lines(found: Impact, subject: str) -> list[str]:
    """At most MOST_BYTES of them. What does not fit is left out, and counted.

    subject: what changes.
    """
    head = list(_head(found, subject))
    rows = _fitting(map(_row, found.consumers), MOST_BYTES - _size(head) - _size(_TABLE) - _size([_left_out(0)]) * 2)
    lines = [*head, "", *_TABLE, *rows] if rows else head
    left_out = len(found.consumers) - len(rows)
    return [*lines, "", _left_out(left_out)] if left_out else lines


_TABLE = ("| verdict | job | makes | columns | hops | owner | last read |", "|---|---|---|---|---|---|---|")


def _left_out(count: int) -> str:
    return f"{count:,} more consumers do not fit into this comment: `lineage impact` lists them in the other formats."


def _head(found: Impact, subject: str) -> Iterator[str]:
    counts = found.counts
    yield f"### Impact on who reads {_literal(subject)}"
    yield ""
    yield f"**{counts.broken:,} broken**, {counts.unknown:,} unknown, {counts.safe:,} safe"
    datasets = found.datasets
    yield from _items("changed", [(one.dataset, column) for one in datasets for column in one.changed])
    yield from _items("refused", [(one.dataset, refused) for one in datasets for refused in one.refused])
    for missing in missing_lines(found):
        yield f"- {_literal(missing, _LONGEST_LINE)}"


def _items(word: str, pairs: Sequence[tuple[str, str]]) -> Iterator[str]:
    """pairs: a dataset, and what is so in it."""
    for dataset, what in pairs[:_MOST_ITEMS]:
        yield f"- {word}: {_literal(what)} in {_literal(dataset)}"
    if len(pairs) > _MOST_ITEMS:
        yield f"- {word}: {len(pairs) - _MOST_ITEMS:,} more"


def _fitting(lines: Iterable[str], most: int) -> list[str]:
    """The first ones, as far as they are of so many bytes together."""
    fitting: list[str] = []
    for line in lines:
        most -= _size([line])
        if most < 0:
            break
        fitting.append(line)
    return fitting


def _size(lines: Iterable[str]) -> int:
    """Bytes, with the breaks between lines."""
    return sum(len(line.encode()) + 1 for line in lines)


def _row(one: Consumer) -> str:
    columns = " ".join(map(_literal, one.columns[:_MOST_ITEMS]))
    more = f" and {len(one.columns) - _MOST_ITEMS:,} more" if len(one.columns) > _MOST_ITEMS else ""
    makes = _literal(one.dataset) if one.dataset else ""
    owner = _literal(one.owner) if one.owner else ""
    read = one.last_read.isoformat() if one.last_read else ""
    return f"| {one.verdict} | {_literal(one.job)} | {makes} | {columns}{more} | {one.hops} | {owner} | {read} |"


def _literal(text: str, longest: int = _LONGEST_NAME) -> str:
    """The text as code in which nothing is markup, a link or a mention: names are what anybody's events say.

    All but letters, digits and spaces become references to characters; what does not print becomes a question mark.

    longest: characters of it that are shown.
    """
    shortened = text if len(text) <= longest else f"{text[:longest]}…"
    return f"<code>{''.join(map(_character, shortened))}</code>"


def _character(character: str) -> str:
    if character.isalnum() or character == " ":
        return character
    return f"&#{ord(character)};" if character.isprintable() else "?"
