"""What a page can do, once a person has been asked whether it shall be done."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from lineage_core.declare.registry import declared
from lineage_core.errors import WrongUsage
from lineage_core.postgres.store import Store

_DIGITS = 18
"""Every number of so many digits is a bigint."""

Fields = Mapping[str, str]
"""What a form has sent. A field that was left empty is not there."""


@dataclass(frozen=True)
class ActQuestion:
    """What will happen, before it does.

    title: what is asked for. sentences: what that changes, with numbers. fields: the form that is sent again by who
    says yes; where what is meant could change meanwhile, it names each thing, so that no more is done than was asked.
    """

    title: str
    button: str
    sentences: Sequence[str]
    fields: Fields = field(repr=False)


@dataclass(frozen=True)
class PageActs:
    """The acts of a page, at `/acts/` and its name. Each is that of a command.

    ask: by the login of a reader. do: by that of an operator; it calls the function that the command calls. commands:
    how the commands begin that do the same, by which the page shows its last acts.
    """

    name: str
    commands: str
    ask: Callable[[Store, Fields], ActQuestion]
    do: Callable[[Store, Fields], object]

    @property
    def address(self) -> str:
        return f"/acts/{self.name}"


@cache
def all_acts() -> Mapping[str, PageActs]:
    """By the name of the page."""
    return {one.value.name: one.value for one in declared("acts", PageActs) if one.package == "pages"}


def required(sent: Fields, name: str, what: str) -> str:
    """A field of a form. Raises WrongUsage, with what is missing, where it was left empty."""
    if name not in sent:
        raise WrongUsage(f"{what} is missing")
    return sent[name]


def is_number(text: str) -> bool:
    """Whether it may be the number of a row."""
    return text.isascii() and text.isdecimal() and len(text) <= _DIGITS


def one_of(sent: Fields, allowed: Sequence[str]) -> str:
    """What the form asks for. Raises WrongUsage for anything else than what is allowed."""
    found = sent.get("do", "")
    if found not in allowed:
        raise WrongUsage(f"This page does {', '.join(allowed)}, and not {found!r}")
    return found
