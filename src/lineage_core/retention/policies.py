"""Policies of retention as values: of what kind and of which namespaces things go, from which age on."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from lineage_core.errors import WrongUsage
from lineage_core.model.tables.retention_policies import PolicyKind

NEVER = "never"
_AGE = re.compile(r"([1-9][0-9]{0,5})([dh])")
_WITH_LAST = (PolicyKind.RUNS, PolicyKind.VERSIONS, PolicyKind.EVERY)
_UNITS = {"d": timedelta(days=1), "h": timedelta(hours=1)}


@dataclass(frozen=True)
class Policy:
    """What is older goes, but for the last `keep_last` of each job or dataset. None as `older_than`: nothing goes."""

    kind: PolicyKind
    namespace_pattern: str
    older_than: timedelta | None
    keep_last: int | None

    def __post_init__(self) -> None:
        """Raises WrongUsage for what would have no effect."""
        if self.kind is PolicyKind.ENTITIES:
            raise WrongUsage("Jobs and datasets are never deleted yet: a policy of entities would have no effect")
        if self.keep_last is not None and self.kind not in _WITH_LAST:
            raise WrongUsage(f"There are no last {self.kind.value} of a job or dataset; leave out --keep-last")

    def fits(self, kind: PolicyKind, namespace: str) -> bool:
        return self._is_of(kind) and matches(self.namespace_pattern, namespace)

    def _is_of(self, kind: PolicyKind) -> bool:
        return self.kind is kind or (self.kind is PolicyKind.EVERY and kind is not PolicyKind.ENTITIES)


@dataclass(frozen=True)
class Cutoff:
    """What happened before goes, in a namespace, but for the last `keep_last`."""

    kind: PolicyKind
    namespace: str
    before: datetime
    keep_last: int


def cutoffs(policies: Iterable[Policy], namespaces: Iterable[str], kind: PolicyKind, now: datetime) -> list[Cutoff]:
    """One for each namespace from which things of the kind go. `policies` come in the order in which they count."""
    ordered = tuple(policies)
    found = ((namespace, first_that_fits(ordered, kind, namespace)) for namespace in namespaces)
    return [
        Cutoff(kind, namespace, now - policy.older_than, policy.keep_last or 0)
        for namespace, policy in found
        if policy is not None and policy.older_than is not None
    ]


def all_cutoffs(policies: Iterable[Policy], namespaces: Iterable[str], now: datetime) -> list[Cutoff]:
    """Of runs, versions, quarantine and contents. Quarantine and contents have no namespace, so only `*` fits them.

    A version never goes before the runs of its time do: until then, a late event may read it.
    """
    ordered, names = tuple(policies), tuple(namespaces)
    runs = cutoffs(ordered, names, PolicyKind.RUNS, now)
    oldest = min((cutoff.before for cutoff in runs), default=None)
    versions = [
        Cutoff(cutoff.kind, cutoff.namespace, min(cutoff.before, oldest or cutoff.before), cutoff.keep_last)
        for cutoff in cutoffs(ordered, names, PolicyKind.VERSIONS, now)
    ]
    others = [cutoffs(ordered, [""], kind, now) for kind in (PolicyKind.QUARANTINE, PolicyKind.CONTENTS)]
    return [*runs, *versions, *others[0], *others[1]]


def first_that_fits(policies: Iterable[Policy], kind: PolicyKind, namespace: str) -> Policy | None:
    return next((policy for policy in policies if policy.fits(kind, namespace)), None)


def matches(pattern: str, name: str) -> bool:
    """Whether a name is one of those that the pattern means; `*` stands for any characters, and for none."""
    return re.fullmatch(".*".join(map(re.escape, pattern.split("*"))), name, re.DOTALL) is not None


def parse_age(text: str) -> timedelta | None:
    """`30d` or `12h`; None for `never`. Raises WrongUsage."""
    if text == NEVER:
        return None
    found = _AGE.fullmatch(text)
    if found is None:
        raise WrongUsage(f"{text!r} is no age; it is written as 30d, 12h or {NEVER}")
    return int(found[1]) * _UNITS[found[2]]


def written_age(age: timedelta | None) -> str:
    """As `parse_age` reads it."""
    if age is None:
        return NEVER
    hours = age // _UNITS["h"]
    return f"{hours // 24}d" if hours % 24 == 0 else f"{hours}h"
