"""What may change from one schema to the next, and what not (seed 004, "DataType migration rules").

`compared` is the one function that decides. It names every change, and for each that is against the rules where and
which.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain, pairwise

from msgspec.structs import replace

from lineage_core.evolution.data_types import (
    ELEMENT,
    KEY,
    VALUE,
    Content,
    DataField,
    DataType,
    ListOf,
    MapOf,
    Path,
    Primitive,
    Struct,
    is_known,
    text_of,
)


class ChangeKind(StrEnum):
    """The changes that are permitted. No other is."""

    MADE_NULLABLE = "made nullable"
    DELETED = "deleted"
    ADDED = "added"


class EvolutionRule(StrEnum):
    """The rules that a change can break. The value names the rule in errors and reports."""

    NULL_FORBIDDEN = "nullable-to-not-null"
    TYPE_CHANGED = "type-changed"
    DELETED_BEFORE = "deleted-before"
    ADDED_NOT_NULL = "added-not-null"
    REORDERED = "reordered"
    RENAMED = "renamed"
    MAP_KEY = "deleted-in-map-key"
    IDS = "ids-on-some-fields"
    TWICE = "field-twice"
    UNSUPPORTED = "type-not-supported"


READ_WITHOUT = "It was deleted. Read without it, or what came in its place."
"""For a reader of a deleted field. Under a name that was never used, as a writer takes, it would read only nulls."""


@dataclass(frozen=True)
class TypeChange:
    """One permitted change. `path` as `text_of` writes it."""

    kind: ChangeKind
    path: str


@dataclass(frozen=True)
class Refusal:
    """One change against the rules: where, which rule, and what to do in place of it."""

    path: str
    rule: EvolutionRule
    reason: str


Finding = TypeChange | Refusal


def compared(old: Struct, new: Struct) -> list[Finding]:
    """Every change from a migration type to a schema, in the order of the fields; empty if there is none.

    The change as a whole is permitted if none is a `Refusal`.
    """
    return list(misshapen(new)) or list(_of_struct(old, new, (), within_key=False))


def refusals(findings: list[Finding]) -> list[Refusal]:
    return [finding for finding in findings if isinstance(finding, Refusal)]


def changes(findings: list[Finding]) -> tuple[TypeChange, ...]:
    return tuple(finding for finding in findings if isinstance(finding, TypeChange))


def misshapen(type_: DataType, at: Path = ()) -> Iterator[Refusal]:
    """What no schema may have, not even the first one: fields that cannot be distinguished, and other types."""
    match type_:
        case Struct(fields):
            yield from _indistinct(fields, at)
            for field in fields:
                yield from misshapen(field.type, (*at, field.name))
        case ListOf(element):
            yield from misshapen(element.type, (*at, ELEMENT))
        case MapOf(key, value):
            yield from chain(misshapen(key, (*at, KEY)), misshapen(value.type, (*at, VALUE)))
        case Primitive() if not is_known(type_):
            yield _refusal(
                at,
                EvolutionRule.UNSUPPORTED,
                f"{type_} is no type of a schema: it is an encoding of one, or a union or extension. "
                "Use the type of the values themselves.",
            )


def _indistinct(fields: tuple[DataField, ...], at: Path) -> Iterator[Refusal]:
    names: set[str] = set()
    ids: set[int] = set()
    for field in fields:
        here = (*at, field.name)
        if field.name in names:
            yield _refusal(here, EvolutionRule.TWICE, "Two fields have this name. Give each a name of its own.")
        if field.id is not None and field.id in ids:
            yield _refusal(here, EvolutionRule.TWICE, f"Two fields have the id {field.id}. Give each an id of its own.")
        if (field.id is None) != (fields[0].id is None):
            yield _refusal(here, EvolutionRule.IDS, "Some fields beside it have ids, others not. Give an id to each.")
        names.add(field.name)
        ids |= set() if field.id is None else {field.id}


def _of_type(old: DataType, new: DataType, at: Path, *, within_key: bool) -> Iterator[Finding]:
    match old, new:
        case Struct(), Struct() if old.described_as == new.described_as:
            yield from _of_struct(old, new, at, within_key=within_key)
        case ListOf(), ListOf() if (old.large, old.size) == (new.large, new.size):
            yield from _of_content(old.element, new.element, (*at, ELEMENT), within_key=within_key)
        case MapOf(), MapOf() if old.keys_sorted == new.keys_sorted:
            yield from _of_type(old.key, new.key, (*at, KEY), within_key=True)
            yield from _of_content(old.value, new.value, (*at, VALUE), within_key=within_key)
        case Primitive(), Primitive() if old == new:
            pass
        case _:
            yield _refusal(
                at,
                EvolutionRule.TYPE_CHANGED,
                f"{old} cannot become {new}. Add a nullable field with the new type under another name.",
            )


def _of_content(old: Content | DataField, new: Content | DataField, at: Path, *, within_key: bool) -> Iterator[Finding]:
    if old.nullable and not new.nullable:
        yield _refusal(
            at, EvolutionRule.NULL_FORBIDDEN, "It may be null, and data with nulls may exist. Leave it nullable."
        )
    if new.nullable and not old.nullable:
        yield _change(at, ChangeKind.MADE_NULLABLE)
    yield from _of_type(old.type, new.type, at, within_key=within_key)


def _of_struct(old: Struct, new: Struct, at: Path, *, within_key: bool) -> Iterator[Finding]:
    if _has_other_identities(old, new):
        yield _refusal(
            at,
            EvolutionRule.IDS,
            "Fields had ids and have none now, or the other way around, so that it is unknown which field is which.",
        )
        return
    known = {field.identity: field for field in old.fields}
    for field in new.fields:
        is_key = within_key or (new.described_as == _DESCRIBED_MAP and field.name == KEY)
        yield from _of_field(known.get(field.identity), field, (*at, field.name), within_key=is_key)
    kept = {field.identity for field in new.fields}
    for field in old.fields:
        if not field.deleted and field.identity not in kept:
            yield _deletion((*at, field.name), within_key=within_key)
    yield from _reordering(old, new, at)


_DESCRIBED_MAP = '"MAP"'
"""How a user's dataset describes a map, whose key is the field of that name."""


