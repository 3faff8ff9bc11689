"""Mutants of the statements that a merge runs, and whether a law fails for them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from lineage_core import statements
from lineage_core.errors import LineageError
from lineage_core.normalize.store import merging

EXAMPLES_MET = "examples"
"""Under which a law counts the examples that it came to."""


@dataclass(frozen=True)
class Mutant:
    """One change of one statement: `old` becomes `new`. `example` is the number of one at which the law fails."""

    name: str
    path: str
    old: str
    new: str
    example: int = 1


def changed(text: str, old: str, new: str, name: str, place: str) -> str:
    """The text of a place, as a mutant has it: each `old` is `new`. A mutant for which there is no `old` is none."""
    if old not in text or old == new:
        pytest.fail(f"The mutant {name!r} no longer applies at {place}, where it looks for {old!r}")
    return text.replace(old, new)


def broken(mutant: Mutant, monkeypatch: pytest.MonkeyPatch) -> None:
    """The statement is the mutant's until the end of the test."""
    whole = statements.named
    statement = changed(whole(mutant.path), mutant.old, mutant.new, mutant.name, mutant.path)

    def mutated(path: str) -> str:
        return statement if path == mutant.path else whole(path)

    monkeypatch.setattr(statements, "named", mutated)
    monkeypatch.setattr(merging, "_script", merging._script.__wrapped__)  # which remembers the scripts of other tests


def assert_law_fails(
    mutant: Mutant, hold: Callable[[Counter[str], int], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fails if the law holds for the mutant, too. `hold` begins with the example of a number, and counts them.

    Prints the number of the example at which it failed, for whoever writes it down.
    """
    broken(mutant, monkeypatch)
    met = Counter[str]()
    with pytest.raises((AssertionError, LineageError)):
        hold(met, mutant.example)
        if mutant.example > 1:
            met.clear()
            hold(met, 1)
    failed = met[EXAMPLES_MET] - 1  # Hypothesis runs it once more
    print(f"{mutant.name}: fails at example {failed}")  # noqa: T201
