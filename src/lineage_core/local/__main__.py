"""`make demo`, `down` and `airflow`: it reads no more than this before it can be interrupted in an orderly way."""

from __future__ import annotations

import sys

from lineage_core.errors import LineageError
from lineage_core.interrupts import interruptible


def main() -> None:
    """Exit code 0 when done, 1 when something failed, 128 + a signal that came."""
    try:
        with interruptible():
            from lineage_core.local.demo import main

            sys.exit(main())
    except LineageError as error:
        sys.exit(f"lineage: {error}")


if __name__ == "__main__":
    main()
