"""Placing and releasing legal holds."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID

from lineage_core.capability import counted
from lineage_core.command_line.options import moment
from lineage_core.errors import WrongUsage
from lineage_core.pages.acting import ActQuestion, Fields, PageActs, is_number, one_of, required
from lineage_core.postgres.store import Store
from lineage_core.postgres.typed_rows import one_row
from lineage_core.reading.store import snapshot
from lineage_core.retention.store import policies
from lineage_core.retention.store.policies import HeldThing

COMMANDS = ("place", "release")
_WHY = "The reason"
_MANY = 10_000


@dataclass(frozen=True)
class KnownThings:
    """How many jobs, datasets and runs the tables know of what a hold names, each at most `_MANY` + 1."""

    jobs: int
    datasets: int
    runs: int

    @property
    def described(self) -> str:
        return f"{_amount(self.jobs, 'job')}, {_amount(self.datasets, 'dataset')} and {_amount(self.runs, 'run')}"


def _amount(number: int, thing: str) -> str:
    return f"more than {counted(_MANY, thing)}" if number > _MANY else counted(number, thing)


def ask(store: Store, sent: Fields) -> ActQuestion:
    why = required(sent, "why", _WHY)
    if one_of(sent, COMMANDS) == "release":
        return _ask_to_release(store, _number(sent), why)
    held, until = _held(sent), _until(sent)
    ends = "It lasts until it is released." if until is None else f"It ends by itself at {until}."
    known = _known(store, held)
    sentences = [
        f"Retention will delete nothing that the hold covers: {held.described}.",
        f"Of that the tables know {known.described} now. What comes later is held, too.",
        ends,
        f"The reason that is stored: {why}",
    ]
    return ActQuestion("Place a legal hold", "Place it", sentences, dict(sent))


def do(store: Store, sent: Fields) -> None:
    why = required(sent, "why", _WHY)
    if one_of(sent, COMMANDS) == "release":
        policies.release_hold(store, _number(sent), why)
        return
    policies.add_hold(store, _held(sent), why, _until(sent))


def _ask_to_release(store: Store, number: int, why: str) -> ActQuestion:
    found = next((hold for hold in policies.holds(store) if hold.id == number and hold.released_at is None), None)
    if found is None:
        raise WrongUsage(f"No hold {number} is to be released")
    known = _known(store, found.held)
    sentences = [
        f"Hold {number} is on {found.held.described}. {found.placed_by} placed it at {found.placed_at:%Y-%m-%d %H:%M}:"
        f" {found.why}",
        f"Of that the tables know {known.described}. Retention may delete them, if the policies let them go and no"
        " other hold keeps them.",
        f"The reason that is stored: {why}",
    ]
    return ActQuestion(
        f"Release hold {number}", "Release it", sentences, {"do": "release", "hold": str(number), "why": why}
    )


def _known(store: Store, held: HeldThing) -> KnownThings:
    of = {
        "pattern": held.namespace_pattern,
        "job": held.job,
        "dataset": held.dataset,
        "run": held.run,
        "most": _MANY + 1,
    }
    with snapshot(store) as connection:
        return one_row(connection, KnownThings, "pages/known_things", of)


def _number(sent: Fields) -> int:
    number = required(sent, "hold", "The number of the hold")
    if not is_number(number):
        raise WrongUsage("A hold is named by its number")
    return int(number)


def _until(sent: Fields) -> datetime | None:
    """When the hold ends by itself; None if it does not. Raises WrongUsage for a time that has passed: then it
    would keep nothing."""
    text = sent.get("until")
    if text is None:
        return None
    until = moment("Until", text)
    if until <= datetime.now(UTC):
        raise WrongUsage(f"Until {text} has passed, so that the hold would keep nothing. Give a later time, or none")
    return until


def _held(sent: Fields) -> HeldThing:
    """Raises WrongUsage for more than one thing, and for a run that is no uuid."""
    namespace = required(sent, "namespace", "The namespace, or a pattern of some,")
    things = [sent.get(thing) for thing in ("dataset", "job", "run")]
    if sum(thing is not None for thing in things) > 1:
        raise WrongUsage("A hold is about one dataset, one job or one run; place one for each")
    dataset, job, run = things
    try:
        return HeldThing(namespace, dataset, job, None if run is None else UUID(run))
    except ValueError as error:
        raise WrongUsage(f"{run!r} is not the uuid of a run") from error


ACTS = PageActs("retention", "retention ", ask, do)
