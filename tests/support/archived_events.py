"""Raw events that an archive takes, and what it has then."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from lineage_core.postgres.store import Store
from lineage_core.retention.archiving import ArchivedEvents, archive_expired
from lineage_core.retention.policies import Cutoff
from lineage_core.retention.tables import PolicyKind
from lineage_core.tasks import Done, Item, SerialRunner, Work
from lineage_core.testing import TIME, dataset, dataset_event, job_event, named_job, run_event

AS_OF = datetime(2026, 6, 1, tzinfo=UTC)
BEFORE = datetime(2026, 5, 1, tzinfo=UTC)
ORDERS = "postgres://shop:5432"
RAW_EVENTS = """
SELECT
    event_time, event::text, event_type, job_name, job_namespace, producer, run_uuid, created_at, _event_type,
    event_bytes, is_ahead
FROM lineage_events
ORDER BY event_time, event::text COLLATE "C", created_at
"""
RUN = "0190a0a0-0000-7000-8000-00000000"


def cutoffs(*namespaces: str) -> list[Cutoff]:
    return [Cutoff(PolicyKind.RAW_EVENTS, namespace, BEFORE, 0) for namespace in namespaces or ("shop", ORDERS)]


def archived(store: Store, folder: Path, **options: Any) -> ArchivedEvents:
    return archive_expired(store, str(folder), cutoffs(), AS_OF, **options)


def manifests(folder: Path) -> list[Path]:
    return sorted(folder.rglob("manifest.json"))


def parts(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.parquet"))


def history(seed: int = 1, runs: int = 12) -> list[dict[str, Any]]:
    """Runs over five months, some of them open, with events about none, repeats, and events too new to go."""
    chance = random.Random(seed)
    found: list[dict[str, Any]] = []
    for number in range(runs):
        begins = TIME + timedelta(days=chance.randrange(170), hours=chance.randrange(24))
        parts: dict[str, Any] = {"run_id": f"{RUN}{number:04}", "job": named_job(chance.choice(("load", "report")))}
        some = [dataset(chance.choice(("orders", "sums")), fields=[("id", "INT"), ("é\u2028\\", None)])]
        found.append(run_event("START", time=begins, inputs=some, **parts))
        if chance.random() < 0.8:
            found.append(run_event("COMPLETE", time=begins + timedelta(hours=1), outputs=some, **parts))
        if chance.random() < 0.3:
            found.append(found[-1])
    found.append(dataset_event(dataset("orders"), time=TIME - timedelta(days=21_000)))
    found.append(job_event(named_job("report"), time=TIME + timedelta(days=2)))
    return found


class WatchedRunner(SerialRunner):
    """Something happens before tasks, or behind them."""

    def __init__(self, before: Callable[[], None] | None = None, behind: Callable[[], None] | None = None) -> None:
        super().__init__()
        self._before, self._behind = before, behind

    def results(self, work: Work[Item, Done], items: Sequence[Item]) -> Iterator[Done]:
        if self._before is not None:
            self._before()
        yield from super().results(work, items)
        if self._behind is not None:
            self._behind()
