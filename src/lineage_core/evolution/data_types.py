"""Types of data as values: primitives, structs, lists and maps, nested to any depth (seed 004, "Schemas").

They are Arrow's, but a field of a struct may also be deleted. With deleted fields a struct is a migration type, without
them a schema. Nothing here knows Arrow: `evolution.arrow` converts from and to its types.
"""

from __future__ import annotations

import re

import msgspec

from lineage_core.errors import WrongUsage

Path = tuple[str, ...]
"""The names from the outermost struct to a place: of fields, or `element`, `key` and `value` as Spark names them."""

ELEMENT, KEY, VALUE = "element", "key", "value"


class Primitive(msgspec.Struct, frozen=True, tag_field="kind", tag="primitive"):
    """A type without others inside, by the name that Arrow gives it: `int64`, `timestamp[us, tz=UTC]`."""

    name: str

    def __str__(self) -> str:
        return self.name


class Struct(msgspec.Struct, frozen=True, tag_field="kind", tag="struct", omit_defaults=True):
    """Fields in their order.

    described_as: the type of a user's dataset's field, as an event writes it; two structs are one type only if it is
    equal. Arrow's structs have none.
    """

    fields: tuple[DataField, ...]
    described_as: str | None = None

    def __str__(self) -> str:
        return self.described_as or f"struct<{', '.join(str(field) for field in self.fields if not field.deleted)}>"


class Content(msgspec.Struct, frozen=True):
    """What a list has as elements, or a map as values."""

    type: DataType
    nullable: bool

    def __str__(self) -> str:
        return f"{self.type}{'' if self.nullable else ' not null'}"


class ListOf(msgspec.Struct, frozen=True, tag_field="kind", tag="list", omit_defaults=True):
    """A list. large: with offsets of 64 bits. size: of each list, where all have the same."""

    element: Content
    large: bool = False
    size: int | None = None

    def __str__(self) -> str:
        size = "" if self.size is None else f"[{self.size}]"
        return f"{'large_' if self.large else ''}list<{self.element}>{size}"


class MapOf(msgspec.Struct, frozen=True, tag_field="kind", tag="map", omit_defaults=True):
    """A map. No key is null."""

    key: DataType
    value: Content
    keys_sorted: bool = False

    def __str__(self) -> str:
        return f"map<{self.key}, {self.value}{', sorted' if self.keys_sorted else ''}>"


DataType = Primitive | Struct | ListOf | MapOf


class DataField(msgspec.Struct, frozen=True, omit_defaults=True):
    """A field of a struct. id: its number, if the fields of the struct have numbers."""

    name: str
    type: DataType
    nullable: bool
    id: int | None = None
    deleted: bool = False

    @property
    def identity(self) -> str | int:
        """What is never used again once the field is deleted: its id, or else its name."""
        return self.name if self.id is None else self.id

    def __str__(self) -> str:
        return f"{self.name}: {self.type}{'' if self.nullable else ' not null'}"


_PRIMITIVE = re.compile(
    r"""null|bool|u?int(8|16|32|64)|halffloat|float|double
    |decimal(32|64|128|256)\(\d+,\ -?\d+\)
    |(large_)?(string|binary)|(string|binary)_view|fixed_size_binary\[\d+\]
    |date32\[day\]|date64\[ms\]|time32\[(s|ms)\]|time64\[(us|ns)\]
    |timestamp\[(s|ms|us|ns)(,\ tz=.+)?\]|duration\[(s|ms|us|ns)\]|month_day_nano_interval""",
    re.VERBOSE,
)


def is_known(primitive: Primitive) -> bool:
    """Whether it is one of Arrow's types that is no encoding of another, and has no others inside."""
    return _PRIMITIVE.fullmatch(primitive.name) is not None


def live(type_: Struct) -> Struct:
    """The schema that a migration type now is: without the deleted fields."""
    return _live(type_)  # type: ignore[return-value]


def _live(type_: DataType) -> DataType:
    match type_:
        case Struct(fields):
            kept = tuple(
                msgspec.structs.replace(field, type=_live(field.type)) for field in fields if not field.deleted
            )
            return msgspec.structs.replace(type_, fields=kept)
        case ListOf(element):
            return msgspec.structs.replace(type_, element=Content(_live(element.type), element.nullable))
        case MapOf(key, value):
            return msgspec.structs.replace(type_, key=_live(key), value=Content(_live(value.type), value.nullable))
        case _:
            return type_


def projection(type_: Struct, paths: list[Path]) -> Struct:
    """The schema with only these fields, each with all that is inside it. A path that is not there is left out."""
    fields = []
    for field in type_.fields:
        below = [path[1:] for path in paths if path[:1] == (field.name,)]
        if not below:
            continue
        inner = field.type
        if isinstance(inner, Struct) and () not in below:
            inner = projection(inner, below)
        fields.append(msgspec.structs.replace(field, type=inner))
    return msgspec.structs.replace(type_, fields=tuple(fields))


def text_of(path: Path) -> str:
    """A path as Spark writes it: dots between, and names with a dot in backquotes."""
    return ".".join(_quoted(name) for name in path)


_NAME = re.compile(r"`((?:[^`]|``)*)`|([^.`]+)")
_PATH = re.compile(rf"(?:{_NAME.pattern})(?:\.(?:{_NAME.pattern}))*")


def _quoted(name: str) -> str:
    return name if name and not {".", "`"} & set(name) else f"`{name.replace('`', '``')}`"


def parsed_path(text: str) -> Path:
    """What `text_of` makes of a path, as a path again. Raises WrongUsage if it makes none of that text."""
    if _PATH.fullmatch(text) is None:
        raise WrongUsage(
            f"{text!r} is no path of a column: write its names with a dot between them, and a name that has a dot or a"
            " backquote itself in backquotes, as `net.price`, where two stand for one"
        )
    return tuple(plain or quoted.replace("``", "`") for quoted, plain in _NAME.findall(text))
