"""Whoever looks while a store is made beside another one."""

from __future__ import annotations

from collections.abc import Callable

from lineage_core.carry_over.procedure import CarryStep


class Onlooker:
    """Does something at each sentence, and after each of the transactions that copy and normalize."""

    def __init__(self, do: Callable[[str], None]) -> None:
        self._do = do

    def tell(self, sentence: str) -> None:
        self._do(sentence)

    def count(self, step: CarryStep, done: float, total: float | None = None) -> None:
        if step is not CarryStep.COMPARE:
            self._do(f"{step}: {done} of {total}")


SILENT = Onlooker(lambda _sentence: None)
