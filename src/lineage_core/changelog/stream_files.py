"""The files of a stream for an engine that reads them by itself: of which schema each is, and how records are read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lineage_core.evolution import DataMigration
from lineage_core.evolution.data_types import Struct


@dataclass(frozen=True)
class StreamFiles:
    """All files of a stream, by the schema in which they were written. Schemas are of whole records.

    migration: from any of the schemas to that of the reader.
    """

    paths: Mapping[Struct, Sequence[str]]
    migration: DataMigration
