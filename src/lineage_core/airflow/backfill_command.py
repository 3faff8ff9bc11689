"""`airflow dags backfill`, as users of Airflow 2 know it: it waits, shows how far it is, and its exit says how it went.

The runs are made by Airflow's own backfill, and done by its scheduler.
"""

from __future__ import annotations

import json
import time
from argparse import Namespace
from collections import Counter
from typing import Any

from airflow.models.backfill import (
    BackfillDagRun,
    BackfillDagRunExceptionReason,
    ReprocessBehavior,
    _create_backfill,
    _do_dry_run,
)
from airflow.models.dag import DagModel
from airflow.models.dagrun import DagRun
from airflow.providers.common.compat.sdk import AirflowException
from airflow.utils.cli import action_cli
from airflow.utils.providers_configuration_loader import providers_configuration_loaded
from airflow.utils.session import create_session
from airflow.utils.state import DagRunState

LOOK_SECONDS = 2.0
MAX_ACTIVE_RUNS = 1
MOST_RUNS = 400
"""A year of days, and more."""

NORMALIZE = "normalize_lineage"
ENDED = (DagRunState.SUCCESS.value, DagRunState.FAILED.value)


@action_cli  # type: ignore[untyped-decorator]
@providers_configuration_loaded
def backfill(args: Namespace) -> None:
    """Creates the runs and waits for them. Ends with a sentence and exit code 1 if Airflow refuses, or one fails."""
    try:
        asked = _asked(args)
        if args.dry_run:
            _show_dates(asked)
            return
        if not args.yes:
            _refuse_many(asked)
        _refuse_paused(asked["dag_id"])
        number = _create_backfill(
            **asked,
            max_active_runs=args.max_active_runs or MAX_ACTIVE_RUNS,
            triggering_user_name=None,
            run_on_latest_version=True,
        ).id
    except (AirflowException, ValueError) as refused:
        raise SystemExit(f"{args.dag_id} is not backfilled: {refused}") from refused
    try:
        _wait(number)
    except KeyboardInterrupt:
        raise SystemExit(
            f"\nThis command no longer waits; backfill {number} goes on. Airflow's page of the DAG can stop it."
        ) from None


def _asked(args: Namespace) -> dict[str, Any]:
    """What Airflow's backfill is to do. One date alone is both. Raises ValueError."""
    start, end = args.start_date or args.end_date, args.end_date or args.start_date
    if start is None:
        raise ValueError("give --start-date, --end-date or both")
    behavior = ReprocessBehavior.NONE
    if args.rerun_failed_tasks:
        behavior = ReprocessBehavior.FAILED
    if args.reset_dagruns:
        behavior = ReprocessBehavior.COMPLETED
    return {
        "dag_id": args.dag_id,
        "from_date": start.first,
        "to_date": end.last,
        "reverse": args.run_backwards,
        "dag_run_conf": _conf(args.conf),
        "reprocess_behavior": behavior,
    }


def _conf(text: str | None) -> dict[str, Any] | None:
    if not text:
        return None
    try:
        found = json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError(f"--conf is no JSON: {error}") from error
    if not isinstance(found, dict):
        raise ValueError("--conf is no JSON object")
    return found


def _show_dates(asked: dict[str, Any]) -> None:
    with create_session() as session:
        for info in _do_dry_run(**asked, session=session):
            print(info.logical_date)  # noqa: T201


def _refuse_many(asked: dict[str, Any]) -> None:
    """A month of a DAG that runs every ten minutes is a day's work, and hardly what is meant."""
    with create_session() as session:
        runs = sum(1 for _ in _do_dry_run(**asked, session=session))
    if runs <= MOST_RUNS:
        return
    helps = (
        f"`replay_lineage` does the same with a run a day: give it in place of {NORMALIZE}"
        if asked["dag_id"] == NORMALIZE
        else "give fewer days"
    )
    raise ValueError(f"these dates are {runs:,} runs; {helps}, or --yes to start them all")


def _refuse_paused(dag_id: str) -> None:
    """The scheduler begins no run of a paused DAG, so there would never be an end to report."""
    with create_session() as session:
        dag = session.get(DagModel, dag_id)
        if dag is not None and dag.is_paused:
            raise ValueError(f"it is paused; `airflow dags unpause {dag_id}` first")


def _wait(number: int) -> None:
    """Shows each change until all runs have ended."""
    shown, runs = "", 0
    while True:
        states, left_out = _states(number)
        if states.total() < runs:
            raise SystemExit(
                f"{runs - states.total()} runs of backfill {number} were deleted before anybody saw their end."
            )
        runs = states.total()
        line = _described(states, left_out)
        if line != shown:
            print(line, flush=True)  # noqa: T201
            shown = line
        if all(state in ENDED for state in states):
            break
        time.sleep(LOOK_SECONDS)
    failed, busy = states[DagRunState.FAILED.value], left_out[BackfillDagRunExceptionReason.IN_FLIGHT.value]
    if failed or busy:
        raise SystemExit(
            f"{failed} runs failed, {busy} were at work already and are not waited for."
            " `--rerun-failed-tasks` runs again what failed."
        )


def _states(number: int) -> tuple[Counter[str], Counter[str]]:
    """How many runs are in which state, and how many dates were left out, by Airflow's reason."""
    with create_session() as session:
        entries = (
            session.query(BackfillDagRun.exception_reason, DagRun.state)
            .outerjoin(DagRun, DagRun.id == BackfillDagRun.dag_run_id)
            .filter(BackfillDagRun.backfill_id == number)
            .all()
        )
    states = Counter(str(state) for reason, state in entries if state and not reason)
    return states, Counter(str(reason) for reason, _ in entries if reason)


def _described(states: Counter[str], left_out: Counter[str]) -> str:
    ended = sum(states[state] for state in ENDED)
    parts = [f"{ended} of {sum(states.values())} runs ended"]
    parts += [f"{count} {state}" for state, count in sorted(states.items()) if state != DagRunState.SUCCESS.value]
    parts += [f"{count} left out ({reason})" for reason, count in sorted(left_out.items())]
    return ", ".join(parts)
