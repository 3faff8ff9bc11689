"""Every facet this project knows, one file each; found by looking, so a new facet is a new file."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import Any, Generic, TypeVar

import msgspec

from lineage_core.errors import RejectedEvent

Model = TypeVar("Model", bound=msgspec.Struct)


class Owner(Enum):
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
    """One schema file of OpenLineage's `spec/facets`: its name without `.json`, its version, and whose facet it is."""

    name: str
    version: str
    owners: tuple[Owner, ...]


@dataclass(frozen=True, kw_only=True)
class Facet:
    """One facet, by its key in a `facets` object. What is stored of it is always the raw facet.

    specs: the schema files that describe it. One key may have several (a dataset's and a job's `documentation`);
        a facet that only Marquez knows has none.
    type: what Marquez calls it in `dataset_facets.type`.
    """

    key: str
    doc: str
    specs: tuple[Spec, ...] = ()
    type: DatasetFacetType = DatasetFacetType.UNKNOWN

    @property
    def owners(self) -> tuple[Owner, ...]:
        return tuple(dict.fromkeys(owner for spec in self.specs for owner in spec.owners))


@dataclass(frozen=True, kw_only=True)
class TypedFacet(Facet, Generic[Model]):
    """A facet that feeds tables besides the facet tables, so its content is read.

    model: the members that are read. Other members are ignored; a member that may be absent may be null.
    feeds: the tables, or their columns, that it feeds.
    aliases: older keys of the same facet, read where `key` is absent or null.
    """

    model: type[Model]
    feeds: tuple[str, ...]
    aliases: tuple[str, ...] = ()

    def read(self, facets: Mapping[str, msgspec.Raw], path: str) -> Model | None:
        """The facet's content out of the raw facets at `path`, None if it is absent or null.

        Raises RejectedEvent, with the place, if a member has another JSON type than the model.
        """
        for key in (self.key, *self.aliases):
            raw = bytes(facets.get(key, b"null"))
            if raw != b"null":
                return _decode(self.model, raw, f"{path}.{key}")
        return None


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
    """Key to facet, for every file of this package."""
    modules = (importlib.import_module(f"{__name__}.{found.name}") for found in pkgutil.iter_modules(__path__))
    return {module.FACET.key: module.FACET for module in modules}


@cache
def _types_by_lower_case() -> dict[str, DatasetFacetType]:
    return {key.lower(): facet.type for key, facet in all_facets().items()}


def dataset_facet_type(key: str) -> DatasetFacetType:
    """What Marquez puts into `dataset_facets.type` for a facet in a `facets` object; upper and lower case are alike."""
    return _types_by_lower_case().get(key.lower(), DatasetFacetType.UNKNOWN)
