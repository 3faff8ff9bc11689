"""Events that the store has not taken yet."""

from __future__ import annotations

from collections.abc import Iterator

from lineage_core.health_check import HealthCheck, Looked
from lineage_core.ingest.checks.stuck_spool import is_stuck
from lineage_core.ingest.spool import Spool


def _kept(looked: Looked) -> Iterator[str]:
    since = Spool(looked.spool).oldest()
    if since is not None and not is_stuck(since):
        yield f"Events wait in the spool {looked.spool}, which no reader of the store sees"


HEALTH_CHECK = HealthCheck("spool", _kept, "`lineage ingest` stores them.", needs_person=False)
