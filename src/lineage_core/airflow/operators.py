"""What the tasks of our DAGs do: each submits its job to Spark, and reports what that did."""

from __future__ import annotations

import json
import logging
import re
from typing import TYPE_CHECKING, Any

from airflow.providers.openlineage import conf
from airflow.sdk import Param

from lineage_core.airflow import metrics
from lineage_core.airflow.assets import NORMALIZATION, PUBLICATION, announce_streams, announce_tables
from lineage_core.airflow.job_arguments import (
    COMMANDS,
    LONGEST_VALUE,
    SETTINGS,
    USUAL_WORKERS,
    VALUE,
    Interval,
    job_arguments,
    migration_arguments,
)
from lineage_core.airflow.submit_operator import (
    ReportedJobOperator,
    SubmitJobOperator,
    on_store,
    without_retries_for_a_person,
)
from lineage_core.errors import NeedsOperator
from lineage_core.long_migrations.declared import long_migration
from lineage_core.postgres.store import Store
from lineage_core.settings import ProjectSettings, store_list_from_environment

if TYPE_CHECKING:
    from airflow.sdk import Context


class NormalizeLineageOperator(ReportedJobOperator):
    """Submits `spark_jobs/normalize_lineage.py`.

    is_replay: whether each run takes a span of event time, and none what has arrived.
    """

    announced = (NORMALIZATION,)

    def __init__(self, *, is_replay: bool = False, **kwargs: Any) -> None:
        super().__init__(job="normalize_lineage", **kwargs)
        self._is_replay = is_replay

    def report(self, context: Context, outcome: dict[str, Any] | None) -> None:
        """Lets other DAGs know if the job has changed tables."""
        announce_tables(context, outcome)
        metrics.report_store()
        if outcome:
            metrics.report_run(outcome)

    def job_arguments(self, context: Context) -> list[str]:
        """What `lineage_core.airflow.job_arguments` makes of the run."""
        start, end = context.get("data_interval_start"), context.get("data_interval_end")
        # A manual run may have no interval, or one of no length.
        interval = Interval(start, end) if start and end and start < end else None
        run_type = context["dag_run"].run_type.value
        asked = job_arguments(run_type, interval, context["params"], is_replay=self._is_replay)
        return [*asked, "--own-namespace", conf.namespace(), *self.outcome_arguments()]


class PublishStreamsOperator(ReportedJobOperator):
    """Submits `spark_jobs/publish_streams.py`. Its driver starts no session if there is nothing to publish."""

    announced = (PUBLICATION,)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(job="publish_streams", **kwargs)

    def report(self, context: Context, outcome: dict[str, Any] | None) -> None:
        """Lets other DAGs know how far the streams go."""
        announce_streams(context, outcome)
        metrics.report_store()
        if outcome:
            metrics.report_publication(outcome)

    def job_arguments(self, context: Context) -> list[str]:
        return self.outcome_arguments()


class CompactStreamsOperator(SubmitJobOperator):
    """Submits `spark_jobs/compact_streams.py`. Its driver starts no session if there is little to write.

    least_parts: how many parts of one size have to lie side by side, to be merged.
    """

    def __init__(self, *, least_parts: int, **kwargs: Any) -> None:
        super().__init__(job="compact_streams", **kwargs)
        self._least_parts = least_parts

    def job_arguments(self, context: Context) -> list[str]:
        return ["--least-parts", str(self._least_parts)]


_PARAMS = {
    "command": Param("run", enum=list(COMMANDS), title="Command", description="What to do."),
    "workers": Param(
        USUAL_WORKERS,
        type=["null", "integer"],
        minimum=1,
        maximum=64,
        title="Workers",
        description="How many ranges to work on at a time.",
    ),
    "setting": Param(
        None,
        type=["null", "string"],
        enum=[None, *SETTINGS],
        title="Setting",
        description="For `set`: its name, such as target_seconds.",
    ),
    "value": Param(
        None,
        type=["null", "string"],
        pattern=VALUE,
        maxLength=LONGEST_VALUE,
        title="Value",
        description="For `set`: its new value. That of hold_query is the name of a query that the store's owner has"
        " stored; `lineage migration hold-query list` shows them.",
    ),
}