def _has_other_identities(old: Struct, new: Struct) -> bool:
    return bool(old.fields and new.fields) and (old.fields[0].id is None) != (new.fields[0].id is None)


def _of_field(old: DataField | None, new: DataField, at: Path, *, within_key: bool) -> Iterator[Finding]:
    if old is None and not new.nullable:
        yield _refusal(
            at, EvolutionRule.ADDED_NOT_NULL, "It is new, so earlier rows have no value for it. Make it nullable."
        )
    elif old is None:
        yield _change(at, ChangeKind.ADDED)
    elif old.deleted:
        yield _refusal(
            at,
            EvolutionRule.DELETED_BEFORE,
            f"A field was deleted under this {'name' if new.id is None else 'id'}. Use one that was never used.",
        )
    elif old.name != new.name:
        yield _refusal(
            at,
            EvolutionRule.RENAMED,
            f"The id {new.id} is that of {old.name}. A renaming is a deletion and an addition: use an id of its own.",
        )
    else:
        yield from _of_content(old, new, at, within_key=within_key)


def _deletion(at: Path, *, within_key: bool) -> Finding:
    if not within_key:
        return _change(at, ChangeKind.DELETED)
    return _refusal(
        at, EvolutionRule.MAP_KEY, "Without it two keys of a map could be equal. Leave it, or delete the whole map."
    )


