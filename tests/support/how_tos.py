"""Lines of the how-tos, which tests run."""

from __future__ import annotations

from lineage_core.settings import PROJECT

_RECEIVER = PROJECT / "docs" / "how-to" / "receive-events-over-http.md"


def lines_for(client: str) -> str:
    """What the how-to of the receiver gives for a client: the first block of its section."""
    return (
        _RECEIVER.read_text()
        .partition(f"\n### {client}\n")[2]
        .partition("```")[2]
        .partition("\n")[2]
        .partition("```")[0]
    )
