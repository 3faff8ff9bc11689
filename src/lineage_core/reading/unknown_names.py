"""Errors about datasets, jobs and runs that the store does not know, each with the nearest that it does."""

from __future__ import annotations

from itertools import takewhile
from uuid import UUID

from lineage_core.errors import NotInStore
from lineage_core.namespace_format import formatted_namespace
from lineage_core.nearest import nearest_name
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.typed_rows import every_value, one_value

LEAST_DIGITS_IN_COMMON = 8
"""Of two uuids: random ones of a large store have fewer in common at their beginning."""


def unknown_dataset(connection: Connection, namespace: str, name: str) -> NotInStore:
    """The error of a question about a dataset that no event has named."""
    return _unknown(connection, "dataset", namespace, name)


def unknown_job(connection: Connection, namespace: str, name: str) -> NotInStore:
    """The error of a question about a job that no event has named."""
    return _unknown(connection, "job", namespace, name)


def nearest_run(connection: Connection, run: UUID) -> str:
    """A sentence with the run whose uuid begins most alike; empty if none does for eight digits."""
    beside = every_value(connection, UUID, "reading/near_runs", {"run": run})
    near = max(beside, key=lambda other: _digits_in_common(run, other), default=None)
    if near is None or _digits_in_common(run, near) < LEAST_DIGITS_IN_COMMON:
        return ""
    return f" The run whose uuid is nearest is {near}."


def _unknown(connection: Connection, kind: str, namespace: str, name: str) -> NotInStore:
    spelled = {"spelled": namespace, "formatted": formatted_namespace(namespace)}
    if not one_value(connection, bool, "reading/is_namespace", spelled):
        helps = nearest_name(
            namespace,
            every_value(connection, str, "reading/near_namespaces"),
            "`lineage namespace list` shows which there are.",
        )
        return NotInStore(f"No event has named the namespace {namespace!r}. {helps}")
    names = every_value(connection, str, f"reading/near_{kind}s", spelled)
    helps = nearest_name(name, names, "`lineage search` finds the names that there are.")
    return NotInStore(f"No event has named the {kind} {name!r} of the namespace {namespace!r}. {helps}")


def _digits_in_common(one: UUID, other: UUID) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one.hex, other.hex, strict=True)))
