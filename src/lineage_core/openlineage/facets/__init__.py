"""Every facet this project knows: one that feeds tables is a file of its own, all others are entries of `untyped.py`.

Files are found by looking, so nothing else changes with a new facet.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache, cached_property
from typing import Any, Generic, TypeVar

import msgspec

from lineage_core.errors import RejectedEvent
from lineage_core.openlineage.identity import ignoring_case

Model = TypeVar("Model", bound=msgspec.Struct)


class FacetSubject(Enum):
    """What a facet describes: whose `facets`, `inputFacets` or `outputFacets` object holds it."""

    RUN = "run"
    JOB = "job"
    DATASET = "dataset"
    INPUT = "input"
    OUTPUT = "output"


class DatasetFacetType(Enum):
    """Marquez' `dataset_facets.type`, which depends on the facet's name alone."""

    DATASET = "DATASET"
    INPUT = "INPUT"
    OUTPUT = "OUTPUT"
    UNKNOWN = "UNKNOWN"


@dataclass(frozen=True)
class Spec:
    """One schema file of OpenLineage's `spec/facets`."""

    name: str
    """Its name without `.json`."""
    version: str
    """Its version, such as `1-0-0`."""
    subjects: tuple[FacetSubject, ...]
    """Whose facet it is."""


@dataclass(frozen=True, kw_only=True)
class Facet:
    """One facet, by its key in a `facets` object. What is stored of it is always the raw facet."""

    key: str
    """Its name in a `facets` object."""
    doc: str
    """What it is, in a sentence."""
    specs: tuple[Spec, ...] = ()
    """The schema files that describe it. One key may have several (a dataset's and a job's `documentation`); a facet
    that only Marquez knows has none."""
    type: DatasetFacetType = DatasetFacetType.UNKNOWN
    """What Marquez calls it in `dataset_facets.type`."""

    @property
    def subjects(self) -> tuple[FacetSubject, ...]:
        return tuple(dict.fromkeys(subject for spec in self.specs for subject in spec.subjects))


@dataclass(frozen=True, kw_only=True)
class TypedFacet(Facet, Generic[Model]):
    """A facet that feeds tables besides the facet tables, so its content is read."""

    model: type[Model]
    """The members that are read. Other members are ignored; a member that may be absent may be null."""
    feeds: tuple[str, ...]
    """The tables, or their columns, that it feeds."""
    essential: bool
    """Whether the tables would be wrong without it: another job, another dataset, a version without columns. Without
    any other facet they only have less, so it never costs the event."""
    aliases: tuple[str, ...] = ()
    """Older keys of the same facet, read where `key` is absent or null."""
    check: Callable[[Model, str], None] | None = None
    """Raises RejectedEvent if the content, at the given place, is of the right JSON types, but cannot be stored."""

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """Its key, and the older ones."""
        return (self.key, *self.aliases)

    def read(self, facets: Mapping[str, msgspec.Raw], path: str) -> Model | None:
        """The facet's content out of the raw facets at `path`, None if it is absent or null.

        An essential facet that cannot be read raises RejectedEvent, with the place. Another one is None, too; it is
        kept as it came, and `unreadable_facets` has it.
        """
        try:
            return self._read(facets, path)
        except RejectedEvent:
            if self.essential:
                raise
            return None

    def fault(self, facets: Mapping[str, msgspec.Raw], path: str) -> RejectedEvent | None:
        """Why the facet cannot be read, and where; None if it can, or is not there."""
        try:
            self._read(facets, path)
        except RejectedEvent as fault:
            return fault
        return None

    def _read(self, facets: Mapping[str, msgspec.Raw], path: str) -> Model | None:
        for key in self.keys:
            raw = facets.get(key)
            if raw is not None and raw != _NULL:
                return self._checked(_decode(self.model, bytes(raw), f"{path}.{key}"), f"{path}.{key}")
        return None

    def _checked(self, content: Model, path: str) -> Model:
        if self.check is not None:
            self.check(content, path)
        return content


_NULL = msgspec.Raw(b"null")


@cache
def _decoder(model: type[Any]) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(model)


def _decode(model: type[Model], raw: bytes, path: str) -> Model:
    try:
        content: Model = _decoder(model).decode(raw)
    except msgspec.DecodeError as error:
        reason, _, place = str(error).partition(" - at `$")
        raise RejectedEvent(reason, path + place.rstrip("`")) from error
    except UnicodeDecodeError as error:
        raise RejectedEvent(f"not UTF-8: {error.reason}", path) from error
    return content


@cache
def all_facets() -> dict[str, Facet]:
    """Key to facet, for every one that a file of this package declares. Raises ValueError if one is declared twice."""
    known: dict[str, Facet] = {}
    for facet in _declared():
        if facet.key in known:
            raise ValueError(f"The facet {facet.key} is declared twice")
        known[facet.key] = facet
    return known


def _declared() -> Iterator[Facet]:
    """`FACET` of each file, and the list `FACETS` of one."""
    for found in pkgutil.iter_modules(__path__):
        module = importlib.import_module(f"{__name__}.{found.name}")
        yield from module.FACETS if hasattr(module, "FACETS") else [module.FACET]


@cache
def types_by_lower_case() -> dict[str, DatasetFacetType]:
    """The type of each facet, by its key in lower case."""
    return {key.lower(): facet.type for key, facet in all_facets().items()}


def dataset_facet_type(key: str) -> DatasetFacetType:
    """What Marquez puts into `dataset_facets.type` for a facet in a `facets` object; upper and lower case are alike."""
    return types_by_lower_case().get(ignoring_case(key), DatasetFacetType.UNKNOWN)
