"""How laws draw their examples."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, Phase, seed, settings


class Draw:
    """Which examples all laws draw: others for each number, `--draw` of pytest."""

    number = 0


APART = 1_000
"""How far apart the numbers of two draws are: no law that draws has more examples."""


def numbers(until: int, first: int = 0) -> range:
    """Those of the examples that a law makes of numbers itself."""
    return range(first + APART * Draw.number, until + APART * Draw.number)


def drawn(examples: int, number: int = 0) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """So many examples, and the same ones whatever the words of a test are.

    `derandomize` draws by a digest of the test's own text, so that any change of a word draws others: those may not
    meet what a law counts, or not come to the one for which a mutant fails. `number` names a draw; another one is
    chosen where examples are too few for what is counted.

    What fails is not made smaller: sets of events are small already, and each try takes a second.
    """
    chosen = settings(
        max_examples=examples,
        database=None,
        phases=(Phase.explicit, Phase.generate),
        report_multiple_bugs=False,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
    )
    return lambda test: seed(number + APART * Draw.number)(chosen(test))
