"""A watermark that means nothing here."""

from __future__ import annotations

from collections.abc import Iterator

from lineage_core.health_check import HealthCheck, Looked
from lineage_core.normalize.store.event_choices import stranger


def _strangers(looked: Looked) -> Iterator[str]:
    found = stranger(looked.connection)
    if found is not None:
        yield f"{found}: the database was restored from a dump"


HEALTH_CHECK = HealthCheck("other_cluster", _strangers, "Run `lineage db rebase`, then `lineage normalize`.")
