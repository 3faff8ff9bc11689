"""`lineage status`: one screen of how the store is."""

from __future__ import annotations

import json
from dataclasses import asdict, is_dataclass
from datetime import UTC, datetime
from typing import Annotated, Any

import typer

from lineage_core.cli.database import chosen_store
from lineage_core.cli.panels import Panel
from lineage_core.cli.terminal import harmless
from lineage_core.interrupts import NOTHING_CHANGED, leaves


def register(application: typer.Typer) -> None:
    application.command(rich_help_panel=Panel.WATCH)(status)


@leaves(NOTHING_CHANGED)
def status(as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """Show what waits and since when, what is running, quarantine, migrations, retention and size."""
    from lineage_core.operate.status import store_status

    found = store_status(chosen_store())
    if as_json:
        typer.echo(json.dumps({topic.key: value for topic, value in found.items()}, default=_plain))
        return
    now = datetime.now(UTC)
    for topic, value in found.items():
        for title, line in topic.lines(value, now):
            typer.echo(harmless(f"{title:<14} {line}"))


def _plain(value: Any) -> Any:
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else str(value)
