"""What a DAG run asks of a long migration."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from lineage_core.errors import WrongUsage
from lineage_core.long_migrations.decisions.settings import MigrationSettings

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

SETTINGS = tuple(field.name for field in fields(MigrationSettings))
"""What a form may set."""

VALUE = "^[A-Za-z0-9_.+-]*$"
LONGEST_VALUE = 63
"""A number, true, false, or the name of something stored; never a statement."""


def migration_arguments(params: Mapping[str, Any]) -> list[str]:
    """The arguments of the job: the command, and what belongs to it."""
    command, setting, value = params["command"], params["setting"], params["value"]
    if (command == "set") != bool(setting):
        raise WrongUsage("The setting and its value belong to the command `set`, and it needs both.")
    if value and not (len(value) <= LONGEST_VALUE and re.fullmatch(VALUE, value)):
        raise WrongUsage("A value is a number, true, false, or the name of a stored query.")
    if command == "run":
        return ["run", "--workers", str(params["workers"])]
    return ["set", setting, value or ""] if command == "set" else [command]
