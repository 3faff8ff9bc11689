"""The receiver's interface as OpenAPI describes it. Its paths and answers are those of OpenLineage's own document."""

from __future__ import annotations

from typing import Any

from starlette.responses import PlainTextResponse, Response

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
_TEXT = {"type": "string", "pattern": "^[^\\u0000\\ud800-\\udfff]*$"}
"""Postgres holds neither U+0000 nor half a surrogate pair."""
_TIME = {"type": "string", "format": "date-time", "pattern": "^[12]"}
"""Any time that is in the years 1 to 9999 of UTC is taken."""
_NAME = _TEXT | {"maxLength": 300}
_FACETS = {"type": "object", "additionalProperties": {"type": "object"}, "propertyNames": _TEXT | {"maxLength": 255}}
_DATASET = {
    "type": "object",
    "required": ["namespace", "name"],
    "properties": {"namespace": _NAME, "name": _NAME, "facets": _FACETS},
}
_JOB = _DATASET
_RUN = {"type": "object", "required": ["runId"], "properties": {"runId": _NAME, "facets": _FACETS}}


def _event(name: str, needed: list[str], what: dict[str, Any]) -> dict[str, Any]:
    properties = {"eventTime": _TIME, "producer": _TEXT, **what}
    return {"title": name, "type": "object", "required": ["eventTime", "producer", *needed], "properties": properties}


def _ending(name: str) -> dict[str, Any]:
    """Of `schemaURL`, which says what kind of event it is."""
    return {"schemaURL": {"type": "string", "pattern": f"/{name}$"}}


_MENTIONS = {"type": "array", "items": _DATASET}
_READ_AND_WRITTEN = {"job": _JOB, "inputs": _MENTIONS, "outputs": _MENTIONS}
_OBJECT = {
    "anyOf": [
        _event(
            "RunEvent",
            ["run", "job"],
            _ending("RunEvent") | {"run": _RUN, "eventType": _TEXT | {"maxLength": 64}} | _READ_AND_WRITTEN,
        ),
        _event("JobEvent", ["schemaURL", "job"], _ending("JobEvent") | _READ_AND_WRITTEN),
        _event("DatasetEvent", ["schemaURL", "dataset"], _ending("DatasetEvent") | {"dataset": _DATASET}),
    ]
}
"""What is taken for certain. More is taken: an event with any other `schemaURL` is of a run."""
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
    "response_class": Response,
    "response_model": None,
    "responses": {201: {"description": "The event is stored."}, **_REFUSED},
    "openapi_extra": _body(_OBJECT),
}
BATCH: dict[str, Any] = {
    "operation_id": "postEventBatch",
    "summary": "Send a list of events",
    "status_code": 204,
    "response_class": Response,
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
    "response_class": PlainTextResponse,
    "response_model": None,
    "responses": {200: {"description": "It does."}},
}
READINESS: dict[str, Any] = {
    "operation_id": "readiness",
    "summary": "Whether an event could be stored now",
    "response_class": PlainTextResponse,
    "response_model": None,
    "responses": {200: {"description": "It could."}, 503: {"description": "It could not.", "content": _ERROR}},
}
