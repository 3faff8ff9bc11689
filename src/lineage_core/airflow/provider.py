"""What the installed package adds to the `airflow` command: Airflow finds it by the entry point in pyproject.toml."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from airflow.cli.cli_config import ActionCommand, CLICommand


def get_provider_info() -> dict[str, Any]:
    """As Airflow asks every provider."""
    return {
        "package-name": "lineage-core",
        "name": "Lineage store",
        "description": "Restores `airflow dags backfill`, removed in Airflow 3.",
        "cli": ["lineage_core.airflow.provider.get_cli_commands"],
    }


def get_cli_commands() -> list[CLICommand]:
    """None of its own. `backfill` goes below `dags`, a group of Airflow's core, to which no provider may add.

    Airflow calls this while it gathers its commands, and asks the list that is changed here afterwards. That is not
    documented, so the version of Airflow is pinned, and a test runs the command (docs/decisions/0037).
    """
    from airflow.cli import cli_parser
    from airflow.cli.cli_config import GroupCommand

    for place, command in enumerate(cli_parser.airflow_commands):
        if command.name == "dags" and isinstance(command, GroupCommand):
            cli_parser.airflow_commands[place] = command._replace(subcommands=(*command.subcommands, _backfill()))
    return []


def _backfill() -> ActionCommand:
    from airflow.cli.cli_config import (
        ARG_MAX_ACTIVE_RUNS,
        ARG_VERBOSE,
        ActionCommand,
        Arg,
        lazy_load_command,
    )

    argument: Callable[..., Arg] = Arg
    return ActionCommand(
        name="backfill",
        help="Run a DAG for past intervals, and wait for the runs",
        description="One of --start-date and --end-date is enough for a single day or instant. Runs that exist are left"
        " out, unless --rerun-failed-tasks or --reset-dagruns says otherwise. Exits with 1 if a run fails.",
        func=lazy_load_command("lineage_core.airflow.backfill_command.backfill"),
        args=(
            argument(("dag_id",), metavar="DAG_ID", help="The DAG"),
            argument(("-s", "--start-date"), type=day_or_moment, help="First date, inclusive"),
            argument(("-e", "--end-date"), type=day_or_moment, help="Last date, inclusive: with all runs of that day"),
            argument(("--reset-dagruns",), action="store_true", help="Run again what exists, whatever became of it"),
            argument(("--rerun-failed-tasks",), action="store_true", help="Run again what failed"),
            argument(("-B", "--run-backwards"), action="store_true", help="The latest date first"),
            argument(("-c", "--conf"), help="What the form of each run holds, as JSON"),
            argument(("-n", "--dry-run"), action="store_true", help="Only show the dates"),
            ARG_MAX_ACTIVE_RUNS,
            argument(("-y", "--yes"), action="store_true", help="Start as many runs as that makes"),
            argument(
                ("--continue-on-failures",),
                action="store_true",
                help="Accepted, as in Airflow 2: the runs after one that fails are made in any case",
            ),
            ARG_VERBOSE,
        ),
    )


@dataclass(frozen=True)
class DayOrMoment:
    """A date with its first and last microsecond, or a point in time that is both."""

    first: datetime
    last: datetime


def day_or_moment(text: str) -> DayOrMoment:
    """In ISO 8601, in UTC where it names no zone. Raises ValueError, which argparse shows."""
    found = datetime.fromisoformat(text)
    first = found if found.tzinfo else found.replace(tzinfo=UTC)
    is_day = len(text) <= len("2026-10-31")
    return DayOrMoment(first, first + timedelta(days=1, microseconds=-1) if is_day else first)
