"""The schemas that a user's dataset has had, judged by the rules of seed 004.

No one asked before they changed, so a change against the rules is reported and the history goes on from it. Events say
nothing of nulls, and the order of fields says nothing: every field is nullable, and order is ignored. Types are
compared by what they say (`described_types`), not as texts.

Unknown is no change: a field without a type has the type that it had, and an empty list of fields says nothing. What a
later event says of a field whose type no event has named is no change, either.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import msgspec
from msgspec.structs import replace

from lineage_core.errors import WrongUsage
from lineage_core.evolution.data_types import DataField, DataType, Path, Struct, live, parsed_path, projection
from lineage_core.evolution.described_types import ELEMENT, KEY, VALUE, read_type
from lineage_core.evolution.rules import Refusal, TypeChange, changes, compared, merged, refusals

Readers = Mapping[str, Iterable[str] | None]
"""Each reader, and the columns that it reads: paths such as `address.city`, as `data_types.text_of` writes them; None
if it is not known which, so that it may be any."""

EVERYTHING = "everything"
"""Stands for a reader of all columns."""


class DescribedField(msgspec.Struct, frozen=True):
    """A field of a dataset, as events describe it and `dataset_versions.fields` keeps it.

    fields: those within it; None if the event does not say.
    """

    name: str
    type: str | None = None
    fields: tuple[DescribedField, ...] | None = None


def described_fields(value: Any) -> tuple[DescribedField, ...] | None:
    """Fields out of JSON, `[{"name": …, "type": …, "fields": […]}]`; None of null. Raises WrongUsage if malformed."""
    try:
        return msgspec.convert(value, tuple[DescribedField, ...] | None)
    except msgspec.ValidationError as error:
        raise WrongUsage(f"This is no list of fields, each with a name: {error}") from error


def written_fields(text: bytes | str, name: str) -> tuple[DescribedField, ...]:
    """The fields that a text of JSON gives, as a list of them or as a schema facet. name: of the text, for messages.

    Raises WrongUsage if it gives none.
    """
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise WrongUsage(f"{name} is no JSON that can be read: {error}") from error
    fields = described_fields(value.get("fields") if isinstance(value, dict) else value)
    if not fields:
        raise WrongUsage(f"{name} has no fields: it is a list of them, or an object with one under `fields`")
    return fields


DEEPEST = 50
"""Levels of fields within fields that are judged. What is further inside counts as unknown."""


def recorded_fields(text: str | None) -> tuple[DescribedField, ...] | None:
    """Fields as `dataset_versions.fields` has them, as JSON; None of null.

    Those within others are as producers wrote them: unknown if malformed.
    """
    try:
        return None if text is None else _recorded_list(msgspec.json.decode(text), 1)
    except RecursionError:
        return None


def _recorded_list(value: Any, level: int) -> tuple[DescribedField, ...] | None:
    if level > DEEPEST or not isinstance(value, list):
        return None
    if not all(isinstance(field, dict) and _has_name(field) for field in value):
        return None
    return tuple(
        DescribedField(field["name"], field.get("type"), _recorded_list(field.get("fields"), level + 1))
        for field in value
    )


def _has_name(field: dict[str, Any]) -> bool:
    return isinstance(field.get("name"), str) and isinstance(field.get("type"), str | None)


class Verdict(StrEnum):
    """What a schema is to those before it."""

    FIRST = "first"
    UNCHANGED = "unchanged"
    COMPATIBLE = "compatible"
    REFUSED = "refused"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class FencedColumn:
    """A column that a reader reads, and which it could not read after the change.

    is_known: whether it is known to read that one; if not, it may read any.
    """

    reader: str
    refusal: Refusal
    is_known: bool = True


@dataclass(frozen=True)
class Judgement:
    """The verdict on one schema: what has changed as permitted, what against which rule, and whom it fences."""

    verdict: Verdict
    changes: tuple[TypeChange, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    fenced: tuple[FencedColumn, ...] = ()


class DatasetHistory(msgspec.Struct, frozen=True):
    """What later schemas are judged by: the latest one that is known, and all fields that were ever deleted."""

    struct: Struct | None = None

    def next(
        self, fields: Sequence[DescribedField] | None, readers: Readers | None = None
    ) -> tuple[Judgement, DatasetHistory]:
        """The judgement of the schema that came next, and the history with it. fields: None, or none, if no event says
        them."""
        if not fields:
            return Judgement(Verdict.UNKNOWN), self
        new = _struct(fields, self.struct)
        if self.struct is None:
            return Judgement(Verdict.FIRST), DatasetHistory(new)
        before = _completed(self.struct, new)
        after = _by_name(merged(before, new))
        findings = compared(before, new)
        broken = tuple(refusals(findings))
        verdict = Verdict.REFUSED if broken else Verdict.COMPATIBLE if findings else Verdict.UNCHANGED
        fenced = _fenced(live(before), after, readers or {}) if findings else ()
        return Judgement(verdict, changes(findings), broken, fenced), DatasetHistory(after)

    def next_for_all(self, fields: Sequence[DescribedField] | None) -> tuple[Judgement, DatasetHistory]:
        """As `next`, for one reader of all columns. `fenced_readers` says which others its judgement fences."""
        return self.next(fields, {EVERYTHING: None})

    def to_json(self) -> dict[str, Any]:
        """As values of JSON. Equal histories give equal ones."""
        value: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(self))
        return value

    @classmethod
    def from_json(cls, value: Any) -> DatasetHistory:
        """What `to_json` gave. Raises WrongUsage if it is something else."""
        try:
            return msgspec.convert(value, cls)
        except msgspec.ValidationError as error:
            raise WrongUsage(f"This is no history of a dataset: {error}") from error


def fenced_readers(fencing: Iterable[Refusal], readers: Readers) -> tuple[FencedColumn, ...]:
    """What `next` would say of these readers, by what fences a reader of all columns."""
    refused = [(parsed_path(refusal.path), refusal) for refusal in fencing]
    return tuple(
        FencedColumn(reader, refusal, is_known=columns is not None)
        for reader, columns in readers.items()
        for lost, refusal in refused
        if columns is None or any(_meet(lost, parsed_path(column)) for column in columns)
    )


_CONTAINED = {ELEMENT, KEY, VALUE, "element", "[]"}
"""Steps to what a list or a map holds: some producers write them, others do not."""


def _meet(one: Path, other: Path) -> bool:
    """Whether one is the other, or inside it."""
    return all(mine == theirs for mine, theirs in zip(fields_on(one), fields_on(other), strict=False))


def fields_on(path: Path) -> Path:
    """The names on a path to a column, without the steps to what a list or a map holds."""
    return (*path[:1], *(step for step in path[1:] if step not in _CONTAINED))


def judged(schemas: Iterable[Sequence[DescribedField] | None]) -> list[Judgement]:
    """The judgement of each schema of a dataset, the first one first."""
    history = DatasetHistory()
    judgements = []
    for fields in schemas:
        judgement, history = history.next(fields)
        judgements.append(judgement)
    return judgements


def _struct(fields: Sequence[DescribedField], known: Struct | None, described_as: str | None = None) -> Struct:
    """The fields as a struct, in the order of their names. `known` is what the struct was before."""
    before = {field.name: field.type for field in (known.fields if known else ()) if not field.deleted}
    alike: dict[str, list[DescribedField]] = {}
    for field in fields:
        alike.setdefault(field.name, []).append(field)
    return Struct(
        tuple(DataField(name, _type(alike[name], before.get(name)), nullable=True) for name in sorted(alike)),
        described_as,
    )


def _type(alike: Sequence[DescribedField], known: DataType | None) -> Struct:
    """The type of a field, or of the several that an event gives one name.

    Where the event does not say the type, or what is inside, it is what was there before.
    """
    types = [read for field in alike if field.type is not None and (read := read_type(field.type)) is not None]
    described = " and ".join(sorted({f'"{type_.name}"' for type_ in types})) or None
    before = known if isinstance(known, Struct) and described in (known.described_as, None) else None
    described_as = before.described_as if described is None and before is not None else described
    inside = [inner for field in alike for inner in field.fields or ()] or [
        DescribedField(member.name, member.type) for type_ in types for member in type_.members or ()
    ]
    if not inside:
        return Struct((), described_as) if before is None else live(before)
    return _struct(inside, before, described_as)


def _completed(known: Struct, new: Struct) -> Struct:
    """What is known, with the types of fields that no event has given before."""
    types = {field.name: field.type for field in new.fields}
    return replace(
        known,
        fields=tuple(
            field
            if field.deleted or not isinstance(field.type, Struct)
            else replace(field, type=_completed_type(field.type, types.get(field.name)))
            for field in known.fields
        ),
    )


def _completed_type(known: Struct, new: DataType | None) -> Struct:
    if not isinstance(new, Struct):
        return known
    completed = known if known.described_as is not None else replace(known, described_as=new.described_as)
    return _completed(completed, new) if completed.described_as == new.described_as else completed


def _by_name(struct: Struct) -> Struct:
    fields = sorted(struct.fields, key=lambda field: field.name)
    return replace(
        struct,
        fields=tuple(
            replace(field, type=_by_name(field.type)) if isinstance(field.type, Struct) and field.type.fields else field
            for field in fields
        ),
    )


def _fenced(before: Struct, after: Struct, readers: Readers) -> tuple[FencedColumn, ...]:
    return tuple(
        FencedColumn(reader, refusal, is_known=columns is not None)
        for reader, columns in readers.items()
        for refusal in refusals(compared(after, _read(before, columns)))
    )


def _read(struct: Struct, columns: Iterable[str] | None) -> Struct:
    return struct if columns is None else projection(struct, [parsed_path(column) for column in columns])
