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

Model = TypeVar("Model")


class Owner(Enum):
    """What a facet describes; the folder of OpenLineage's `spec/facets` says it in the facet's name."""

    RUN = "run"
    JOB = "job"
    DATASET = "dataset"
    INPUT = "input"
    OUTPUT = "output"


class DatasetFacetType(Enum):
    """Marquez' `dataset_facets.type`, which depends on the facet's name alone (marquez-model, section 2.6)."""

    DATASET = "DATASET"
    INPUT = "INPUT"
    OUTPUT = "OUTPUT"
    UNKNOWN = "UNKNOWN"


@dataclass(frozen=True)
class Facet(Generic[Model]):
    """One facet of the OpenLineage specification.

    key: its name in a `facets` object. owners: what it may describe. spec: version of its schema.
    model: how its content is read, for a facet that feeds tables; the stored facet is always the raw one.
    feeds: the tables, or their columns, that it feeds besides the facet tables.
    type: what Marquez calls it in `dataset_facets.type`.
    """

    key: str
    owners: tuple[Owner, ...]
    spec: str
    doc: str
    model: type[Model] | None = None
    feeds: tuple[str, ...] = ()
    type: DatasetFacetType = DatasetFacetType.UNKNOWN

    def read(self, facets: Mapping[str, msgspec.Raw], path: str) -> Model | None:
        """The facet's content out of the raw facets at `path`, None if it is absent or null.

        Raises RejectedEvent, with the place, if a member that feeds a table has another JSON type.
        """
        raw = facets.get(self.key)
        if raw is None or bytes(raw) == b"null":
            return None
        if self.model is None:
            raise TypeError(f"facet {self.key} feeds no table, so it has no model")
        return _decode(self.model, bytes(raw), f"{path}.{self.key}")


@cache
def _decoder(model: type[Any]) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(model)


def _decode(model: type[Model], raw: bytes, path: str) -> Model:
    try:
        content: Model = _decoder(model).decode(raw)
    except msgspec.ValidationError as error:
        reason, _, place = str(error).partition(" - at `$")
        raise RejectedEvent(reason, path + place.rstrip("`")) from error
    return content


@cache
def all_facets() -> dict[str, Facet[Any]]:
    """Key to facet, for every file of this package."""
    modules = (importlib.import_module(f"{__name__}.{found.name}") for found in pkgutil.iter_modules(__path__))
    return {module.FACET.key: module.FACET for module in modules}


@cache
def _types_by_lower_case() -> dict[str, DatasetFacetType]:
    return {key.lower(): facet.type for key, facet in all_facets().items()}


def dataset_facet_type(key: str) -> DatasetFacetType:
    """What Marquez puts into `dataset_facets.type` for a facet in a `facets` object; upper and lower case are alike."""
    return _types_by_lower_case().get(key.lower(), DatasetFacetType.UNKNOWN)
