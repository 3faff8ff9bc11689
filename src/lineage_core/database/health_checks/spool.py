"""Events that the store has not taken yet."""

from __future__ import annotations

from collections.abc import Iterator

from lineage_core.database.health_check import HealthCheck, Looked


def _kept(looked: Looked) -> Iterator[str]:
    if looked.spool.is_dir() and any(looked.spool.iterdir()):
        yield f"Events wait in the spool {looked.spool}, which no reader of the store sees"


HEALTH_CHECK = HealthCheck("spool", _kept, "`lineage ingest` stores them.", needs_person=False)
