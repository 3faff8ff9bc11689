"""Acts of people in the store: written in the transaction that they are about, and read again."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from lineage_core.declare.database_names import READER
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store
from lineage_core.postgres.typed_rows import every_row, one_row, one_value

LONGEST = 2_000
"""Characters that are kept of a text. A reason may be longer in the table of what it is about."""


@dataclass(frozen=True)
class OperatorAct:
    """What somebody did. `person` is None where the login did not say who asked."""

    id: int
    acted_at: datetime
    login: str
    person: str | None
    what: str
    subject: str
    outcome: str


def record(connection: Connection, store: Store, what: str, subject: str, outcome: str) -> int:
    """Writes an act into the caller's transaction, with the person who works by the store's login; its number."""
    act = {"what": what, "subject": _short(subject), "outcome": _short(outcome), "person": store.person}
    return one_value(connection, int, "acts/record", act)


def last_acts(store: Store, most: int, before: int | None = None, what: str = "") -> list[OperatorAct]:
    """The last acts, the last first: those before the one of a number, and those whose command begins with a text."""
    with store.session(READER) as connection:
        return every_row(connection, OperatorAct, "acts/last", {"most": most, "before": before, "what": what})


@dataclass(frozen=True)
class ActSpan:
    """The numbers of the first and the last of some acts; None where there is none."""

    first: int | None
    last: int | None


def newest(store: Store) -> int:
    """The number of the last act, 0 if there is none."""
    with store.session(READER) as connection:
        return one_value(connection, int, "acts/newest")


def acts_since(store: Store, number: int, person: str | None) -> ActSpan:
    """What a person has asked for behind the act of a number."""
    with store.session(READER) as connection:
        return one_row(connection, ActSpan, "acts/since", {"newest": number, "person": person})


def acts_between(
    store: Store, first: int, last: int, most: int, *, person: str | None, what: str = "", since: datetime
) -> list[OperatorAct]:
    """Those of a person from one number to another, in order, since a moment, whose command begins with a text."""
    asked = {"first": first, "last": last, "most": most, "person": person, "what": what, "since": since}
    with store.session(READER) as connection:
        return every_row(connection, OperatorAct, "acts/between", asked)


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} [...]"
