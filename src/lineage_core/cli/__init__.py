"""The command line: it reads no more than this before it can be interrupted in an orderly way."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from lineage_core.errors import LineageError, WrongUsage
from lineage_core.interrupts import interruptible

FAILED = 1
WRONG_USAGE = 2


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command that the arguments name, and exit: 0 done, 1 failed, 2 wrong usage, 128 + a signal that came."""
    try:
        _run(arguments)
    except LineageError as error:
        raise SystemExit(WRONG_USAGE if isinstance(error, WrongUsage) else FAILED) from None


def main_of_job(command: Sequence[str], given: Sequence[str] = ()) -> None:
    """As `main`, for the jobs of `spark_jobs/`: a failure has the exit code of its error, which Airflow reads.

    given: the arguments of the job, the store that it works on first, if one is meant.
    """
    from lineage_core.store_list import STORE_OPTION
    from lineage_core.submission import prefer_installed_pyspark

    prefer_installed_pyspark()
    store = [one for one in given[:1] if one.startswith(STORE_OPTION)]
    try:
        _run([*store, *command, *given[len(store) :]])
    except LineageError as error:
        raise SystemExit(error.exit_code) from None


def _run(arguments: Sequence[str] | None) -> None:
    """Runs the command, and writes the error with which it ends, if any, before it raises it."""
    try:
        with interruptible():
            _parse_and_run(arguments)
    except LineageError as error:
        sys.stderr.write(f"lineage: {error}\n")
        raise


def _parse_and_run(arguments: Sequence[str] | None) -> None:
    from lineage_core.cli.application import run

    run(None if arguments is None else list(arguments))
