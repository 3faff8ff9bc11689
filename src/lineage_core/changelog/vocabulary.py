"""What the system columns of a dataset are called (ODF's `DatasetVocabulary`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from lineage_core.errors import WrongUsage

_KIND, _VERSION = "DatasetVocabulary", 1

_IN_MANIFEST = {
    "offset": "offsetColumn",
    "operation_type": "operationTypeColumn",
    "system_time": "systemTimeColumn",
    "event_time": "eventTimeColumn",
}

FORMER_OBSERVATIONS = ("observationColumn", "obsvAdded", "obsvChanged", "obsvRemoved")
"""What manifests of Snapshot had for observations, before there was an operation column."""

FORMER_COLUMN = "obsv"

REPLACED = (
    "The `obsv` column and its custom vocabulary of observations were replaced by the operation column `op`, with"
    " 0 append (+A), 1 retract (-R), 2 correct-from (-C) and 3 correct-to (+C). Only its name can be chosen:"
    " `operationTypeColumn` of the DatasetVocabulary"
)


@dataclass(frozen=True)
class DatasetVocabulary:
    """The names of the system columns. Choose others where a table has a column of such a name itself.

    Raises WrongUsage if two have the same name, or one has none.
    """

    offset: str = "offset"
    operation_type: str = "op"
    system_time: str = "system_time"
    event_time: str = "event_time"

    def __post_init__(self) -> None:
        names = self.columns
        if not all(names) or len({*names}) < len(names):
            raise WrongUsage(f"Each system column needs a name of its own; these are {', '.join(map(repr, names))}")

    @property
    def columns(self) -> tuple[str, str, str, str]:
        """All four, in their order."""
        return self.offset, self.operation_type, self.system_time, self.event_time

    @classmethod
    def from_manifest(cls, manifest: Mapping[str, Any]) -> DatasetVocabulary:
        """The vocabulary of a manifest: `{"kind": "DatasetVocabulary", "version": 1, "content": {…}}`.

        What the content leaves out has its usual name. Raises WrongUsage for another kind or version, for a key that is
        unknown, and for those of observations.
        """
        if (manifest.get("kind"), manifest.get("version")) != (_KIND, _VERSION):
            raise WrongUsage(f"This is no manifest of kind {_KIND} and version {_VERSION}")
        content = dict(manifest.get("content") or {})
        refuse_observations(content)
        by_key = {key: name for name, key in _IN_MANIFEST.items()}
        if unknown := sorted(content.keys() - by_key.keys()):
            raise WrongUsage(f"A {_KIND} has no {', '.join(unknown)}; it may have {', '.join(by_key)}")
        if not all(isinstance(column, str) for column in content.values()):
            raise WrongUsage(f"The columns of a {_KIND} are texts")
        return cls(**{by_key[key]: column for key, column in content.items()})

    def manifest(self) -> dict[str, Any]:
        """As ODF writes it, with all columns."""
        content = {_IN_MANIFEST[field.name]: getattr(self, field.name) for field in fields(self)}
        return {"kind": _KIND, "version": _VERSION, "content": content}


ODF_NAMES = DatasetVocabulary()


def refuse_observations(content: Mapping[str, Any]) -> None:
    """Raises WrongUsage, which says what replaced them, if a manifest names observations."""
    if former := [key for key in FORMER_OBSERVATIONS if key in content]:
        raise WrongUsage(f"{', '.join(former)}: {REPLACED}")
