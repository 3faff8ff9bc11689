"""What a DAG run asks of a long migration."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lineage_core.errors import WrongUsage

COMMANDS = (
    "run",
    "status",
    "plan",
    "pause",
    "resume",
    "set",
    "cancel",
    "retry",
    "finalize",
    "verify",
    "cutover",
    "rollback",
    "drop",
)
"""The words of `lineage migration`, that of a form first which nobody has changed."""


def migration_arguments(params: Mapping[str, Any]) -> list[str]:
    """The arguments of the job: the command, and what belongs to it."""
    command, setting, value = params["command"], params["setting"], params["value"]
    if (command == "set") != bool(setting):
        raise WrongUsage("The setting and its value belong to the command `set`, and it needs both.")
    if command == "run":
        return ["run", "--workers", str(params["workers"])]
    return ["set", setting, value or ""] if command == "set" else [command]