def _reordering(old: Struct, new: Struct, at: Path) -> Iterator[Refusal]:
    """The first field that comes after one that it came before."""
    places = {field.identity: place for place, field in enumerate(old.fields) if not field.deleted}
    kept = [field for field in new.fields if field.identity in places]
    for before, field in pairwise(kept):
        if places[field.identity] < places[before.identity]:
            yield _refusal(
                (*at, field.name),
                EvolutionRule.REORDERED,
                f"It came before {before.name}. Leave the fields that stay in their order.",
            )
            return


def _change(at: Path, kind: ChangeKind) -> TypeChange:
    return TypeChange(kind, text_of(at))


def _refusal(at: Path, rule: EvolutionRule, reason: str) -> Refusal:
    return Refusal(text_of(at), rule, reason)


def merged(old: Struct, new: Struct) -> Struct:
    """The migration type after a schema: what the schema does not have is deleted, and stays where it was.

    `old` and every earlier schema have their fields in the same order as the result, if `compared` permits the change.
    """
    kept = {field.identity for field in new.fields}
    places = {field.identity: place for place, field in enumerate(old.fields)}
    fields: list[DataField] = []
    taken = 0
    for field in new.fields:
        place = places.get(field.identity)
        if place is None or place < taken:
            fields.append(field)
            continue
        fields.extend(_deleted(old.fields[taken:place], kept))
        fields.append(replace(field, type=_merged_type(old.fields[place].type, field.type)))
        taken = place + 1
    fields.extend(_deleted(old.fields[taken:], kept))
    return replace(new, fields=tuple(fields))


def _deleted(fields: Iterable[DataField], kept: Container[str | int]) -> Iterator[DataField]:
    """Those that are not kept, as deleted ones. A dataset may have thousands that were deleted long ago."""
    for field in fields:
        if field.identity not in kept:
            yield field if field.deleted else replace(field, deleted=True)


def _merged_type(old: DataType, new: DataType) -> DataType:
    match old, new:
        case Struct(), Struct():
            return merged(old, new)
        case ListOf(), ListOf():
            return replace(new, element=_merged_content(old.element, new.element))
        case MapOf(), MapOf():
            return replace(new, key=_merged_type(old.key, new.key), value=_merged_content(old.value, new.value))
        case _:
            return new


def _merged_content(old: Content, new: Content) -> Content:
    return replace(new, type=_merged_type(old.type, new.type))


def strangeness(history: DataType, type_: DataType, at: Path = ()) -> Iterator[str]:
    """Why data of this type is of none of the schemas that a migration type has had; nothing if it may be.

    What is yielded begins with the path.
    """
    match history, type_:
        case Struct(), Struct() if history.described_as == type_.described_as:
            yield from _strange_fields(history, type_, at)
        case ListOf(), ListOf() if (history.large, history.size) == (type_.large, type_.size):
            yield from _strange_content(history.element, type_.element, (*at, ELEMENT))
        case MapOf(), MapOf() if history.keys_sorted == type_.keys_sorted:
            yield from strangeness(history.key, type_.key, (*at, KEY))
            yield from _strange_content(history.value, type_.value, (*at, VALUE))
        case _:
            if history != type_:
                yield f"{text_of(at)} is {type_}, not {history}"


def _strange_content(history: Content | DataField, content: Content | DataField, at: Path) -> Iterator[str]:
    if content.nullable and not history.nullable:
        yield f"{text_of(at)} may be null"
    yield from strangeness(history.type, content.type, at)


def _strange_fields(history: Struct, type_: Struct, at: Path) -> Iterator[str]:
    known = {field.identity: field for field in history.fields}
    for field in type_.fields:
        here = (*at, field.name)
        before = known.get(field.identity)
        if before is None or before.name != field.name:
            yield f"{text_of(here)} was never a field"
        else:
            yield from _strange_content(before, field, here)
    present = {field.identity for field in type_.fields}
    for field in history.fields:
        if not field.deleted and not field.nullable and field.identity not in present:
            yield f"{text_of((*at, field.name))} is missing"
