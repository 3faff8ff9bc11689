"""Where events are sent on to, in the process of the test."""

from __future__ import annotations

from typing import Any

from lineage_core.emission.destination import RefusedByReceiver
from lineage_core.errors import TryAgain


class Listener:
    """Takes events until it is away; refuses some."""

    name = "a listener"

    def __init__(self, *, refused: tuple[int, ...] = (), stays: int = 1_000_000) -> None:
        self.taken: list[dict[str, Any]] = []
        self.is_closed = False
        self._refused = refused
        self._stays = stays
        self._asked = 0

    def send(self, event: dict[str, Any]) -> None:
        self._asked += 1
        if self._asked > self._stays:
            raise TryAgain("away")
        if self._asked in self._refused:
            raise RefusedByReceiver("a listener answers 422")
        self.taken.append(event)

    def close(self) -> None:
        self.is_closed = True
