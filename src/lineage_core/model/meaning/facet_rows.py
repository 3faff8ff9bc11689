"""The facets of an event in the form in which they are stored, and as the views of facets show them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

import msgspec

from lineage_core.declare.vocabulary import Row
from lineage_core.openlineage.events import AnyMention, DatasetMention, Event, RawFacets, Role, RunMention
from lineage_core.openlineage.facets import DatasetFacetType, dataset_facet_type
from lineage_core.openlineage.facets.parent import FACET as PARENT
from lineage_core.openlineage.identity import ignoring_case
from lineage_core.remembered import remembered

RawText = TypeVar("RawText", bytes, msgspec.Raw)

_DROPPED = "spark_unknown"
"""Marquez leaves this facet of old Spark listeners out; it is large and says what could not be read."""

KEPT_ONCE_A_RUN = "spark.logicalPlan"
"""A plan of many megabytes, the same at each event of its run. Marquez keeps the first, too."""

_IO_TYPES = {Role.INPUT: DatasetFacetType.INPUT, Role.OUTPUT: DatasetFacetType.OUTPUT}


def stored_facets(facets: RawFacets) -> Iterator[tuple[str, bytes]]:
    """Name and stored JSON of each facet that is kept."""
    for name, raw in kept_facets(facets.items()):
        yield name, stored_facet(name, raw)


def kept_facets(facets: Iterable[tuple[str, RawText]]) -> Iterator[tuple[str, RawText]]:
    """Those that are kept, by the names under which they are: the older key `parentRun` becomes `parent`."""
    for key, raw in facets:
        if ignoring_case(key) != _DROPPED:
            yield PARENT.key if key in PARENT.aliases else key, raw


def stored_facet(name: str, raw: bytes | msgspec.Raw) -> bytes:
    """The JSON that is stored of a facet: an object with its name as the one key."""
    return b"".join((b"{", msgspec.json.encode(name), b": ", raw, b"}"))


def run_facet_rows(event: Event) -> Iterator[Row]:
    """Rows of the view `run_facets`, each with the order of the event if its facet is kept once a run."""
    if event.run is None:
        return
    for name, facet in stored_facets(event.run.facets):
        order = event.order if name == KEPT_ONCE_A_RUN else None
        # An event without type has an empty text, as Marquez' column takes no null.
        yield {**_row(event, event.event_type or "", name, facet), "event_order": order}


def job_facet_rows(event: Event) -> Iterator[Row]:
    """Rows of the view `job_facets`."""
    for name, facet in stored_facets(event.job.facets) if event.job else ():
        yield _row(event, _type_in_run(event), name, facet)


def dataset_facet_rows(event: Event, dataset: DatasetMention) -> Iterator[Row]:
    """Rows of the view `dataset_facets` that come from one mention."""
    for name, facet in stored_facets(dataset.facets):
        yield {**_row(event, _type_in_run(event), name, facet), "type": dataset_facet_type(name).value}
    for name, facet in stored_facets(dataset.io_facets):
        yield {**_row(event, _type_in_run(event), name, facet), "type": _IO_TYPES[dataset.role].value}


def _row(event: Event, event_type: str | None, name: str, facet: bytes) -> Row:
    return {"lineage_event_time": event.time, "lineage_event_type": event_type, "name": name, "facet": facet}


def _type_in_run(event: Event) -> str | None:
    return event.event_type if event.run else None


_REMEMBERED = 16 << 20
"""Bytes of facets: some 8,000 sets of 1 KB."""

_LARGE = 1 << 16
"""Bytes of facets that are worked out each time: they hardly come again."""

_ONCE_A_RUN = b"once a run: "
"""Stands before the content of a facet that is kept once a run, where its id is worked out. So no set has it, and it
goes with the last run that has it."""


@dataclass(frozen=True, slots=True)
class FacetContent:
    """One facet: `raw` is what stands behind its key in the document; `uuid` follows from the text that is stored."""

    uuid: bytes
    name: str
    raw: bytes | msgspec.Raw

    @property
    def facet(self) -> bytes:
        """The JSON that is stored: an object with the name as its one key."""
        return stored_facet(self.name, self.raw)


@dataclass(frozen=True, slots=True)
class FacetSet:
    """The facets of one mention, in the order of the document; `uuid` follows from their ids."""

    uuid: bytes
    contents: tuple[FacetContent, ...]


class MentionedFacets:
    """The facets of one mention of a run, a job or a dataset.

    own: those of the member `facets`, but for those that are kept once a run; None if there are none.
    of_use: the input facets of an input, the output facets of an output.
    once_a_run: those that are kept once a run.
    """

    def __init__(self, mention: AnyMention) -> None:
        facets = mention.facets
        self.once_a_run: tuple[FacetContent, ...] = ()
        if isinstance(mention, RunMention) and KEPT_ONCE_A_RUN in facets:
            self.once_a_run = tuple(_contents([(KEPT_ONCE_A_RUN, facets[KEPT_ONCE_A_RUN])], _ONCE_A_RUN))
            facets = {key: facet for key, facet in facets.items() if key != KEPT_ONCE_A_RUN}
        self.own = facet_set(facets)
        self.of_use = facet_set(mention.io_facets) if isinstance(mention, DatasetMention) else None


def mentioned_facets(mention: AnyMention) -> MentionedFacets:
    """The facets of a mention, worked out once however many tables ask."""
    return mention.described_by(MentionedFacets)


def facet_sets(mention: AnyMention) -> Iterator[FacetSet]:
    """The sets of a mention: its own, and that of its use."""
    facets = mentioned_facets(mention)
    yield from (one for one in (facets.own, facets.of_use) if one is not None)


def facet_contents(mention: AnyMention) -> Iterator[FacetContent]:
    """Every facet of a mention."""
    for one in facet_sets(mention):
        yield from one.contents
    yield from mentioned_facets(mention).once_a_run


def facet_set(facets: RawFacets) -> FacetSet | None:
    """The set of these facets; None if there are none."""
    if not facets:
        return None
    if sum(len(memoryview(raw)) for raw in facets.values()) > _LARGE:
        return _set(facets.items())
    return _known_set(*((key, bytes(raw)) for key, raw in facets.items()))


def set_uuid(facets: FacetSet | None) -> bytes | None:
    return None if facets is None else facets.uuid


@remembered(_REMEMBERED)
def _known_set(*facets: tuple[str, bytes]) -> FacetSet | None:
    return _set(facets)


def _set(facets: Iterable[tuple[str, bytes | msgspec.Raw]]) -> FacetSet | None:
    contents = tuple(_contents(facets))
    if not contents:
        return None
    return FacetSet(facet_digest(b"".join(content.uuid for content in contents)), contents)


def _contents(facets: Iterable[tuple[str, bytes | msgspec.Raw]], before: bytes = b"") -> Iterator[FacetContent]:
    for name, raw in kept_facets(facets):
        yield FacetContent(facet_digest(stored_facet(name, raw), before), name, raw)


def facet_digest(content: bytes, before: bytes = b"") -> bytes:
    """128 bits of SHA-256: no two contents are known to share it, and no one can make two that do."""
    digest = hashlib.sha256(before)
    digest.update(content)
    return digest.digest()[:16]
