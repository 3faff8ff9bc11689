"""Types of fields as producers write them, read one level deep: what kind it is, and the fields within it.

Hive, Spark, Trino, BigQuery, Flink, DuckDB and Postgres write one type differently: `struct<a:int>`, `ROW(a int)`,
`STRUCT<a INT64>`, `int[]`. Fields within are named as OpenLineage's Spark integration names them in lists: `_element`
of an array, `key` and `value` of a map.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lineage_core.remembered import remembered

STRUCT, ARRAY, MAP = "STRUCT", "ARRAY", "MAP"
ELEMENT, KEY, VALUE = "_element", "key", "value"

_KINDS = {"STRUCT": STRUCT, "ROW": STRUCT, "RECORD": STRUCT, "ARRAY": ARRAY, "LIST": ARRAY, "MAP": MAP}
"""Words of producers for one kind."""

LONGEST, DEEPEST = 100_000, 50
"""Characters, and brackets within brackets, of a type that is read. One with more is opaque."""

_REMEMBERED = 2 << 20
"""Bytes of texts that were read, as the columns of a store have few types."""

_CONTAINER = re.compile(r"(\w+)\s*([<(])(.*)[>)]", re.ASCII | re.DOTALL)
_POSTGRES_ARRAY = re.compile(r"(.+)\[\d*\]", re.ASCII | re.DOTALL)
_PLAIN = re.compile(r"[A-Za-z_][\w\s(),.-]*", re.ASCII)
_MEMBER = re.compile(
    r"""(?:`((?:[^`]|``)+)`|"((?:[^"]|"")+)"|((?!\.\.\.)[^\s:,<>()"`']+))(?:\s*:\s*|\s+)(.+)""", re.DOTALL
)
_SHORTENED = re.compile(r"\.\.\. \d+ more fields", re.ASCII)
"""What Spark writes in place of what is too long for it."""
_COMMENT = re.compile(r"\s+COMMENT\s+(?:'(?:[^'\\]|\\.|'')*'|\"(?:[^\"\\]|\\.)*\")\s*$", re.IGNORECASE | re.DOTALL)
_QUOTES = "'\"`"
_OPENING, _CLOSING = {"<": ">", "(": ")", "[": "]"}, {">", ")", "]"}


@dataclass(frozen=True)
class Member:
    """A field within a type, and its type as it is written there."""

    name: str
    type: str


@dataclass(frozen=True)
class ReadType:
    """What a text says. Two types that are no containers are one type if their names are equal.

    name: of a type that can be read, in capitals and without spaces that mean nothing; else the text as it is.
    members: the fields within it; None where it does not say.
    """

    name: str
    members: tuple[Member, ...] | None = None


@remembered(_REMEMBERED)
def read_type(text: str) -> ReadType | None:
    """What the text says; None if it says nothing."""
    text = text.strip()
    if not text:
        return None
    if len(text) > LONGEST or not _is_balanced(text):
        return ReadType(text)
    return _array_of_postgres(text) or _container(text) or ReadType(_plain(text))


def _array_of_postgres(text: str) -> ReadType | None:
    found = _POSTGRES_ARRAY.fullmatch(text)
    return None if found is None else ReadType(ARRAY, (Member(ELEMENT, found[1]),))


def _container(text: str) -> ReadType | None:
    found = _CONTAINER.fullmatch(text)
    if found is None or (kind := _KINDS.get(found[1].upper())) is None:
        return None
    parts = list(_parts(found[3]))
    if any(map(_SHORTENED.fullmatch, parts)):
        return ReadType(kind)
    match kind:
        case "ARRAY" if len(parts) == 1 and parts[0]:
            return ReadType(kind, (Member(ELEMENT, parts[0]),))
        case "MAP" if len(parts) == 2 and all(parts):  # noqa: PLR2004
            return ReadType(kind, (Member(KEY, parts[0]), Member(VALUE, parts[1])))
        case "STRUCT":
            members = [_member(part) for part in parts]
            known = tuple(member for member in members if member is not None)
            return ReadType(kind, known) if len(known) == len(members) else None
        case _:
            return None


def _member(part: str) -> Member | None:
    found = _MEMBER.fullmatch(_COMMENT.sub("", part))
    if found is None:
        return None
    backquoted, quoted, plain, type_ = found.groups()
    if backquoted is not None:
        return Member(backquoted.replace("``", "`"), type_)
    return Member(plain if quoted is None else quoted.replace('""', '"'), type_)


def _plain(text: str) -> str:
    """Words and their numbers, as `timestamp(3) with time zone`; of all others, the text as it is."""
    upper = text.upper()
    if upper in _KINDS:
        return _KINDS[upper]
    if _PLAIN.fullmatch(text) is None:
        return text
    return re.sub(r"\s*([(),])\s*", r"\1", " ".join(upper.split())).replace(")", ") ").strip()


def _is_balanced(text: str) -> bool:
    """Whether each bracket outside of quotes is closed by its own, the quotes are closed, and none is too deep."""
    expected: list[str] = []
    for character in _outside_quotes(text):
        if character in _OPENING:
            expected.append(_OPENING[character])
        elif character in _CLOSING and (not expected or expected.pop() != character):
            return False
        if len(expected) > DEEPEST:
            return False
    return not expected and not _ends_in_quotes(text)


def _outside_quotes(text: str) -> Iterator[str]:
    """The characters; a space for each that is within quotes, or quotes."""
    quote, is_escaped = "", False
    for character in text:
        if quote:
            if is_escaped:
                is_escaped = False
            elif character == "\\":
                is_escaped = True
            elif character == quote:
                quote = ""
            yield " "
        elif character in _QUOTES:
            quote = character
            yield " "
        else:
            yield character


def _ends_in_quotes(text: str) -> bool:
    return next(iter(list(_outside_quotes(text + "\0"))[-1:]), "") != "\0"


def _parts(text: str) -> Iterator[str]:
    """Between commas that are in no brackets and no quotes."""
    depth, start = 0, 0
    for place, character in enumerate(_outside_quotes(text)):
        depth += (character in _OPENING) - (character in _CLOSING)
        if character == "," and depth == 0:
            yield text[start:place].strip()
            start = place + 1
    yield text[start:].strip()
