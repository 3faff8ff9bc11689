"""What one mention of a dataset says of it: its source, its schema, its lifecycle, and the ids that follow."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import msgspec

from lineage_core.errors import RejectedEvent
from lineage_core.model.meaning.schema_versions import Field, dataset_version_uuid, schema_version_uuid, version_content
from lineage_core.namespace_format import formatted_namespace
from lineage_core.openlineage.events import DatasetMention, Event
from lineage_core.openlineage.facets.data_source import FACET as DATA_SOURCE
from lineage_core.openlineage.facets.lifecycle_state_change import FACET as LIFECYCLE
from lineage_core.openlineage.facets.schema import FACET as SCHEMA
from lineage_core.openlineage.facets.schema import SchemaField as DescribedField
from lineage_core.openlineage.facets.symlinks import FACET as SYMLINKS
from lineage_core.openlineage.facets.symlinks import Identifier
from lineage_core.openlineage.identity import dataset_uuid, field_uuids, ignoring_case, key_uuid
from lineage_core.remembered import remembered

LARGEST_SCHEMA = 200 << 20
"""Bytes of a schema as it is stored: jsonb ends at 256 MiB."""

_LISTED = 100
"""Bytes that a field takes in it besides its own text, at most."""

_STRETCH = 1_000
_REMEMBERED = 32 << 20
"""Bytes of schemas: some 2,000 of ten columns."""

_LARGE = 1 << 16
"""Bytes of a schema facet of which no more than one is kept at a time."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where a dataset lies, as `sources` has it."""

    name: str
    connection_url: str


@dataclass(frozen=True, slots=True)
class DescribedSchema:
    """The schema of one dataset as one event describes it."""

    uuid: bytes
    """Of this description, with order, descriptions and inner columns of its fields."""
    version: bytes
    """Of the schema version with the same names and types."""
    content: str
    """The fields as the id of a dataset version has them."""
    listed: bytes | None
    """The JSON of `dataset_versions.fields`, None without a list."""
    keys: tuple[bytes, ...]
    """The uuid of each of these fields, in their order."""


class DatasetDescription:
    """What a mention says of its dataset. Each property raises RejectedEvent where that cannot be stored."""

    def __init__(self, mention: DatasetMention) -> None:
        # Not the mention itself, which holds its descriptions: in a circle a large event would outlive its rows.
        self._namespace = mention.namespace
        self._formatted = mention.formatted
        self._name = mention.name
        self._facets = mention.facets
        self._path = f"{mention.path}.facets"
        self._place = mention.place
        self._large = mention.large

    @cached_property
    def dataset_uuid(self) -> bytes:
        """Key of the dataset."""
        return dataset_uuid(self._formatted, self._name)

    @cached_property
    def source(self) -> Source:
        """The source of the `dataSource` facet, or `default` (marquez-model, section 2.2)."""
        facet = DATA_SOURCE.read(self._facets, self._path)
        if facet is None or facet.name is None:
            return Source("default", "")
        return Source(facet.name, connection_url(facet.uri))

    @property
    def schema(self) -> DescribedSchema:
        """The schema of the `schema` facet; one without columns if there is none."""
        if len(memoryview(self._facets.get(SCHEMA.key, b""))) <= _LARGE:
            return self._small_schema
        return self._large.of("schema", self._place, lambda: self._schema(_described))

    @cached_property
    def _small_schema(self) -> DescribedSchema:
        return self._schema(_describe)

    def _schema(self, describe: Callable[[str, str, bytes], DescribedSchema]) -> DescribedSchema:
        raw = bytes(self._facets.get(SCHEMA.key, b"null"))
        try:
            return describe(self._formatted, self._name, raw)
        except RejectedEvent as error:
            raise RejectedEvent(error.reason, f"{self._path}{error.path}") from error

    @cached_property
    def other_names(self) -> list[Identifier]:
        """The names that the `symlinks` facet gives the dataset besides its own."""
        symlinks = SYMLINKS.read(self._facets, self._path)
        return (symlinks.identifiers if symlinks else None) or []

    @cached_property
    def lifecycle_state(self) -> str:
        """The lifecycle facet's state, the empty text without one."""
        facet = LIFECYCLE.read(self._facets, self._path)
        return (facet.lifecycle_state_change if facet else None) or ""

    @property
    def endings(self) -> dict[bytes, bytes | None]:
        """The keys of the names that end with this mention, with the key of the name that each got; None if dropped."""
        state = ignoring_case(self.lifecycle_state)
        if state == "drop":
            return {self.dataset_uuid: None}
        facet = LIFECYCLE.read(self._facets, self._path) if state == "rename" else None
        previous = facet.previous_name() if facet else None
        if previous is None:
            return {}
        return {dataset_uuid(formatted_namespace(previous[0]), previous[1]): self.dataset_uuid}

    def version(self, event: Event) -> bytes:
        """The id of the version that this mention makes, if it makes one; `event` is the one that mentions it."""
        return dataset_version_uuid(
            self._namespace,
            self._name,
            self.source.name,
            self.schema.content,
            self.lifecycle_state,
            None if event.run is None else uuid_text(event.run.uuid),
        )


