"""`lineage status`: one screen of how the store is."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from lineage_core.cli.database import chosen_dsn
from lineage_core.cli.panels import Panel
from lineage_core.cli.terminal import harmless
from lineage_core.interrupts import NOTHING_CHANGED, leaves

if TYPE_CHECKING:
    from lineage_core.database.status import LastRetention, ReceivedByHttp, StoreStatus, Waiting


def register(application: typer.Typer) -> None:
    application.command(rich_help_panel=Panel.WATCH)(status)


@leaves(NOTHING_CHANGED)
def status(as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """Show what waits and since when, who works, what is in quarantine, migrations, retention and size."""
    from lineage_core.database.status import store_status

    found = store_status(chosen_dsn())
    if as_json:
        typer.echo(json.dumps(asdict(found), default=str))
        return
    for topic, line in _lines(found, datetime.now(UTC)):
        typer.echo(harmless(f"{topic:<14} {line}"))


def _lines(found: StoreStatus, now: datetime) -> Iterator[tuple[str, str]]:
    yield "waiting", _waiting(found.waiting, now)
    moved = found.normalization.moved_at
    worker = f"at work: {found.normalization.holder}" if found.normalization.holder else "not at work"
    yield "normalization", f"{worker}; " + (f"last moved {_ago(moved, now)}" if moved else "has never run")
    yield "arrivals", f"{found.arrivals.last_hour:,} in the last hour, {found.arrivals.last_day:,} in the last day"
    yield "receiver", _receiver(found.receiver)
    last = found.quarantine.last_at
    yield "quarantine", f"{found.quarantine.documents:,} documents" + (f", the last {_ago(last, now)}" if last else "")
    changed = found.schema_changes.last_at
    broke = f"{found.schema_changes.alerts:,} broke a rule"
    yield "schema changes", broke + (f", the last {_ago(changed, now)}" if changed else "")
    for migration in found.migrations:
        aside = f", {migration.quarantined:,} rows in quarantine" if migration.quarantined else ""
        yield "migration", f"{migration.name}: {migration.state}, {migration.percent:.1f} %{aside}"
    yield "retention", _retention(found.retention, now)
    yield "size", f"{found.database_bytes / 1e6:,.0f} MB"


def _waiting(waiting: Waiting, now: datetime) -> str:
    if waiting.since is None:
        return "nothing"
    least = "at least " if waiting.is_more else ""
    return f"{least}{waiting.events:,} events, {waiting.bytes / 1e6:,.1f} MB; arrived since {_ago(waiting.since, now)}"


def _receiver(received: ReceivedByHttp) -> str:
    processes = f"{received.processes:,} processes at work" if received.processes else "not at work"
    return (
        f"{processes}; {received.accepted:,} accepted and {received.refused:,} refused since the last full hour began"
    )


def _retention(last: LastRetention | None, now: datetime) -> str:
    if last is None:
        return "was never applied"
    ended = "" if last.finished_at else ", and has not finished"
    return f"{last.rows:,} rows deleted {_ago(last.started_at, now)}{ended}"


def _ago(moment: datetime, now: datetime) -> str:
    """Such as `17 minutes ago`."""
    seconds = max(0.0, (now - moment).total_seconds())
    for name, length in (("days", 86_400), ("hours", 3_600), ("minutes", 60)):
        if seconds >= 2 * length:
            return f"{seconds / length:.0f} {name} ago"
    return f"{seconds:.0f} seconds ago"
