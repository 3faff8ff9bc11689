"""Documents of the quarantine as files, for who repairs them."""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from pathlib import Path

from lineage_core.errors import NeedsOperator
from lineage_core.postgres.store import Store
from lineage_core.quarantine.store import no_such_document, whole_documents

REASONS = "reasons.csv"
"""No ending that `lineage ingest` reads, so that the folder can be ingested."""

COLUMNS = ("file", "reason", "path", "source", "received_at")


def export(
    store: Store, numbers: Sequence[int], folder: Path, progress: Callable[[int], object] = lambda _documents: None
) -> None:
    """Write these documents into a folder, byte for byte, one at a time. They stay in quarantine. progress: called with
    how many are written.

    Raises NeedsOperator if the folder cannot be written, and WrongUsage if one of the documents is not there.
    """
    missing = set(numbers)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / REASONS).open("w", encoding="utf-8", newline="") as stream:
            reasons = csv.writer(stream)
            reasons.writerow(COLUMNS)
            for found in whole_documents(store, numbers):
                file = f"{found.id}.json"
                (folder / file).write_bytes(found.raw)
                reasons.writerow((file, found.reason, found.path, found.source, found.received_at.isoformat()))
                missing.remove(found.id)
                progress(len(numbers) - len(missing))
    except OSError as error:
        raise NeedsOperator(f"{folder} cannot be written ({error.strerror})") from error
    for number in sorted(missing):
        raise no_such_document(number)