def migration_params() -> dict[str, Param]:
    """The form of a DAG that runs or steers a long migration; with the store, where there is a list of stores."""
    listed = store_list_from_environment()
    if listed is None:
        return _PARAMS
    store = Param(
        None,
        type=["null", "string"],
        enum=[None, *listed.others],
        title="Store",
        description=f"The store to work on; empty is the default store, {listed.default}.",
    )
    return _PARAMS | {"store": store}


MIGRATION_COMMAND = re.compile(r"`lineage migration (\w+)")
"""In advice."""


class MigrateOperator(SubmitJobOperator):
    """Submits `spark_jobs/migrate.py` for one long migration."""

    def __init__(self, *, migration: str, **kwargs: Any) -> None:
        super().__init__(job="migrate", **kwargs)
        self._migration = migration

    def in_airflow(self, message: str) -> str:
        """What the form of this DAG can do instead of a command line."""
        found = MIGRATION_COMMAND.search(message)
        if found is None or found[1] not in COMMANDS:
            return message
        return f"{message}. Here, trigger the DAG {long_migration(self._migration).dag_id} with the command {found[1]}"

    def execute(self, context: Context) -> None:
        """Submits the job for the store of the form, and reports how far migrations are."""
        self.store = context["params"].get("store")
        super().execute(context)
        with self.on_its_store():
            metrics.report_store()

    def job_arguments(self, context: Context) -> list[str]:
        """The migration, and what the form of the DAG run asks for."""
        return [self._migration, *migration_arguments(context["params"])]


log = logging.getLogger(__name__)


class ApplyRetentionOperator(SubmitJobOperator):
    """Submits `spark_jobs/apply_retention.py` with the plan that another task of the run has made.

    planned_by: that task. A plan has numbers of rows, and no secret.
    """

    def __init__(self, *, planned_by: str, **kwargs: Any) -> None:
        super().__init__(job="apply_retention", **kwargs)
        self._planned_by = planned_by

    def job_arguments(self, context: Context) -> list[str]:
        planned = context["ti"].xcom_pull(task_ids=self._planned_by)
        return retention_arguments(planned, context["params"].get("archive"))


def retention_arguments(planned: str, archive: str | None) -> list[str]:
    """The arguments of the job. The address of an archive must hold no secret, as everybody sees arguments."""
    if archive and "@" in archive:
        raise NeedsOperator(
            "The address of the archive holds a user or a secret; give those by the worker's environment"
        )
    return ["--yes", "--plan", planned, *(["--archive", archive] if archive else [])]


def planned_text(store: str | None = None) -> str:
    """What would go now, as `lineage retention plan --json` writes it; the log has it line by line.

    store: the name of the one that is asked; None is the only one, or the default store.
    """
    from lineage_core.retention.application import plan

    with without_retries_for_a_person(), on_store(store):
        planned = plan(_store()).to_json()
    for table, rows in planned["tables"].items():
        log.info("%s: %s rows go", table, f"{rows:,}")
    for reason, rows in planned["protected"].items():
        log.info("%s rows stay: %s", f"{rows:,}", reason)
    raw = planned["raw_events"]
    log.info("%s raw events go where there is an archive", f"{raw['rows']:,}")
    for reason, rows in raw["protected"].items():
        log.info("%s raw events stay: %s", f"{rows:,}", reason)
    return json.dumps(planned)


def log_report(store: str | None = None) -> None:
    """Writes to the log, and reports as metrics, what the last application has deleted in a store."""
    with without_retries_for_a_person(), on_store(store):
        _log_last_report()


def _log_last_report() -> None:
    from lineage_core.retention.store.reports import reports

    last = reports(_store(), most=1)
    for report in last:
        log.info("Applied from %s to %s by %s", report.started_at, report.finished_at, report.applied_by)
        for table, rows in report.deleted.items():
            log.info("%s: %s rows", table, f"{rows:,}")
        for reason, rows in (report.stayed or {}).items():
            log.info("%s that were planned to go stay: %s", f"{rows:,}", reason)
        metrics.report_retention(report)
    metrics.report_store()


def _store() -> Store:
    dsn = ProjectSettings.from_environment().dsn
    if dsn is None:
        raise NeedsOperator("LINEAGE_DSN is not set where Airflow's tasks run")
    return Store(dsn)
