"""Policies of retention as values: of what kind and of which namespaces things go, from which age on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import takewhile

from typing_extensions import TypedDict

from lineage_core.command_line.options import NEVER, written_age
from lineage_core.errors import WrongUsage
from lineage_core.namespace_format import formatted_namespace
from lineage_core.retention.tables import PolicyKind

LONGEST = timedelta(days=36_500)
"""The greatest age that a policy may have: a hundred years. What is to stay longer has `never`."""

_MOST_LAST = (1 << 31) - 1
"""An integer of Postgres."""

_WITHOUT_NAMESPACE = (PolicyKind.QUARANTINE, PolicyKind.CONTENTS)
_WITH_LAST = (PolicyKind.RUNS, PolicyKind.VERSIONS, PolicyKind.EVERY)


class PolicyMembers(TypedDict):
    """A policy for programs. namespace: a pattern. older_than: such as `30d`; `never` if nothing goes. keep_last: how
    many of each job or dataset stay, however old they are."""

    kind: str
    namespace: str
    older_than: str
    keep_last: int | None


@dataclass(frozen=True)
class Policy:
    """What is older goes, but for the last `keep_last` of each job or dataset. None as `older_than`: nothing goes."""

    kind: PolicyKind
    namespace_pattern: str
    older_than: timedelta | None
    keep_last: int | None

    def __post_init__(self) -> None:
        """Raises WrongUsage for what would have no effect, or an effect that is never meant."""
        if not self.namespace_pattern.strip():
            raise WrongUsage("A policy is about some namespaces; give --namespace a name or a pattern, such as *")
        if self.kind in _WITHOUT_NAMESPACE and self.namespace_pattern != "*":
            raise WrongUsage(
                f"{self.kind.value} have no namespace, so a policy of them for {self.namespace_pattern!r} would decide"
                " nothing; give --namespace '*'"
            )
        if self.older_than is not None and not timedelta(0) < self.older_than <= LONGEST:
            raise WrongUsage(
                f"The age of a policy is more than 0 and at most {written_age(LONGEST)}; give --older-than {NEVER} to"
                " keep all"
            )
        if self.keep_last is not None and not 0 <= self.keep_last <= _MOST_LAST:
            raise WrongUsage(
                f"--keep-last {self.keep_last} is not a number from 0 to {_MOST_LAST}; give --older-than {NEVER} to"
                " keep all"
            )
        if self.keep_last is not None and self.kind not in _WITH_LAST:
            raise WrongUsage(f"There are no last {self.kind.value} of a job or dataset; leave out --keep-last")

    @property
    def members(self) -> PolicyMembers:
        return {
            "kind": self.kind.value,
            "namespace": self.namespace_pattern,
            "older_than": written_age(self.older_than),
            "keep_last": self.keep_last,
        }

    def fits(self, kind: PolicyKind, namespace: str) -> bool:
        return self._is_of(kind) and matches(self.namespace_pattern, namespace)

    def kinds(self) -> list[PolicyKind]:
        """What it is about, one by one."""
        return [kind for kind in PolicyKind if kind is not PolicyKind.EVERY and self._is_of(kind)]

    def _is_of(self, kind: PolicyKind) -> bool:
        return self.kind is kind or (self.kind is PolicyKind.EVERY and kind is not PolicyKind.ENTITIES)


@dataclass(frozen=True)
class Cutoff:
    """What happened before goes, in a namespace, but for the last `keep_last`.

    is_emptied: of the namespace its jobs and datasets go with all that is theirs, and what stays of them stays whole.
    """

    kind: PolicyKind
    namespace: str
    before: datetime
    keep_last: int
    is_emptied: bool = False


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
    """Of all kinds but raw events. Quarantine and contents have no namespace, so only `*` fits them.

    A version never goes before the runs of its time do: until then, a late event may read it. Jobs and datasets never
    go before their runs and versions do.
    """
    ordered, names = tuple(policies), tuple(namespaces)
    runs = cutoffs(ordered, names, PolicyKind.RUNS, now)
    oldest = min((cutoff.before for cutoff in runs), default=None)
    versions = [
        Cutoff(cutoff.kind, cutoff.namespace, min(cutoff.before, oldest or cutoff.before), cutoff.keep_last)
        for cutoff in cutoffs(ordered, names, PolicyKind.VERSIONS, now)
    ]
    entities = _none_before(cutoffs(ordered, names, PolicyKind.ENTITIES, now), runs, versions)
    others = [cutoffs(ordered, [""], kind, now) for kind in (PolicyKind.QUARANTINE, PolicyKind.CONTENTS)]
    return [*runs, *versions, *entities, *others[0], *others[1]]


def _none_before(entities: Iterable[Cutoff], *others: Iterable[Cutoff]) -> Iterator[Cutoff]:
    """Those of namespaces that have a cutoff of each other kind too, none of them later than these."""
    of_others = [{cutoff.namespace: cutoff.before for cutoff in cutoffs} for cutoffs in others]
    for cutoff in entities:
        if all(cutoff.namespace in befores for befores in of_others):
            before = min(cutoff.before, *(befores[cutoff.namespace] for befores in of_others))
            yield Cutoff(cutoff.kind, cutoff.namespace, before, cutoff.keep_last)


def emptying_cutoffs(
    pattern: str, namespaces: Iterable[str], now: datetime, kinds: Iterable[PolicyKind]
) -> list[Cutoff]:
    """What empties the namespaces that a pattern means of things of these kinds, whatever the policies."""
    emptied = [namespace for namespace in namespaces if matches(pattern, namespace)]
    return [Cutoff(kind, namespace, now, 0, is_emptied=True) for kind in kinds for namespace in emptied]


def first_that_fits(policies: Iterable[Policy], kind: PolicyKind, namespace: str) -> Policy | None:
    return next((policy for policy in policies if policy.fits(kind, namespace)), None)


def decided_by_others(policies: Iterable[Policy], policy: Policy) -> dict[PolicyKind, Policy]:
    """The kinds of a policy about which it decides nothing, as another comes first wherever it fits; with that one.

    policies: those in force, in the order in which they count; the policy is one of them.
    """
    before = list(takewhile(lambda one: one != policy, policies))
    found = {kind: first_that_fits(before, kind, policy.namespace_pattern) for kind in policy.kinds()}
    return {kind: other for kind, other in found.items() if other is not None}


def matches(pattern: str, name: str) -> bool:
    """Whether a namespace is one of those that the pattern means, however either is spelled.

    `*` stands for any characters, and for none. The SQL function namespace_fits says the same of holds.
    """
    parts = map(re.escape, map(formatted_namespace, pattern.split("*")))
    return re.fullmatch(".*".join(parts), formatted_namespace(name), re.DOTALL) is not None
