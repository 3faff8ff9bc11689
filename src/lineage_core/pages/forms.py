"""Forms by which a person acts: each bears a token that only pages of this site can read.

The token is a cookie of the browser, and a field of each form. Another site can make a browser send the cookie, but
cannot read it, so that it cannot fill in the field. Nothing of it is kept here: any process answers the form of any
other.
"""

from __future__ import annotations

import hmac
import re
import secrets
from http import HTTPStatus
from typing import Annotated
from urllib.parse import urlsplit

from fastapi import Depends, HTTPException, Request, Response
from starlette.formparsers import MultiPartException

from lineage_core.errors import WrongUsage
from lineage_core.pages.acting import Fields
from lineage_core.pages.visitors import Visitor

COOKIE = "lineage_form"
TOKEN_FIELD = "token"  # noqa: S105 - the name of a field
CONFIRMED = "confirmed"

LARGEST = 100_000
"""Bytes of a form."""

_FORM = re.compile(r"[A-Za-z0-9_-]{43}")
"""256 random bits."""


def token_of(request: Request) -> str:
    """That of the browser, or a new one."""
    found = request.cookies.get(COOKIE, "")
    return found if _FORM.fullmatch(found) else secrets.token_urlsafe(32)


def give(response: Response, request: Request, token: str) -> None:
    """Lets the browser have the token, if it has another one or none."""
    if request.cookies.get(COOKIE) == token:
        return
    path = str(request.scope.get("root_path", "")) or "/"
    is_secure = request.url.scheme == "https"
    response.set_cookie(COOKIE, token, path=path, httponly=True, samesite="lax", secure=is_secure)


async def _sent_form(request: Request) -> Fields:
    """What an operator has sent. Raises HTTPException for anybody else, and for what no page of this site has sent."""
    _refuse_others(request)
    _refuse_forged_origin(request)
    length = request.headers.get("content-length", "")
    if not length.isdigit() or int(length) > LARGEST:
        raise HTTPException(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"Send at most {LARGEST:,} bytes, with their number")
    try:
        async with request.form(max_files=0, max_fields=20, max_part_size=LARGEST) as form:
            given = {name: value.strip() for name, value in form.items() if isinstance(value, str)}
    except MultiPartException as error:
        raise WrongUsage(f"This is no form of a page: {error.message}") from error
    if any("\0" in value for value in given.values()):
        raise WrongUsage("A field has a character that the store cannot hold")
    _refuse_forged_token(request, given.pop(TOKEN_FIELD, ""))
    return {name: value for name, value in given.items() if value}


SentForm = Annotated[Fields, Depends(_sent_form)]


def _refuse_others(request: Request) -> None:
    visitor: Visitor = request.state.visitor
    if not visitor.may_act:
        raise HTTPException(HTTPStatus.FORBIDDEN, "You may look at the pages. Only an operator may act")
    if request.app.state.acts is None:
        raise HTTPException(
            HTTPStatus.FORBIDDEN,
            "These pages only look. Give them LINEAGE_OPERATOR_DSN, a login with the role lineage_operator, to act",
        )


def _refuse_forged_origin(request: Request) -> None:
    """Other than for a form that only asks, the browser must say from where it comes: each of today does."""
    site, origin = request.headers.get("sec-fetch-site"), request.headers.get("origin")
    # The scheme is left out: a proxy may speak TLS for this server.
    is_ours = site == "same-origin" if site else bool(origin) and urlsplit(origin).netloc == request.headers.get("host")
    if not is_ours:
        raise HTTPException(
            HTTPStatus.FORBIDDEN, "This was not sent by a page of this site. Send it from the page here"
        )


def _refuse_forged_token(request: Request, sent: str) -> None:
    kept = request.cookies.get(COOKIE, "")
    if not _FORM.fullmatch(kept) or not hmac.compare_digest(kept.encode(), sent.encode()):
        raise HTTPException(
            HTTPStatus.FORBIDDEN,
            "The form does not bear the token of this browser. Load the page again, with cookies on",
        )
