"""From a dataset's fields to the id of its schema version (seed 000), and to the id of a version that has them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
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
    if _is_ambiguous(content):
        return _injective_uuid(namespace, dataset, content)
    return java_uuid(joined((namespace, dataset, _flattened(content))))


def _is_ambiguous(content: set[tuple[str, str | None]]) -> bool:
    """Whether one of `name:type` could be read as other fields, too.

    The first `:` ends the name and the next one outside of brackets the type, if neither has such a `:` of its own.
    """
    if any(":" in name for name, _ in content):
        return True
    return any(type_ is None or not _ends_itself(type_) for type_ in {type_ for _, type_ in content})


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
    listed = list(fields)
    capitals = {type_: None if type_ is None else upper_case(type_) for type_ in {field.type for field in listed}}
    return _flattened({(field.name, capitals[field.type], field.description) for field in listed})


def dataset_version_uuid(
    namespace: str, dataset: str, source: str, content: str, lifecycle: str, run: str | None
) -> bytes:
    """The id of a dataset version (marquez-model, section 2.1); `content` is what `version_content` gives.

    `namespace` and `dataset` are as the event spells them; `run` is the run's id as text, None for run-less events.
    """
    return java_uuid(joined((namespace, source, dataset, dataset, content, lifecycle, run)))


def _flattened(content: Collection[tuple[str | None, ...]]) -> str:
    """All parts in Java's order, nulls first."""
    return _flattened_ascii(content) or _joined_parts(
        sorted(content, key=lambda entry: [b"" if part is None else b"\x01" + utf16_order(part) for part in entry])
    )


def _flattened_ascii(content: Collection[tuple[str | None, ...]]) -> str | None:
    """The same of ASCII texts, whose order Python has, too. None of others, and where a null meets a text."""
    try:
        written = _joined_parts(sorted(content))
    except TypeError:
        return None
    return written if written.isascii() else None


def _joined_parts(ordered: Iterable[tuple[str | None, ...]]) -> str:
    return joined([part for entry in ordered for part in entry])
