"""An event archive that Spark writes: the same events, in parallel."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from lineage_core.errors import NeedsOperator
from lineage_core.postgres.store import Store
from lineage_core.retention.archiving import archive_expired
from lineage_core.retention.policies import Cutoff
from lineage_core.retention.restoring import restore
from lineage_core.retention.tables import PolicyKind
from lineage_core.spark.tasks import SparkRunner
from lineage_core.testing import TIME, run_event
from tests.support.stores import rows, take_in

pytestmark = [pytest.mark.postgres, pytest.mark.spark]

STORED = "SELECT event_time, event::text, created_at FROM lineage_events ORDER BY event_time"
AS_OF = datetime(2026, 6, 1, tzinfo=UTC)


@pytest.mark.slow
def test_spark_archives_what_is_then_restored(database: Store, spark: SparkSession, tmp_path: Path) -> None:
    events = [
        run_event("COMPLETE", run_id=f"0190a0a0-0000-7000-8000-{number:012}", time=TIME + timedelta(days=number))
        for number in range(60)
    ]
    take_in(database, events)
    before = rows(database, STORED)
    cutoffs = [Cutoff(PolicyKind.RAW_EVENTS, "shop", AS_OF, 0)]
    done = archive_expired(database, str(tmp_path), cutoffs, AS_OF, SparkRunner(spark.sparkContext), part_bytes=1_000)
    assert (done.rows, done.deleted) == (60, 60)
    assert rows(database, STORED) == []
    for name in done.manifests:
        restore(database, str(tmp_path / name))
    assert rows(database, STORED) == before
    next(tmp_path.rglob("*.parquet")).unlink()
    with pytest.raises(NeedsOperator, match="it is not there"):
        archive_expired(database, str(tmp_path), cutoffs, AS_OF, SparkRunner(spark.sparkContext))
