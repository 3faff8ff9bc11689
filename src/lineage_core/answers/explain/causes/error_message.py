"""error-message: what a failed run says of its error, and since when others of its kind have it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta

from lineage_core.answers.explain.described_runs import ComparedRun, ErrorReport
from lineage_core.answers.explain.difference import Difference
from lineage_core.answers.explain.explanation import CauseKind, Evidence, EvidenceKind

MOST_SHOWN = 5
LONGEST_SHOWN = 300

_OF_MANY_JOBS, _OF_ANOTHER_JOB, _ALONE, _EVER_SINCE = 0.85, 0.65, 0.45, 0.4
_MANY = 2
_LATELY = timedelta(days=1)
_OFTENER = 5
"""Times the usual number of failures of a kind: then something has begun."""

_QUOTED = re.compile(r"""'[^'\n]*'|"[^"\n]*"|`[^`\n]*`|«[^»\n]*»""")
_ADDRESS = re.compile(r"\b\w+://\S+|(?:/[\w.+-]+){2,}|\b[\w-]+(?:\.[\w-]+){2,}\b")
_NUMBER = re.compile(r"\b(?:0x)?[0-9a-f-]*\d[0-9a-f-]*\b", re.IGNORECASE)
_LONGEST_KIND = 300


def kind_of_error(message: str) -> str:
    """A message without what differs from failure to failure: quoted parts, addresses, ids and numbers."""
    text = _QUOTED.sub("'…'", message)
    text = _ADDRESS.sub("…", text)
    text = _NUMBER.sub("#", text)
    return " ".join(text.lower().split())[:_LONGEST_KIND]


def found(compared: ComparedRun) -> Iterator[Difference]:
    """The error of the run itself."""
    error = compared.error
    if error is None:
        return
    kind = kind_of_error(error.message)
    same = [one for one in compared.failures if one.run != error.run and kind_of_error(one.message) == kind]
    evidence = [_evidence(error, f"{error.job}: {error.message[:LONGEST_SHOWN]}")]
    if same:
        first = min(same, key=lambda one: one.failed_at)
        others = f"{len(same)} other failures of {len({one.job for one in same})} jobs have it since"
        evidence.append(_evidence(first, f"{others} {first.failed_at.isoformat()} at least: {first.job}"))
        evidence += [_evidence(one, f"{one.job} at {one.failed_at.isoformat()}") for one in same[:MOST_SHOWN]]
    yield Difference(CauseKind.ERROR_MESSAGE, error.job, _weight(compared, error, same), tuple(evidence))


def _weight(compared: ComparedRun, error: ErrorReport, same: list[ErrorReport]) -> float:
    """What has begun lately in other jobs too is no fault of this one; what every job has now and then says little."""
    if not same:
        return _ALONE
    lately = [one for one in same if error.failed_at - one.failed_at < _LATELY]
    jobs = len({one.job for one in lately if one.job != error.job})
    if len(lately) < _OFTENER * _usual_number(compared, error, len(same) - len(lately)):
        return _EVER_SINCE
    if jobs >= _MANY:
        return _OF_MANY_JOBS
    return _OF_ANOTHER_JOB if jobs else _ALONE


def _usual_number(compared: ComparedRun, error: ErrorReport, earlier: int) -> float:
    """Of failures of the kind in as long a time, before."""
    oldest = min(one.failed_at for one in compared.failures)
    return earlier / max((error.failed_at - oldest) / _LATELY - 1, 1)


def _evidence(error: ErrorReport, says: str) -> Evidence:
    return Evidence(EvidenceKind.FACET, str(error.facet), says)