def described(mention: DatasetMention) -> DatasetDescription:
    """What the mention says, worked out once however many tables ask."""
    return mention.described_by(DatasetDescription)


def _described(namespace: str, dataset: str, raw: bytes) -> DescribedSchema:
    """`namespace` is the formatted one. The path of a RejectedEvent begins at the facet."""
    fields = _fields(raw)
    content = version_content(fields or ())
    version = schema_version_uuid(namespace, dataset, fields or ())
    listed = None if fields is None else _json_list(fields)
    uuid_of = field_uuids(namespace, dataset)
    return DescribedSchema(
        uuid=key_uuid("dataset_schemas", namespace, dataset, (listed or b"null").decode()),
        version=version,
        content=content,
        listed=listed,
        keys=tuple([uuid_of(field.name, field.type) for field in fields or ()]),
    )


_describe = remembered(_REMEMBERED)(_described)


def _fields(raw: bytes) -> tuple[Field, ...] | None:
    schema = SCHEMA.read({SCHEMA.key: msgspec.Raw(raw)}, "")
    if schema is None or schema.fields is None:
        return None
    if len(raw) + _LISTED * len(schema.fields) > LARGEST_SCHEMA:
        raise RejectedEvent(f"{len(schema.fields)} columns take more than a table can hold", ".schema.fields")
    return tuple(Field(field.name, field.type, field.description, _nested(field)) for field in schema.fields)


def _nested(field: DescribedField) -> bytes | None:
    written = bytes(field.fields)
    return written if written.startswith(b"[") else None


def _json_list(fields: Sequence[Field]) -> bytes:
    """The list as JSON, written a stretch at a time: as Python objects a wide schema takes many times its text."""
    starts = range(0, len(fields), _STRETCH)
    stretches = (msgspec.json.encode(list(map(_listed, fields[start : start + _STRETCH]))) for start in starts)
    return b"[" + b",".join(stretch[1:-1] for stretch in stretches) + b"]"


def _listed(field: Field) -> _ListedField:
    typed = msgspec.UNSET if field.type is None else field.type
    nested = msgspec.UNSET if field.nested is None else msgspec.Raw(field.nested)
    return _ListedField(field.name, typed, (), field.description, nested)


class _ListedField(msgspec.Struct):
    """As Marquez lists a field: no `type` if it has none, but a `description` of null; and the columns within it."""

    name: str
    type: str | msgspec.UnsetType
    tags: tuple[()]
    description: str | None
    fields: msgspec.Raw | msgspec.UnsetType


_URI = re.compile(
    r"(?:[a-zA-Z][a-zA-Z0-9+.\-]*:(?=.)|(?![^/?#]*:))"  # a scheme and something behind it, or no colon before the path
    r"(?:[^\x00-\x20\x7f-\xa0\"<>\\^`{|}%]|%[0-9a-fA-F]{2})*"
)


def connection_url(uri: str | None) -> str:
    """As Marquez keeps it: what is no URI by itself gets `http://` before it; nothing becomes the empty text."""
    if uri is None:
        return ""
    return uri if _URI.fullmatch(uri) else f"http://{uri}"


def uuid_text(uuid: bytes) -> str:
    """The usual form, in lower case with dashes."""
    digits = uuid.hex()
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"
