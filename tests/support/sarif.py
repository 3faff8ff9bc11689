"""What SARIF 2.1.0 demands of the members that findings of ours have, and that they have no others (OASIS' schema)."""

from __future__ import annotations

from typing import Any


def _object(*required: str, **properties: Any) -> dict[str, Any]:
    return {"type": "object", "required": list(required), "properties": properties, "additionalProperties": False}


def _list(items: Any) -> dict[str, Any]:
    return {"type": "array", "items": items}


_TEXT = {"type": "string", "minLength": 1}
_MESSAGE = _object("text", text=_TEXT)
_LEVEL = {"enum": ["none", "note", "warning", "error"]}
_LOGICAL = _object("fullyQualifiedName", fullyQualifiedName=_TEXT, kind=_TEXT)
_PHYSICAL = _object(
    "artifactLocation",
    artifactLocation=_object("uri", uri={"type": "string", "format": "uri-reference", "pattern": r"^\S+$"}),
    region=_object("startLine", startLine={"type": "integer", "minimum": 1}),
)
_LOCATION = _object("logicalLocations", logicalLocations=_list(_LOGICAL), physicalLocation=_PHYSICAL)
_RESULT = _object(
    "ruleId",
    "level",
    "message",
    "locations",
    ruleId={"enum": ["broken", "unknown"]},
    level=_LEVEL,
    message=_MESSAGE,
    locations=_list(_LOCATION),
    partialFingerprints={"type": "object", "additionalProperties": {"type": "string"}},
    properties={"type": "object"},
)
_RULE = _object("id", id=_TEXT, shortDescription=_MESSAGE, defaultConfiguration=_object(level=_LEVEL))
_INVOCATION = _object(
    "executionSuccessful",
    executionSuccessful={"type": "boolean"},
    toolExecutionNotifications=_list(_object("message", level=_LEVEL, message=_MESSAGE)),
)
_RUN = _object(
    "tool",
    tool=_object("driver", driver=_object("name", name=_TEXT, version=_TEXT, rules=_list(_RULE))),
    invocations=_list(_INVOCATION),
    results=_list(_RESULT),
    properties={"type": "object"},
)
ESSENTIALS = _object(
    "version",
    "runs",
    **{"$schema": {"type": "string", "format": "uri"}, "version": {"const": "2.1.0"}, "runs": _list(_RUN)},
)
