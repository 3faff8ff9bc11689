"""From the text of an OpenLineage event to the values that tables are filled from.

Facets stay the raw bytes of the document, so that numbers, key spelling and unknown members come out as they went in.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, NoReturn, TypeAlias, TypeVar

import msgspec

from lineage_core.errors import RejectedEvent
from lineage_core.namespace_format import formatted_namespace
from lineage_core.openlineage.identity import content_digest, run_uuid
from lineage_core.openlineage.instants import parse_instant
from lineage_core.openlineage.json_limits import check_characters, check_encoding, check_nesting
from lineage_core.remembered import LatestOnly, remembered

RawFacets = Mapping[str, msgspec.Raw]
Description = TypeVar("Description")
Decoded = TypeVar("Decoded")

LONGEST_NAME = 2_400
"""Bytes of UTF-8 that a namespace and a name may have together: past some 2,700 no Postgres index takes them."""


class Kind(Enum):
    """What an event speaks of; the values are those of `lineage_events._event_type`."""

    RUN = "RUN_EVENT"
    JOB = "JOB_EVENT"
    DATASET = "DATASET_EVENT"


class RunState(Enum):
    """State of a run, as in `run_states.state`."""

    RUNNING = "RUNNING"
    COMPLETED = "COMPLETED"
    FAILED = "FAILED"
    ABORTED = "ABORTED"


ENDINGS = {"complete": RunState.COMPLETED, "fail": RunState.FAILED, "abort": RunState.ABORTED}
"""Event types in lower case; no letter beyond ASCII is one of theirs in another case, so every locale has the same."""
STARTING = "start"
"""The event type, in lower case, that begins a run."""


class Rank(Enum):
    """Where events stand among those of the same instant."""

    START = 0
    RUNNING = 1
    ENDING = 2


class Role(Enum):
    """How an event names a dataset; the values stand in `dataset_mentions.role`.

    SQL has them as input_role() and output_role().
    """

    INPUT = 1
    OUTPUT = 2


class Moment(NamedTuple):
    """When an event says something: its time, and its place in the orders of events."""

    time: int
    """Microseconds since 1970, UTC."""
    order: bytes
    """For contests that the first event wins: 26 bytes, see `Event.order`."""
    newest_order: bytes
    """For contests that the last event wins, see `Event.newest_order`."""


@dataclass(frozen=True, slots=True)
class _Describable:
    """Several tables ask for what follows from it, so that is worked out once."""

    descriptions: dict[type[Any], Any] = field(
        default_factory=dict, init=False, compare=False, repr=False, kw_only=True
    )

    def described_by(self, kind: type[Description]) -> Description:
        """The description of that kind, a class of `lineage_core.model.meaning` that is made of this alone."""
        known: Description | None = self.descriptions.get(kind)
        if known is None:
            known = self.descriptions[kind] = kind(self)  # type: ignore[call-arg]
        return known


@dataclass(frozen=True, slots=True)
class Mention(_Describable):
    """What an event says of one thing.

    is_shared: all events that say the same, byte for byte and in the same place, have this very object, as long as it
    is remembered.
    """

    is_shared: bool = field(default=False, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class JobMention(Mention):
    """`namespace` as spelled, `formatted` as Marquez stores it."""

    namespace: str
    formatted: str
    name: str
    facets: RawFacets
    place: ClassVar[int] = 0
    path: ClassVar[str] = "$.job"


@dataclass(frozen=True, slots=True)
class RunMention(Mention):
    """`id` as spelled, `uuid` the 16 bytes that stand for it."""

    id: str
    uuid: bytes
    facets: RawFacets
    place: ClassVar[int] = 0
    path: ClassVar[str] = "$.run"


@dataclass(frozen=True, slots=True)
class DatasetMention(Mention):
    """`io_facets` are an input's input facets, an output's output facets.

    `place` is its number among the event's datasets, inputs first, from 0; `path` is where it stands in the document.
    `large` is one for all mentions of an event that are not shared: what is large is kept for one of them at a time.
    """

    role: Role
    place: int
    namespace: str
    formatted: str
    name: str
    facets: RawFacets
    io_facets: RawFacets
    path: str
    large: LatestOnly = field(default_factory=LatestOnly, compare=False, repr=False)


AnyMention: TypeAlias = RunMention | JobMention | DatasetMention


@dataclass(frozen=True)
class Event(_Describable):
    """One event. `time` is in microseconds since 1970, UTC; `digest`, of its text, is its identity.

    is_ahead: its time was judged, at receipt, to lie in the future; it is then neither the first nor the last where
    another event says the same.
    """

    kind: Kind
    time: int
    event_type: str | None
    producer: str
    run: RunMention | None
    job: JobMention | None
    datasets: tuple[DatasetMention, ...]
    digest: bytes
    is_ahead: bool
    large: LatestOnly = field(default_factory=LatestOnly, compare=False, repr=False)
    """What is large of one dataset at a time."""

    @property
    def mentions(self) -> Iterator[AnyMention]:
        """Of its run, its job and its datasets, in this order."""
        if self.run is not None:
            yield self.run
        if self.job is not None:
            yield self.job
        yield from self.datasets

    @cached_property
    def inputs(self) -> tuple[DatasetMention, ...]:
        return tuple(dataset for dataset in self.datasets if dataset.role is Role.INPUT)

    @cached_property
    def outputs(self) -> tuple[DatasetMention, ...]:
        return tuple(dataset for dataset in self.datasets if dataset.role is Role.OUTPUT)

    @cached_property
    def ending(self) -> RunState | None:
        """The state in which it ends its run, None if it does not."""
        return ENDINGS.get((self.event_type or "").lower()) if self.kind is Kind.RUN else None

    @cached_property
    def state(self) -> RunState | None:
        """The state that it brings its run to; None without an event type. An unknown type counts as RUNNING."""
        if self.kind is not Kind.RUN or self.event_type is None:
            return None
        return self.ending or RunState.RUNNING

    @cached_property
    def identity(self) -> bytes:
        """Time, lifecycle rank and digest, 25 bytes: its place among events with the same verdict on their time."""
        time = (self.time + (1 << 63)).to_bytes(8, "big")
        return time + bytes((_rank(self).value,)) + self.digest

    @cached_property
    def order(self) -> bytes:
        """Its place in the total order of events, 26 bytes to compare as they are: the verdict, then its identity.

        Events ahead of their receipt come behind all others, so that none of them is the first, nor came before
        another. Who asks for the last takes `newest_order`. Postgres compares `bytea` the same way.
        """
        return (AHEAD if self.is_ahead else NOT_AHEAD) + self.identity

    @cached_property
    def newest_order(self) -> bytes:
        """`order` for a contest that the last wins: there events ahead of their receipt come before all others."""
        return (_AHEAD_OF_NEWEST if self.is_ahead else NOT_AHEAD) + self.identity

    @cached_property
    def moment(self) -> Moment:
        return Moment(self.time, self.order, self.newest_order)


NOT_AHEAD, AHEAD = b"\x01", b"\x02"
"""The verdict, the first byte of `Event.order`. The SQL functions event_order() and is_ahead() are rendered from it."""

_AHEAD_OF_NEWEST = b"\x00"


def _rank(event: Event) -> Rank:
    if event.ending is not None:
        return Rank.ENDING
    return Rank.START if (event.event_type or "").lower() == STARTING else Rank.RUNNING


class _Dataset(msgspec.Struct):
    namespace: str
    name: str
    facets: dict[str, msgspec.Raw] | None = None
    inputFacets: dict[str, msgspec.Raw] | None = None  # noqa: N815
    outputFacets: dict[str, msgspec.Raw] | None = None  # noqa: N815


class _Job(msgspec.Struct):
    namespace: str
    name: str
    facets: dict[str, msgspec.Raw] | None = None


class _Run(msgspec.Struct):
    runId: str  # noqa: N815
    facets: dict[str, msgspec.Raw] | None = None


_NULL = msgspec.Raw(b"null")


class _Document(msgspec.Struct):
    """Jobs and datasets are read apart: many events say the same of them."""

    eventTime: str  # noqa: N815
    producer: str
    eventType: str | None = None  # noqa: N815
    schemaURL: str | None = None  # noqa: N815
    run: _Run | None = None
    job: msgspec.Raw = _NULL
    dataset: msgspec.Raw = _NULL
    inputs: list[msgspec.Raw] | None = None
    outputs: list[msgspec.Raw] | None = None


_document_decoder = msgspec.json.Decoder(_Document)
_job_decoder = msgspec.json.Decoder(_Job | None)
_dataset_decoder = msgspec.json.Decoder(_Dataset)


def parse(text: bytes, *, is_ahead: bool = False) -> Event:
    """The event that a JSON document in UTF-8 tells.

    Raises RejectedEvent, with the place in the document, if it is no OpenLineage event or cannot be stored.
    """
    check_encoding(text)
    check_nesting(text)
    check_characters(text)
    document = _decoded(_document_decoder, text, "$")
    kind = _kind(document.schemaURL)
    large = LatestOnly()
    _check_unused(document, kind)
    event = Event(
        kind=kind,
        time=parse_instant(document.eventTime, "$.eventTime"),
        event_type=_event_type(document, kind),
        producer=document.producer,
        run=_run(document) if kind is Kind.RUN else None,
        job=None if kind is Kind.DATASET else _job(document),
        datasets=_declared(document, large) if kind is Kind.DATASET else _read_and_written(document, large),
        digest=content_digest(text),
        is_ahead=is_ahead,
        large=large,
    )
    _check_facet_names(event)
    return event


def _decoded(decoder: msgspec.json.Decoder[Decoded], text: bytes | msgspec.Raw, path: str) -> Decoded:
    """`path` is where the text stands in the document."""
    try:
        return decoder.decode(text)
    except msgspec.ValidationError as error:
        reason, _, place = str(error).partition(" - at `$")
        raise RejectedEvent(reason, path + place.rstrip("`")) from error
    except msgspec.DecodeError as error:
        raise RejectedEvent(f"not a JSON document: {error}", path) from error


def _kind(schema_url: str | None) -> Kind:
    """By the last part of `schemaURL` alone, as Marquez does it (marquez-model, section 2.0)."""
    last = (schema_url or "").rpartition("/")[2]
    return {"DatasetEvent": Kind.DATASET, "JobEvent": Kind.JOB}.get(last, Kind.RUN)


LONGEST_EVENT_TYPE = 64
"""Characters, as `run_facets.lineage_event_type` and its like have it."""


def _event_type(document: _Document, kind: Kind) -> str | None:
    written = document.eventType
    if kind is Kind.RUN and written is not None and len(written) > LONGEST_EVENT_TYPE:
        raise RejectedEvent(f"an event type has more than {LONGEST_EVENT_TYPE} characters", "$.eventType")
    return written


def _run(document: _Document) -> RunMention:
    if document.run is None:
        _missing("run", "a run event")
    run = document.run
    return RunMention(run.runId, run_uuid(run.runId), _present(run.facets))


_DATASETS, _JOBS = 96 << 20, 24 << 20
"""Bytes of datasets and of jobs as events have them, with what tables ask of them: some 10,000 of twenty columns."""

_LARGEST_SHARED = 1 << 14
"""Bytes of what is read each time: it hardly comes again."""


_MENTION, _TIMES, _OBJECT, _FACET = 2_000, 3, 150, 800
"""Bytes that a mention takes, each object in it, such as a column of a schema, and each facet, besides so many times
its text."""


def _footprint(key: tuple[Any, ...], mention: JobMention | DatasetMention | None) -> int:
    """At most: much of it is made only when a table asks for it."""
    text: bytes = key[0]
    facets = len(mention.facets) if mention else 0
    used = len(mention.io_facets) if isinstance(mention, DatasetMention) else 0
    return _MENTION + _TIMES * len(text) + _OBJECT * text.count(b"{") + _FACET * (facets + used)


def _check_unused(document: _Document, kind: Kind) -> None:
    """Raises RejectedEvent if a member that an event of this kind does not need is not what it should be."""
    if kind is not Kind.DATASET:
        unused = [(document.dataset, "$.dataset")]
    else:
        _decoded(_job_decoder, document.job, "$.job")
        listed = (("inputs", document.inputs), ("outputs", document.outputs))
        unused = [(raw, f"$.{name}[{number}]") for name, raws in listed for number, raw in enumerate(raws or ())]
    for raw, path in unused:
        if raw != _NULL:
            _decoded(_dataset_decoder, raw, path)


def _job(document: _Document) -> JobMention:
    raw = document.job
    job = _known_job(bytes(raw)) if len(memoryview(raw)) <= _LARGEST_SHARED else _read_job(raw)
    return job or _missing("job", "a run event or job event")


def _read_job(raw: bytes | msgspec.Raw, *, is_shared: bool = False) -> JobMention | None:
    job = _decoded(_job_decoder, raw, "$.job")
    if job is None:
        return None
    check_names("$.job", job.namespace, job.name)
    formatted = formatted_namespace(job.namespace)
    return JobMention(job.namespace, formatted, job.name, _present(job.facets), is_shared=is_shared)


@remembered(_JOBS, _footprint)
def _known_job(raw: bytes) -> JobMention | None:
    return _read_job(raw, is_shared=True)


def _declared(document: _Document, large: LatestOnly) -> tuple[DatasetMention, ...]:
    if document.dataset == _NULL:
        _missing("dataset", "a dataset event")
    return (_dataset(document.dataset, Role.OUTPUT, 0, "$.dataset", large),)


def _read_and_written(document: _Document, large: LatestOnly) -> tuple[DatasetMention, ...]:
    found: list[DatasetMention] = []
    for datasets, role, path in (
        (document.inputs, Role.INPUT, "$.inputs"),
        (document.outputs, Role.OUTPUT, "$.outputs"),
    ):
        for number, raw in enumerate(datasets or ()):
            if raw != _NULL:
                found.append(_dataset(raw, role, len(found), f"{path}[{number}]", large))
    return tuple(found)


def _dataset(raw: msgspec.Raw, role: Role, place: int, path: str, large: LatestOnly) -> DatasetMention:
    if len(memoryview(raw)) <= _LARGEST_SHARED:
        return _known_dataset(bytes(raw), role, place, path)
    return _read_dataset(raw, role, place, path, large)


def _read_dataset(
    raw: bytes | msgspec.Raw, role: Role, place: int, path: str, large: LatestOnly, *, is_shared: bool = False
) -> DatasetMention:
    dataset = _decoded(_dataset_decoder, raw, path)
    check_names(path, dataset.namespace, dataset.name)
    return DatasetMention(
        role=role,
        place=place,
        namespace=dataset.namespace,
        formatted=formatted_namespace(dataset.namespace),
        name=dataset.name,
        facets=_present(dataset.facets),
        io_facets=_present(dataset.inputFacets if role is Role.INPUT else dataset.outputFacets),
        path=path,
        large=large,
        is_shared=is_shared,
    )


_NOT_LARGE = LatestOnly()
"""Of what is shared nothing is as large as what this is for."""


@remembered(_DATASETS, _footprint)
def _known_dataset(raw: bytes, role: Role, place: int, path: str) -> DatasetMention:
    return _read_dataset(raw, role, place, path, _NOT_LARGE, is_shared=True)


def _present(facets: dict[str, msgspec.Raw] | None) -> RawFacets:
    """Without those that are null: a null facet says nothing."""
    if not facets:
        return {}
    return {key: facet for key, facet in facets.items() if facet != _NULL}


def _missing(member: str, of: str) -> NoReturn:
    raise RejectedEvent(f"{of} needs the member `{member}`", f"$.{member}")


def check_names(path: str, namespace: str, name: str) -> None:
    """Raises RejectedEvent if the two are too long for an index."""
    if len(namespace) + len(name) > LONGEST_NAME // 4 and len((namespace + name).encode()) > LONGEST_NAME:
        raise RejectedEvent(f"namespace and name have more than {LONGEST_NAME} bytes together", f"{path}.name")


def check_name(name: str, what: str, path: str) -> None:
    """Raises RejectedEvent if `what` is called by a name that is too long for an index."""
    if len(name) > LONGEST_NAME // 4 and len(name.encode()) > LONGEST_NAME:
        raise RejectedEvent(f"{what} has more than {LONGEST_NAME} bytes", path)


LONGEST_FACET_NAME = 255
"""Characters, as `run_facets.name` and its like have it."""


def _check_facet_names(event: Event) -> None:
    owners: list[tuple[str, RawFacets]] = [(f"{dataset.path}.facets", dataset.facets) for dataset in event.datasets]
    owners += [(f"{dataset.path}.{dataset.role.name.lower()}Facets", dataset.io_facets) for dataset in event.datasets]
    owners += [("$.run.facets", event.run.facets)] if event.run else []
    owners += [("$.job.facets", event.job.facets)] if event.job else []
    for path, facets in owners:
        if any(len(name) > LONGEST_FACET_NAME for name in facets):
            raise RejectedEvent(f"a facet's name has more than {LONGEST_FACET_NAME} characters", path)
