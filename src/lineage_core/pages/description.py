"""The description of the pages for programs, in OpenAPI: what each address answers, errors included."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any, get_type_hints

from fastapi import FastAPI, Request
from pydantic import BaseModel, ConfigDict, Field, RootModel, create_model

from lineage_core.pages.uploads import DocumentKind


class AnsweredError(BaseModel):
    """What programs get in place of an answer."""

    status: int = Field(description="As the status of the response.")
    error: str = Field(description="What is wrong, where, and what to do next.")


ERRORS: Mapping[int | str, dict[str, Any]] = {
    int(status): {"model": AnsweredError, "description": description}
    for status, description in (
        (HTTPStatus.NOT_FOUND, "The store has no such thing, or no longer."),
        (HTTPStatus.CONFLICT, "An operator has to do something first."),
        (HTTPStatus.UNPROCESSABLE_ENTITY, "The question is malformed."),
        (HTTPStatus.INTERNAL_SERVER_ERROR, "An error of our own. The log of the server has it."),
        (HTTPStatus.SERVICE_UNAVAILABLE, "The same question may be answered in a moment."),
    )
}
"""Errors of every address."""

_TEXT = {"type": "string"}
POSTED: Mapping[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["kind", "namespace"],
                    "properties": {
                        "kind": {"type": "string", "enum": [kind.value for kind in DocumentKind]},
                        "namespace": _TEXT | {"description": "That of the datasets."},
                        "dataset": _TEXT | {"description": "Of a schema, the name of its dataset."},
                        "document": {"type": "string", "format": "binary", "description": "The file."},
                        "pasted": _TEXT | {"description": "Its text, in place of the file."},
                    },
                }
            }
        },
    }
}
"""The form by which a document is sent."""

CSV: Mapping[int | str, dict[str, Any]] = {
    int(HTTPStatus.OK): {"description": "CSV; a file that was cut is named so.", "content": {"text/csv": {}}}
}

WHOLE = ConfigDict(json_schema_serialization_defaults_required=True)
"""Of what has dataclasses: an answer has their members with a default, too, as it has all others."""


def answered(name: str, answer: Callable[..., Any]) -> dict[int | str, dict[str, Any]]:
    """The response of a function of a page: its schema is the type that the function returns, under a name."""
    described: dict[str, Any] = {"description": "The answer."}
    of_type: Any = RootModel
    found = get_type_hints(answer)["return"]
    if found == dict[str, Any]:
        described["content"] = {"application/json": {}}
    else:
        described["model"] = create_model(name, __base__=of_type[found])
    return {int(HTTPStatus.OK): described}


def description(request: Request) -> dict[str, Any]:
    """With the place where the pages are mounted, to which its addresses are relative."""
    pages: FastAPI = request.app
    return pages.openapi() | {"servers": [{"url": str(request.scope.get("root_path", "")) or "/"}]}
