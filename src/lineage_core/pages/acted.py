"""Answering a form by which a person acts: first by a question, then, once it is confirmed, by the act."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from typing import Any

from fastapi import Request, Response
from starlette.responses import RedirectResponse

from lineage_core.acts import store as acts
from lineage_core.acts.store import OperatorAct
from lineage_core.errors import WrongUsage
from lineage_core.local.chosen_store import who_works_here
from lineage_core.pages.acting import PageActs, all_acts, is_number
from lineage_core.pages.forms import CONFIRMED, SentForm
from lineage_core.pages.rendering import address
from lineage_core.pages.visitors import Visitor
from lineage_core.postgres.operator_store import OperatorStore
from lineage_core.postgres.store import Store

LAST = 5
MOST_LISTED = 20
"""Acts that a notice lists."""

JUST_NOW = timedelta(minutes=15)
"""For how long an act is noticed as what was just done."""


@dataclass(frozen=True)
class ActingVisitor:
    """What a page shows of acts to who looks at it.

    why_not: why there are no forms; None where there are. last: the last acts of this page. done: what the person has
    just done. more: how many acts more that were.
    """

    may_act: bool = False
    why_not: str | None = None
    last: tuple[OperatorAct, ...] = ()
    done: tuple[OperatorAct, ...] = ()
    more: int = 0


def acting_visitor(request: Request, page: str) -> ActingVisitor:
    """Of a page without acts, nothing."""
    found = all_acts().get(page)
    visitor: Visitor | None = getattr(request.state, "visitor", None)
    if found is None or visitor is None:
        return ActingVisitor()
    reader: Store = request.app.state.store
    done, more = _done(reader, found, person_of(visitor), request.query_params.get("acts"))
    return ActingVisitor(
        visitor.may_act and request.app.state.acts is not None,
        _why_not(visitor, request.app.state.acts),
        tuple(acts.last_acts(reader, LAST, what=found.commands)),
        done,
        more,
    )


def person_of(visitor: Visitor) -> str:
    """Under which name an act is recorded."""
    return visitor.name or who_works_here()


def act_endpoint(page: PageActs, show: Callable[[Request, Any, str], Response]) -> Callable[..., Response]:
    """show: how a question becomes a page."""

    def answered(request: Request, sent: SentForm) -> Response:
        reader: Store = request.app.state.store
        fields = {name: value for name, value in sent.items() if name != CONFIRMED}
        if CONFIRMED not in sent:
            return show(request, page.ask(reader, fields), page.name)
        person = person_of(request.state.visitor)
        before = acts.newest(reader)
        page.do(OperatorStore(request.app.state.acts.dsn, person=person), fields)
        span = acts.acts_since(reader, before, person)
        root = str(request.scope.get("root_path", ""))
        to = address(root, f"/{page.name}", acts=None if span.first is None else f"{span.first}-{span.last}")
        return RedirectResponse(to, HTTPStatus.SEE_OTHER, {"Cache-Control": "no-store"})

    return answered


def _why_not(visitor: Visitor, store: Store | None) -> str | None:
    if store is None:
        return (
            "These pages only look. With LINEAGE_OPERATOR_DSN, a login that has the role lineage_operator, they act for"
            " operators."
        )
    return None if visitor.may_act else "You may look. Who is an operator may act here."


def _done(store: Store, page: PageActs, person: str, asked: str | None) -> tuple[tuple[OperatorAct, ...], int]:
    """The acts that an address names, such as 17-19, and how many more there are. Whoever is sent the address, or opens
    it again later, has just done nothing. Raises WrongUsage for other texts."""
    if asked is None:
        return (), 0
    first, _, last = asked.partition("-")
    if not (is_number(first) and is_number(last)):
        raise WrongUsage(f"{asked!r} names no acts")
    since = datetime.now(UTC) - JUST_NOW
    found = acts.acts_between(store, int(first), int(last), MOST_LISTED, person=person, what=page.commands, since=since)
    more = max(int(last) - int(first) + 1 - len(found), 0) if len(found) == MOST_LISTED else 0
    return tuple(found), more
