"""The log of a command that stays: lines on standard error, each with its time."""

from __future__ import annotations

import logging
import time

from lineage_core.command_line.results import harmless


class _LineWithTime(logging.Formatter):
    """Nothing in it could control a terminal."""

    def format(self, record: logging.LogRecord) -> str:
        return harmless(super().format(record))


def log_with_times() -> None:
    """From now on, what our modules log is shown, from INFO on. Safe to repeat."""
    ours = logging.getLogger("lineage_core")
    ours.setLevel(logging.INFO)
    ours.propagate = False
    line = _LineWithTime("%(asctime)s %(levelname)s %(message)s", "%Y-%m-%dT%H:%M:%SZ")
    line.converter = time.gmtime
    handler = logging.StreamHandler()
    handler.setFormatter(line)
    ours.handlers = [handler]
