"""The receiver's interface as OpenAPI describes it. Its paths and answers are those of OpenLineage's own document."""

from __future__ import annotations

from typing import Any

VERSION = "1"
DESCRIPTION = (
    "Takes run events, job events and dataset events of OpenLineage, and keeps each before it answers. To send an event"
    " again is safe."
)

_ERROR = {
    "application/json": {
        "schema": {
            "type": "object",
            "required": ["code", "message"],
            "properties": {
                "code": {"type": "integer"},
                "message": {"type": "string"},
                "path": {"type": "string", "description": "JSON path of the fault in the event."},
            },
        }
    }
}
_REFUSED: dict[int | str, dict[str, Any]] = {
    400: {"description": "The body is no JSON, or broken.", "content": _ERROR},
    401: {"description": "No token, or one that is not good.", "content": _ERROR},
    403: {"description": "The token is for other namespaces.", "content": _ERROR},
    408: {"description": "The body came too slowly.", "content": _ERROR},
    413: {"description": "The body is too long.", "content": _ERROR},
    415: {"description": "The body is packed otherwise than by gzip.", "content": _ERROR},
    422: {"description": "The document is no event. It is in quarantine.", "content": _ERROR},
    429: {"description": "Too many events come with this token.", "content": _ERROR},
    503: {"description": "The store cannot take it now: send it again.", "content": _ERROR},
}
_OBJECT = {"type": "object", "description": "A RunEvent, a JobEvent or a DatasetEvent of OpenLineage."}
_FAILED = {
    "type": "object",
    "required": ["index", "reason", "retriable"],
    "properties": {
        "index": {"type": "integer"},
        "reason": {"type": "string"},
        "retriable": {"type": "boolean"},
    },
}
_COUNTS = ("received", "successful", "failed", "retriable", "non_retriable")
_PARTLY = {
    "type": "object",
    "required": ["status", "summary", "failed_events"],
    "properties": {
        "status": {"type": "string", "enum": ["partial_success"]},
        "summary": {
            "type": "object",
            "required": list(_COUNTS),
            "properties": {name: {"type": "integer"} for name in _COUNTS},
        },
        "failed_events": {"type": "array", "items": _FAILED},
    },
}


def _body(schema: dict[str, Any]) -> dict[str, Any]:
    return {"requestBody": {"required": True, "content": {"application/json": {"schema": schema}}}}


EVENT: dict[str, Any] = {
    "operation_id": "postRunEvent",
    "summary": "Send an event of a run, a job or a dataset",
    "status_code": 201,
    "response_model": None,
    "responses": {201: {"description": "The event is stored."}, **_REFUSED},
    "openapi_extra": _body(_OBJECT),
}
BATCH: dict[str, Any] = {
    "operation_id": "postEventBatch",
    "summary": "Send a list of events",
    "status_code": 204,
    "response_model": None,
    "responses": {
        200: {"description": "Some are no events.", "content": {"application/json": {"schema": _PARTLY}}},
        204: {"description": "All are stored."},
        **_REFUSED,
    },
    "openapi_extra": _body({"type": "array", "items": _OBJECT}),
}
HEALTH: dict[str, Any] = {
    "operation_id": "health",
    "summary": "Whether the process answers",
    "response_model": None,
    "responses": {200: {"description": "It does."}},
}
READINESS: dict[str, Any] = {
    "operation_id": "readiness",
    "summary": "Whether an event could be stored now",
    "response_model": None,
    "responses": {200: {"description": "It could."}, 503: {"description": "It could not.", "content": _ERROR}},
}
