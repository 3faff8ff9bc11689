"""The main job with a straggler: the first attempt at the first part stages it, and then does not come to its end."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import Any

from lineage_core.normalize.normalization import NormalizationOutcome, normalize
from lineage_core.normalize.slices import Slice
from lineage_core.normalize.store.staging import StagingTask, stage
from lineage_core.postgres.store import Store
from lineage_core.settings import ProjectSettings
from lineage_core.spark import tasks
from lineage_core.spark.session import spark_context

STRAGGLES_SECONDS = 300.0


def straggling() -> Callable[[Any, Any], Any]:
    def attempt_all(_work: object, tasks: Iterator[StagingTask]) -> Iterator[Any]:
        from pyspark import TaskContext

        for task in tasks:
            part = stage(task)
            context = TaskContext.get()
            if context is not None and context.attemptNumber() == 0 and task.partition == 0:
                time.sleep(STRAGGLES_SECONDS)
            yield part

    return attempt_all


def main() -> None:
    dsn = ProjectSettings.from_environment().dsn
    assert dsn is not None
    store = Store(dsn)
    vars(tasks)["_attempt_all"] = straggling()
    staged: list[object] = []

    def note(_slice: Slice, _outcome: NormalizationOutcome) -> None:
        with store.connect() as connection:
            staged.extend(connection.execute("SELECT count(*), count(DISTINCT partition) FROM staged_parts").fetchall())

    with spark_context("straggling_job") as context:
        outcome = normalize(store, tasks.SparkRunner(context), progress=note)
    sys.stdout.write(json.dumps({**asdict(outcome), "staged": staged}) + "\n")


if __name__ == "__main__":
    main()
