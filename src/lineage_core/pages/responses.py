"""How an answer is sent: as the page of a template, or as JSON, under headers that each has."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from fastapi import Request, Response

from lineage_core.command_line.results import json_text
from lineage_core.pages.acted import acting_visitor
from lineage_core.pages.forms import give, token_of
from lineage_core.pages.rendering import rendered

SECURITY_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
        " frame-ancestors 'self'; form-action 'self'; base-uri 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
"""What an event says is text. Should it ever come out as markup, a browser still runs and loads nothing of it."""


def response(request: Request, document: Any, template: str, status: int = HTTPStatus.OK, **others: Any) -> Response:
    """others: what the template needs beside the document."""
    if wants_json(request):
        content = json_text(document)
        return Response(content, status, {"Vary": "Accept", "Cache-Control": "no-store"}, "application/json")
    token, acting = token_of(request), acting_visitor(request, template)
    page = rendered(request, template, document, token=token, acting=acting, **others)
    made = Response(page, status, {"Vary": "Accept", "Cache-Control": "no-store"}, "text/html; charset=utf-8")
    if acting.may_act or template == "act":
        give(made, request, token)
    return made


def secured(made: Response) -> Response:
    """The same response, with the headers that each has."""
    for name, value in SECURITY_HEADERS.items():
        made.headers.setdefault(name, value)
    return made


def wants_json(request: Request) -> bool:
    """Below /api always; elsewhere where JSON is asked for, and a page is not."""
    accepted = request.headers.get("accept", "")
    return own_path(request).startswith("/api/") or ("application/json" in accepted and "text/html" not in accepted)


def own_path(request: Request) -> str:
    """Without the place where the pages are mounted."""
    return str(request.scope["path"]).removeprefix(str(request.scope.get("root_path", "")))
