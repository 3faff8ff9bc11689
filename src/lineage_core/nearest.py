"""What somebody may have meant who has named something that there is not."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def nearest_name(name: str, names: Iterable[str], otherwise: str) -> str:
    """A sentence for the end of an error: the nearest of the names that there are, or `otherwise` if none is near.

    The name itself may be among them, where it was asked for at another time. It is no help.
    """
    near = get_close_matches(name, [other for other in names if other != name], n=1)
    return f"The nearest name is {near[0]!r}." if near else otherwise
