"""Schemas of users' datasets that broke a rule, and what people have noted of them. Normalization raises the alerts."""

from __future__ import annotations

from types import ModuleType

from lineage_core.capability import Capability, HasCommands
from lineage_core.schema_alerts.store import SchemaAlert, acknowledge, alerts

__all__ = ["CAPABILITY", "SchemaAlert", "acknowledge", "alerts"]


def _commands() -> HasCommands:
    from lineage_core.schema_alerts import command

    return command


def _operation() -> ModuleType:
    from lineage_core.schema_alerts import operation

    return operation


CAPABILITY = Capability(_commands, _operation)
