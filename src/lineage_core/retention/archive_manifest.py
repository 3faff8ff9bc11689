"""What an event archive says of itself: the manifest beside its parts, which is written last."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Self

import msgspec

from lineage_core.errors import NeedsOperator
from lineage_core.retention.policies import Cutoff

FORMAT = 1
"""Of the manifest and of the files that it names."""


BEFORE_1970 = "before-1970"
"""In place of a month, for all events of wrong clocks."""

_EPOCH = 1970


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
    digest: str = ""
    """Of all the rest: nothing of it was changed."""

    @classmethod
    def of(cls, month: str, as_of: datetime, cutoffs: Iterable[Cutoff], parts: tuple[ArchivePart, ...]) -> Self:
        """Of at least one part."""
        manifest = cls(
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
        return replace(manifest, digest=_digest(manifest))


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
    contradiction = next(_contradictions(manifest), None)
    if contradiction is not None:
        raise NeedsOperator(
            f"{where} was changed after it was written: {contradiction}. Bring it back from a copy, then run again"
        )
    return manifest


def _contradictions(manifest: ArchiveManifest) -> Iterator[str]:
    """What a manifest says that cannot be true of its parts, or is not what was written. That the parts are so, their
    files show."""
    first, last = manifest.first_time, manifest.last_time
    parts = manifest.parts
    if any(time.tzinfo is None for time in _times(manifest)):
        yield "a time has no zone"
        return
    if (first, last) != (min(part.first_time for part in parts), max(part.last_time for part in parts)):
        yield "its first and last time are not those of its parts"
    if any(part.first_time > part.last_time or part.rows < 1 or part.bytes < 0 for part in parts):
        yield "a part has no rows, or ends before it begins"
    if len({part.path for part in parts}) < len(parts):
        yield "it names a part twice"
    if {_month(first), _month(last)} != {manifest.month}:
        yield f"its events are of {_month(first)} to {_month(last)}, not of {manifest.month}"
    if len({one.namespace for one in manifest.cutoffs}) < len(manifest.cutoffs):
        yield "it has two cut-offs of one namespace"
    if any(one.before > manifest.as_of for one in manifest.cutoffs):
        yield "a cut-off is later than the time from which ages counted"
    if all(last >= one.before for one in manifest.cutoffs):
        yield "it has events that no cut-off let go"
    if manifest.digest != _digest(manifest):
        yield "its digest is of another text"


def _digest(manifest: ArchiveManifest) -> str:
    return hashlib.sha256(msgspec.json.encode(replace(manifest, digest=""))).hexdigest()


def _times(manifest: ArchiveManifest) -> Iterator[datetime]:
    yield from (manifest.as_of, manifest.first_time, manifest.last_time)
    yield from (one.before for one in manifest.cutoffs)
    for part in manifest.parts:
        yield from (part.first_time, part.last_time)


def _month(time: datetime) -> str:
    """As `parts` in retention/sql/raw_events.sql names the month of an event."""
    in_utc = time.astimezone(UTC)
    return BEFORE_1970 if in_utc.year < _EPOCH else f"{in_utc.year:04}-{in_utc.month:02}"
