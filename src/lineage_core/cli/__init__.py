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
        with interruptible():
            _run(arguments)
    except WrongUsage as error:
        _exit(error, WRONG_USAGE)
    except LineageError as error:
        _exit(error, FAILED)


def _run(arguments: Sequence[str] | None) -> None:
    from lineage_core.cli.application import application

    application()(args=arguments)


def _exit(error: LineageError, status: int) -> None:
    sys.stderr.write(f"lineage: {error}\n")
    raise SystemExit(status)
