"""The command line: it reads no more than this before it can be interrupted in an orderly way."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from lineage_core.errors import LineageError
from lineage_core.interrupts import interruptible


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command that the arguments name, and exit: 0 done, 128 + a signal that came, or the code of the error."""
    try:
        with interruptible():
            _run(arguments)
    except LineageError as error:
        sys.stderr.write(f"lineage: {error}\n")
        raise SystemExit(error.exit_code) from None


def _run(arguments: Sequence[str] | None) -> None:
    from lineage_core.cli.application import application

    application()(args=arguments)
