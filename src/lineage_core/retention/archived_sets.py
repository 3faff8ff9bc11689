"""The finished sets of an event archive: what readers of it are given."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lineage_core.errors import WrongUsage
from lineage_core.files import FileFolder
from lineage_core.postgres.addresses import redacted
from lineage_core.retention.archive_manifest import ArchiveManifest
from lineage_core.retention.event_archive import MANIFEST, folders_in, is_finished, manifest_of, named_manifest


@dataclass(frozen=True)
class ArchivedSet:
    """The archived raw events of a month, and where they are."""

    folder: FileFolder
    manifest: ArchiveManifest


def archived_sets(urls: Sequence[str]) -> list[ArchivedSet]:
    """What manifests, or whole archives, have. Raises WrongUsage for what is neither."""
    return [one for url in urls for one in _sets(url)]


def _sets(url: str) -> Iterator[ArchivedSet]:
    if url.endswith(MANIFEST):
        yield ArchivedSet(*named_manifest(url))
        return
    archive, found = FileFolder(url), 0
    for application in map(archive.below, folders_in(archive)):
        for folder in map(application.below, folders_in(application)):
            manifest = manifest_of(folder) if is_finished(folder) else None
            if manifest is not None:
                found += 1
                yield ArchivedSet(folder, manifest)
    if not found:
        raise WrongUsage(f"There is no event archive below {redacted(url)}")
