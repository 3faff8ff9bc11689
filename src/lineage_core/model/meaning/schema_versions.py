"""From a dataset's fields to the id of its schema version (seed 000), and to the id of a version that has them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import NamedTuple

from lineage_core.openlineage.identity import java_uuid, joined, key_uuid, upper_case, utf16_order
from lineage_core.remembered import remembered


class Field(NamedTuple):
    """One column of a dataset, as an event describes it.

    nested: the columns within it, as JSON; None without such a list. No id depends on them.
    """

    name: str
    type: str | None
    description: str | None
    nested: bytes | None = None


def schema_version_uuid(namespace: str, dataset: str, fields: Iterable[Field]) -> bytes:
    """The id of the schema version with these fields; order and descriptions do not count.

    Marquez' formula, except where its text could stand for two different field sets; `namespace` is the formatted one.
    """
    content = {(field.name, field.type) for field in fields}
    if any(map(_is_ambiguous, content)):
        return _injective_uuid(namespace, dataset, content)
    return java_uuid(joined((namespace, dataset, _flattened(content))))


def _is_ambiguous(pair: tuple[str, str | None]) -> bool:
    """Whether `name:type` could be read as other fields, too.

    The first `:` ends the name and the next one outside of brackets the type, if neither has such a `:` of its own.
    """
    name, type_ = pair
    return type_ is None or ":" in name or not _ends_itself(type_)


_REMEMBERED = 1 << 20
"""Bytes of types: there are few."""

_OPENING, _CLOSING = "<([{", ">)]}"


@remembered(_REMEMBERED)
def _ends_itself(type_: str) -> bool:
    """Whether its brackets are balanced and enclose each `:`."""
    depth = 0
    for character in type_:
        if character in _OPENING:
            depth += 1
        elif character in _CLOSING:
            depth -= 1
        if depth < 0 or (character == ":" and depth == 0):
            return False
    return depth == 0


def _injective_uuid(namespace: str, dataset: str, content: set[tuple[str, str | None]]) -> bytes:
    ordered = sorted(content, key=lambda pair: (pair[0].encode(), pair[1] is not None, (pair[1] or "").encode()))
    parts = [part for pair in ordered for part in pair]
    return key_uuid("dataset_schema_versions", namespace, dataset, *parts)


def version_content(fields: Iterable[Field]) -> str:
    """The fields as a dataset version's id has them: here types count in upper case, and descriptions count."""
    content = {
        (field.name, None if field.type is None else upper_case(field.type), field.description) for field in fields
    }
    return _flattened(content)


def dataset_version_uuid(
    namespace: str, dataset: str, source: str, content: str, lifecycle: str, run: str | None
) -> bytes:
    """The id of a dataset version (marquez-model, section 2.1); `content` is what `version_content` gives.

    `namespace` and `dataset` are as the event spells them; `run` is the run's id as text, None for run-less events.
    """
    return java_uuid(joined((namespace, source, dataset, dataset, content, lifecycle, run)))


def _flattened(content: Collection[tuple[str | None, ...]]) -> str:
    """All parts in Java's order, nulls first. Of ASCII texts UTF-8 has the same order in half the memory."""
    is_ascii = all(part is None or part.isascii() for entry in content for part in entry)
    encode: Callable[[str], bytes] = str.encode if is_ascii else utf16_order
    ordered = sorted(content, key=lambda entry: [b"" if part is None else b"\x01" + encode(part) for part in entry])
    return joined(part for entry in ordered for part in entry)
