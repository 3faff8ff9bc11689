"""What a page is. Each is a file of `routes/`, and is found there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any
from urllib.parse import quote
from uuid import UUID

from fastapi import Depends, Query, Request
from pydantic import BeforeValidator

from lineage_core.declare.registry import declared
from lineage_core.errors import WrongUsage
from lineage_core.pages.spreadsheets import Spreadsheet
from lineage_core.postgres.store import Store


@dataclass(frozen=True)
class LineagePage:
    """An address, what is answered there, and the template that shows it to people.

    name: of its file, of its template, and its address below `/lineage`. title: in the navigation, where None leaves
    it out. place: where it stands there.
    answer: a function whose parameters are those of the address, as FastAPI reads them, and whose result is what
    programs get as JSON: a dataclass, or a TypedDict. The type that it returns describes the answer in OpenAPI.
    spreadsheet: what of an answer is CSV below `/csv`; None for a page without.
    posted: a function as `answer`, for a form that is sent there because it does not fit into an address. It changes
    nothing, either. None for a page without.
    """

    name: str
    title: str | None
    place: int
    answer: Callable[..., Any]
    path: str | None = None
    spreadsheet: Callable[[Any], Spreadsheet] | None = None
    posted: Callable[..., Any] | None = None

    @property
    def address(self) -> str:
        return f"/{self.name}" if self.path is None else self.path


@cache
def all_pages() -> tuple[LineagePage, ...]:
    """In the order of the navigation."""
    pages = [one.value for one in declared("routes", LineagePage) if one.package == "pages"]
    return tuple(sorted(pages, key=lambda page: page.place))


def _store_of(request: Request) -> Store:
    store: Store = request.app.state.store
    return store


def both_names(namespace: str | None, name: str | None) -> tuple[str, str] | None:
    """What is asked for by its whole name; None where it is not. Raises WrongUsage for a name without its namespace:
    many may have it."""
    if name and not namespace:
        raise WrongUsage(
            f"{name!r} is a name within a namespace: ask with `namespace`, too, or look for it by"
            f" /search?q={quote(name)}"
        )
    return (namespace, name) if namespace and name else None


Reader = Annotated[Store, Depends(_store_of)]
"""The store, by the login of a reader."""

LAST_NUMBER = (1 << 63) - 1
"""Of a row: Postgres numbers them by bigint."""


def _without_spaces(value: Any) -> Any:
    """Of a uuid that a person has pasted; None of a field that was left empty."""
    return value.strip() or None if isinstance(value, str) else value


Uuid = Annotated[UUID | None, BeforeValidator(_without_spaces)]
"""A parameter that a form has, too."""


def empty_is(default: int) -> BeforeValidator:
    """A form sends a field that was left empty, too: then the number is the default."""
    return BeforeValidator(lambda value: default if isinstance(value, str) and not value.strip() else value)


Namespace = Annotated[str | None, Query(description="The namespace.")]
Name = Annotated[str | None, Query(description="The name, any that the store knows.")]
Limit = Annotated[int, Query(ge=1, le=1_000, description="Most rows of the answer.")]
After = Annotated[str | None, Query(description="`next` of the answer before, where that was cut.")]
