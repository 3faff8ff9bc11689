"""Waiting for what others bring about."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE_SECONDS = 30.0


def until(reached: Callable[[], bool]) -> None:
    """Looks again and again; fails when patience is at its end."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not reached():
        assert time.monotonic() < deadline, f"waited {PATIENCE_SECONDS:.0f} s"
        time.sleep(0.02)
