"""Whom a change reaches, as SARIF 2.1.0: the format of findings that code scanning takes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.parse import quote

from lineage_core.answers.impact.model import Consumer, Impact, ImpactVerdict
from lineage_core.answers.impact.text import missing_lines

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

_LEVELS = {ImpactVerdict.BROKEN: "error", ImpactVerdict.UNKNOWN: "warning"}
"""Of the verdicts that are findings."""

_MEANINGS = {
    ImpactVerdict.BROKEN: "A job takes a column that changes, or one that is made of such a column.",
    ImpactVerdict.UNKNOWN: "A job reads what changes, and no column lineage says which columns it takes.",
}

_SPECIAL = re.compile(r"[\\\[\]]")
"""What begins or ends a link within a message."""


def sarif_document(found: Impact, file: Path | None = None) -> dict[str, Any]:
    """A log of one run, with a result for each consumer that is not safe.

    file: the change is in it, so that the findings are; None without one. What is missing in the answer, and what the
    rules of schemas refuse, stands in notifications.
    """
    results = [_result(one, file) for one in found.consumers if one.verdict in _LEVELS]
    run = {
        "tool": {"driver": _driver()},
        "invocations": [{"executionSuccessful": True, "toolExecutionNotifications": list(_notifications(found))}],
        "results": results,
        "properties": {"complete": found.complete, "next": found.next, "asOf": found.as_of.isoformat()},
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _driver() -> dict[str, Any]:
    rules = [
        {
            "id": verdict.value,
            "shortDescription": {"text": _MEANINGS[verdict]},
            "defaultConfiguration": {"level": level},
        }
        for verdict, level in _LEVELS.items()
    ]
    return {"name": "lineage impact", "version": version("lineage-core"), "rules": rules}


def _notifications(found: Impact) -> Iterator[dict[str, Any]]:
    for refused in found.refused:
        yield {"level": "warning", "message": _message(f"Refused: {refused}")}
    for missing in missing_lines(found):
        yield {"level": "warning", "message": _message(missing)}


def _result(one: Consumer, file: Path | None) -> dict[str, Any]:
    return {
        "ruleId": one.verdict.value,
        "level": _LEVELS[one.verdict],
        "message": _message(_text(one)),
        "locations": [_location(one, file)],
        "partialFingerprints": {"consumer/v1": f"{one.job_uuid}/{one.dataset_uuid or ''}"},
        "properties": {"hops": one.hops, "owner": one.owner, "columns": one.columns},
    }


def _text(one: Consumer) -> str:
    makes = f", which makes {one.dataset}" if one.dataset else ""
    if one.verdict is ImpactVerdict.UNKNOWN:
        return f"May break the job {one.job}{makes}: no column lineage says which columns it takes."
    return f"Breaks the job {one.job}{makes}: {', '.join(one.columns)}."


def _message(text: str) -> dict[str, str]:
    """Names are what anybody's events say: nothing in them becomes a link, or a place for an argument."""
    literal = _SPECIAL.sub(r"\\\g<0>", text)
    return {"text": literal.replace("{", "{{").replace("}", "}}")}


def _location(one: Consumer, file: Path | None) -> dict[str, Any]:
    places = [{"kind": "job", "fullyQualifiedName": one.job}]
    if one.dataset:
        places.append({"kind": "dataset", "fullyQualifiedName": one.dataset})
    location: dict[str, Any] = {"logicalLocations": places}
    if file is not None:
        uri = file.as_uri() if file.is_absolute() else quote(file.as_posix())
        location["physicalLocation"] = {"artifactLocation": {"uri": uri}, "region": {"startLine": 1}}
    return location
