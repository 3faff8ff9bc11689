"""What an event says of where the columns of its outputs come from: pairs of an output column and an input column.

Three facets say it: `columnLineage` of the output, `lineage` of the output, and `lineage` of the job for outputs of the
event. What they say of one pair is taken together. A column that has a part in the whole output, by a filter or a join,
makes a pair with each of its columns.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import msgspec

from lineage_core.errors import RejectedEvent
from lineage_core.model.meaning.dataset_descriptions import DescribedSchema, described
from lineage_core.namespace_format import formatted_namespace
from lineage_core.openlineage.events import DatasetMention, Event, JobMention
from lineage_core.openlineage.facets.column_lineage import FACET as COLUMN_LINEAGE
from lineage_core.openlineage.facets.column_lineage import LONGEST_TYPE, ColumnLineage, InputField, Transformation
from lineage_core.openlineage.facets.lineage import FACET as LINEAGE
from lineage_core.openlineage.facets.lineage import FieldEntry, Lineage, LineageEntry, Origin
from lineage_core.openlineage.identity import dataset_uuid, key_uuid
from lineage_core.remembered import LatestOnly, remembered

MOST_PAIRS = 200_000
"""Pairs that one event may name of one output: filters by many columns of a wide table multiply."""

LARGEST_PAIRS = 32 << 20
"""Bytes that they may take as JSON."""

_REMEMBERED = 64 << 20
"""Bytes of lineages, and again of what jobs state."""

_LARGE = 1 << 14
"""Bytes of facets of which no more than those of one dataset are kept at a time."""

_NOTHING = b"null"


@dataclass(frozen=True, slots=True)
class DescribedLineage:
    """Where the columns of one output come from, as one event describes it.

    pairs: a JSON list of `output` and `output_type`, name and type of a column of the event's schema, or the path of
    one within it, without a type; `dataset`, key of the input; `field`, name of its column; `type` and
    `description` of the transformation. Nulls are left out.
    """

    uuid: bytes
    pairs: bytes


class _Saying(NamedTuple):
    """One statement: this column of an input flows into that column of the output, or into each if it is None.

    type, description: of the older members, which speak of the output column.
    """

    column: str | None
    namespace: str
    name: str
    field: str
    transformations: Iterable[Transformation]
    type: str | None = None
    description: str | None = None


def described_lineages(event: Event) -> Mapping[int, DescribedLineage]:
    """By the place of each output of a run that has any.

    Raises RejectedEvent where it cannot be read or stored.
    """
    return event.described_by(_DescribedLineages).by_place


class _DescribedLineages:
    def __init__(self, event: Event) -> None:
        entries = _entries_of(event.job) if event.run else {}
        outputs = event.outputs if event.run else ()
        found = ((output.place, _described_lineage(output, entries, event.large)) for output in outputs)
        self.by_place = {place: lineage for place, lineage in found if lineage is not None}


def _described_lineage(
    mention: DatasetMention, entries: Mapping[tuple[str, str], bytes], large: LatestOnly
) -> DescribedLineage | None:
    stated = (
        bytes(mention.facets.get(COLUMN_LINEAGE.key, _NOTHING)),
        bytes(mention.facets.get(LINEAGE.key, _NOTHING)),
        entries.get((mention.formatted, mention.name), _NOTHING),
    )
    if stated == (_NOTHING, _NOTHING, _NOTHING):
        return None
    try:
        if sum(map(len, stated)) > _LARGE:
            return large.of("lineage", mention.place, lambda: _described(described(mention).schema, *stated))
        return _describe(described(mention).schema, *stated)
    except RejectedEvent as error:
        raise RejectedEvent(error.reason, f"{mention.path}.facets{error.path}") from error


def _described(
    schema: DescribedSchema, column_lineage: bytes, lineage: bytes, entries: bytes
) -> DescribedLineage | None:
    """The path of a RejectedEvent begins at the facet."""
    columns = _columns(schema)
    pairs: defaultdict[tuple[str, str, str], list[_Saying]] = defaultdict(list)
    keys: dict[tuple[str, str], str] = {}
    sayings = 0
    for saying in _sayings(column_lineage, lineage, entries):
        outputs = columns if saying.column is None else [saying.column] if _is_within(saying.column, columns) else []
        sayings += len(outputs)
        if sayings > MOST_PAIRS:
            raise _too_much(f"more than {MOST_PAIRS} pairs")
        named = saying.namespace, saying.name
        dataset = keys[named] if named in keys else keys.setdefault(named, _input_key(*named))
        for output in outputs:
            pairs[output, dataset, saying.field].append(saying)
    if not pairs:
        return None
    written = _json_list(columns, pairs)
    return DescribedLineage(key_uuid("dataset_column_lineages", written.decode()), written)


_describe = remembered(_REMEMBERED)(_described)


class _Column(msgspec.Struct):
    name: str
    type: str | None = None


_columns_decoder = msgspec.json.Decoder(list[_Column])


def _columns(schema: DescribedSchema) -> dict[str, str | None]:
    """Name and type of each column. Of two with one name, Marquez takes the first."""
    columns: dict[str, str | None] = {}
    for column in _columns_decoder.decode(schema.listed or b"[]"):
        columns.setdefault(column.name, column.type)
    return columns


def _is_within(column: str, columns: Mapping[str, str | None]) -> bool:
    """Whether it is one of the columns, or within one, as `address.city`.

    The latter has no rows in `column_lineage`, but it tells what the job reads.
    """
    return column in columns or any(
        column[:place] in columns for place, character in enumerate(column) if character == "."
    )


def _input_key(namespace: str, name: str) -> str:
    return dataset_uuid(formatted_namespace(namespace), name).hex()


def _json_list(columns: Mapping[str, str | None], pairs: Mapping[tuple[str, str, str], list[_Saying]]) -> bytes:
    """Written pair by pair, so that what is too large is noticed before it is there."""
    written: list[bytes] = []
    size = 0
    for (output, dataset, field), sayings in pairs.items():
        transformation = transformation_type(sayings), transformation_description(sayings)
        written.append(msgspec.json.encode(_Pair(output, dataset, field, columns.get(output), *transformation)))
        size += len(written[-1])
        if size > LARGEST_PAIRS:
            raise _too_much(f"more than {LARGEST_PAIRS} bytes")
    return b"[" + b",".join(written) + b"]"


def _too_much(amount: str) -> RejectedEvent:
    return RejectedEvent(f"where its columns come from takes {amount}", f".{COLUMN_LINEAGE.key}")


class _Pair(msgspec.Struct, omit_defaults=True):
    output: str
    dataset: str
    field: str
    output_type: str | None = None
    type: str | None = None
    description: str | None = None


def transformation_type(sayings: Iterable[_Saying]) -> str | None:
    """The older `transformationType` where it is given; else each transformation once, as `DIRECT:IDENTITY`.

    As many as fit the column; the facet has them all.
    """
    older = [saying.type for saying in sayings if saying.type is not None]
    if older:
        return older[-1]
    kept = ""
    for kind in _distinct([_kind(step) for saying in sayings for step in saying.transformations]):
        longer = f"{kept}, {kind}" if kept else kind
        if len(longer) > LONGEST_TYPE:
            break
        kept = longer
    return kept or None


def transformation_description(sayings: Iterable[_Saying]) -> str | None:
    """The older `transformationDescription` where it is given; else each description of a transformation once."""
    older = [saying.description for saying in sayings if saying.description is not None]
    if older:
        return older[-1]
    return "; ".join(_distinct([step.description for saying in sayings for step in saying.transformations])) or None


def _kind(step: Transformation) -> str:
    parts = (step.type, step.subtype, "MASKED" if step.masking else None)
    return ":".join([part for part in parts if part])


def _distinct(texts: list[str] | list[str | None]) -> list[str]:
    return list(dict.fromkeys([text for text in texts if text]))


def _sayings(column_lineage: bytes, lineage: bytes, entries: bytes) -> Iterator[_Saying]:
    described = COLUMN_LINEAGE.read({COLUMN_LINEAGE.key: msgspec.Raw(column_lineage)}, "")
    if described is not None:
        yield from _of_column_lineage(described)
    stated = LINEAGE.read({LINEAGE.key: msgspec.Raw(lineage)}, "")
    if stated is not None:
        yield from _of_lineage(stated.fields, stated.inputs)
    for entry in _entries_decoder.decode(entries) or ():
        yield from _of_lineage(entry.fields, entry.inputs)


def _of_column_lineage(described: ColumnLineage) -> Iterator[_Saying]:
    for column, made in (described.fields or {}).items():
        for source in made.input_fields or ():
            yield _saying(column, source, made.transformation_type, made.transformation_description)
    for source in described.dataset or ():
        yield _saying(None, source)


def _saying(
    column: str | None, source: InputField, type_: str | None = None, description: str | None = None
) -> _Saying:
    steps = _steps(column, source.transformations)
    return _Saying(column, source.namespace, source.name, source.field, steps, type_, description)


def _steps(column: str | None, transformations: Iterable[Transformation] | None) -> Iterable[Transformation]:
    """Those of a whole output are indirect: what filters, joins or sorts it flows into none of its columns.

    openlineage-spark 1.53 calls them DIRECT:IDENTITY where it read the input by JDBC.
    """
    if column is not None:
        return transformations or ()
    return [_INDIRECT if step.type == "DIRECT" else step for step in transformations or ()]


_INDIRECT = Transformation(type="INDIRECT")


def _of_lineage(fields: Mapping[str, FieldEntry] | None, inputs: Iterable[Origin] | None) -> Iterator[_Saying]:
    for column, entry in (fields or {}).items():
        yield from _of_origins(column, entry.inputs)
    yield from _of_origins(None, inputs)


def _of_origins(column: str | None, origins: Iterable[Origin] | None) -> Iterator[_Saying]:
    """Those that are columns; jobs and whole datasets are not."""
    for origin in origins or ():
        if origin.type == "DATASET" and not (origin.namespace is None or origin.name is None or origin.field is None):
            steps = _steps(column, origin.transformations)
            yield _Saying(column, origin.namespace, origin.name, origin.field, steps)


_entries_decoder = msgspec.json.Decoder(list[LineageEntry] | None)


def _entries_of(job: JobMention | None) -> Mapping[tuple[str, str], bytes]:
    """What the job's facet states of datasets, by formatted namespace and name: its entries, as JSON."""
    return (
        {}
        if job is None or job.facets.get(LINEAGE.key, _NOTHING) == _NOTHING
        else job.described_by(_StatedLineage).entries
    )


class _StatedLineage:
    """What the lineage facet of a job states."""

    def __init__(self, job: JobMention) -> None:
        self._raw = bytes(job.facets[LINEAGE.key])

    @cached_property
    def entries(self) -> Mapping[tuple[str, str], bytes]:
        try:
            return _entries(self._raw) if len(self._raw) <= _LARGE else _entries_by_dataset(self._raw)
        except RejectedEvent as error:
            raise RejectedEvent(error.reason, f"$.job.facets{error.path}") from error


def _entries_by_dataset(raw: bytes) -> dict[tuple[str, str], bytes]:
    stated = LINEAGE.read({LINEAGE.key: msgspec.Raw(raw)}, "") or Lineage()
    found: defaultdict[tuple[str, str], list[LineageEntry]] = defaultdict(list)
    for entry in stated.entries or ():
        if entry.type == "DATASET" and not (entry.namespace is None or entry.name is None):
            found[formatted_namespace(entry.namespace), entry.name].append(entry)
    return {dataset: msgspec.json.encode(entries) for dataset, entries in found.items()}


_entries = remembered(_REMEMBERED)(_entries_by_dataset)
