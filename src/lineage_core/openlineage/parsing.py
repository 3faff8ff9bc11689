"""From the text of an OpenLineage event to the event: what is refused, and where."""

from __future__ import annotations

from typing import Any, NoReturn, TypeVar

import msgspec

from lineage_core.errors import RejectedEvent
from lineage_core.namespace_format import formatted_namespace
from lineage_core.openlineage.events import DatasetMention, Event, JobMention, Kind, RawFacets, Role, RunMention
from lineage_core.openlineage.identity import content_digest, run_uuid
from lineage_core.openlineage.instants import parse_instant
from lineage_core.openlineage.json_limits import check_characters, check_encoding, check_nesting
from lineage_core.openlineage.name_limits import check_names
from lineage_core.remembered import LatestOnly, remembered

Decoded = TypeVar("Decoded")


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


_DATASETS, _JOBS = 256 << 20, 24 << 20
"""Bytes of datasets and of jobs as events have them, with what tables ask of them: some 12,000 of twenty columns."""

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
