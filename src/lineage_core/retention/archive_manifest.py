"""What an event archive says of itself: the manifest beside its parts, which is written last."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Self

import msgspec

from lineage_core.errors import NeedsOperator
from lineage_core.retention.policies import Cutoff

FORMAT = 1
"""Of the manifest and of the files that it names."""


@dataclass(frozen=True)
class ArchivePart:
    """One file of an event archive. `path` is below the folder of the manifest; times are of events."""

    path: str
    rows: int
    bytes: int
    sha256: str
    first_time: datetime
    last_time: datetime


@dataclass(frozen=True)
class ArchiveCutoff:
    """Before which time raw events of a namespace were archived."""

    namespace: str
    before: datetime


@dataclass(frozen=True)
class ArchiveManifest:
    """The parts of an archive, which has the raw events of one month of event time, and what let them go."""

    format: int
    month: str
    as_of: datetime
    cutoffs: tuple[ArchiveCutoff, ...]
    rows: int
    bytes: int
    first_time: datetime
    last_time: datetime
    parts: tuple[ArchivePart, ...]

    @classmethod
    def of(cls, month: str, as_of: datetime, cutoffs: Iterable[Cutoff], parts: tuple[ArchivePart, ...]) -> Self:
        """Of at least one part."""
        return cls(
            FORMAT,
            month,
            as_of,
            archive_cutoffs(cutoffs),
            sum(part.rows for part in parts),
            sum(part.bytes for part in parts),
            min(part.first_time for part in parts),
            max(part.last_time for part in parts),
            parts,
        )


def archive_cutoffs(cutoffs: Iterable[Cutoff]) -> tuple[ArchiveCutoff, ...]:
    """As a manifest lists them: by namespace."""
    return tuple(sorted((ArchiveCutoff(one.namespace, one.before) for one in cutoffs), key=lambda one: one.namespace))


def written(manifest: ArchiveManifest) -> bytes:
    """As JSON that a person can read."""
    return msgspec.json.format(msgspec.json.encode(manifest)) + b"\n"


def read(text: bytes, where: str) -> ArchiveManifest:
    """Raises NeedsOperator, which names the place, if it is no manifest, or contradicts itself."""
    try:
        manifest = msgspec.json.decode(text, type=ArchiveManifest)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise NeedsOperator(f"{where} is no manifest of an event archive: {error}") from error
    if manifest.format != FORMAT:
        raise NeedsOperator(f"{where} has format {manifest.format}; this release reads format {FORMAT}")
    if any("/" in part.path or "\\" in part.path for part in manifest.parts):
        raise NeedsOperator(f"{where} names parts that are not beside it")
    totals = (sum(part.rows for part in manifest.parts), sum(part.bytes for part in manifest.parts))
    if totals != (manifest.rows, manifest.bytes) or not manifest.parts:
        raise NeedsOperator(
            f"{where} says {manifest.rows} rows and {manifest.bytes} bytes, but its parts have {totals}"
        )
    return manifest
