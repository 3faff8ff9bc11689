"""What the receiver does in the database: tokens, reports, and one commit for all requests that wait."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import Enum
from itertools import chain

from lineage_core import quarantine
from lineage_core.declare.database_names import OPERATORS
from lineage_core.errors import WrongUsage
from lineage_core.ingest.store import REFUSALS, impatient, insert
from lineage_core.model.arrivals import AcceptedEvent, RefusedDocument, judge
from lineage_core.postgres.connection import Connection, keep_settings
from lineage_core.postgres.failures import explained
from lineage_core.postgres.session_settings import set_for_transaction
from lineage_core.postgres.store import Store
from lineage_core.postgres.typed_rows import every_row, every_value, execute, one_row, one_value
from lineage_core.receiver.observations import Figure, Observations
from lineage_core.receiver.tokens import Token, new_token


class TokenVerdict(Enum):
    """What a token may do with an event."""

    ALLOWED = "allowed"
    UNKNOWN = "unknown"
    REVOKED = "revoked"
    EXPIRED = "expired"
    OTHER_NAMESPACE = "of another namespace"


@dataclass(frozen=True)
class KnownToken:
    """A token as people see it."""

    name: str
    namespaces: list[str]
    expires_at: datetime | None
    created_by: str
    created_at: datetime
    revoked_at: datetime | None
    last_used_on: date | None
    is_expired: bool | None


def create_token(store: Store, name: str, namespaces: Sequence[str], expires_at: datetime | None) -> Token:
    """Makes a token for events of namespaces that fit one of the patterns. Raises WrongUsage if the name is taken."""
    token = new_token()
    kept = {"name": name, "digest": token.digest, "namespaces": list(namespaces), "expires_at": expires_at}
    with store.session(OPERATORS) as connection:
        if not one_value(connection, bool, "receiver/create", kept):
            raise WrongUsage(f"There is a token {name!r} already, revoked or not: take another name.")
    return token


def revoke_token(store: Store, name: str) -> None:
    """From the next request on it is refused. Raises WrongUsage if there is no such token."""
    with store.session(OPERATORS) as connection:
        if not one_value(connection, bool, "receiver/revoke", {"name": name}):
            raise WrongUsage(f"There is no token {name!r}; `lineage token list` shows which there are.")


def known_tokens(store: Store) -> list[KnownToken]:
    """All, the newest last."""
    with store.session(OPERATORS) as connection:
        return every_row(connection, KnownToken, "receiver/tokens")


def judge_tokens(
    connection: Connection, digests: Sequence[bytes], namespaces: Sequence[str | None]
) -> list[TokenVerdict]:
    """What each token may do with an event of the namespace beside it; None asks whether it is good at all."""
    asked = {"digests": list(digests), "namespaces": list(namespaces)}
    return [TokenVerdict(verdict) for verdict in every_value(connection, str, "receiver/judge", asked)]


def report(connection: Connection, process: Observations, figures: Mapping[str, Figure], *, is_ending: bool) -> None:
    """Says that the process lives, or ends, and what it did. Raises StoreUnavailable."""
    parameters = {
        "id": process.id,
        "host": process.host,
        "process": process.process,
        "is_ending": is_ending,
        "outcomes": list(figures),
        "documents": [figure.documents for figure in figures.values()],
        "requests": [figure.requests for figure in figures.values()],
        "microseconds": [figure.microseconds for figure in figures.values()],
        "longest": [figure.longest for figure in figures.values()],
    }
    with connection.outages_explained(), explained("lineage_ingest"), connection.transaction():
        set_for_transaction(connection, statement_timeout=connection.statement_timeout)
        execute(connection, "receiver/report", parameters)


SOURCE = "receiver"

ArrivedDocument = AcceptedEvent | RefusedDocument


@dataclass(frozen=True, slots=True)
class DocumentOutcome:
    """What became of a document: it is in the store unless its token was not allowed to, and `refused` says whether it
    went to quarantine. `token` is None where none is needed; is_spooled: it waits on disk until the store is there."""

    token: TokenVerdict | None
    refused: RefusedDocument | None = None
    is_spooled: bool = False


@dataclass(frozen=True, slots=True)
class ReceivedRequest:
    """The documents of a request, none if only the token is asked about. `digest` is None where no token is needed."""

    digest: bytes | None = field(repr=False)
    documents: Sequence[ArrivedDocument] = ()

    @property
    def size(self) -> int:
        """In bytes."""
        return sum(len(document.raw) for document in self.documents)


READINESS = ReceivedRequest(None)
"""Asks whether an event could be stored."""


def arrived(raw: bytes) -> ArrivedDocument:
    """A document with the judgement of an ingest."""
    return judge(raw, SOURCE)


def namespace_of(document: ArrivedDocument) -> str | None:
    """None for what is no event: it takes a good token, of any namespace."""
    return document.namespace if isinstance(document, AcceptedEvent) else None


def open_for_commits(store: Store) -> Connection:
    """A connection for `commit`. Raises StoreUnavailable within seconds."""
    connection = impatient(store)
    with connection.outages_explained():
        keep_settings(connection, statement_timeout=connection.statement_timeout, row_security="on")
    return connection


def commit(connection: Connection, arrivals: Sequence[ReceivedRequest]) -> list[list[DocumentOutcome]]:
    """The outcomes of each arrival: one for each document, or one for a token that was asked about alone.

    A document that Postgres refuses goes to quarantine, and never fails those beside it. Of a token that is not good
    nothing is kept. Raises StoreUnavailable, with nothing stored as far as anybody knows.
    """
    with connection.outages_explained(), explained("lineage_ingest"):
        return _stored_at_once(connection, arrivals) or _stored_with_care(connection, arrivals)


@dataclass(frozen=True)
class _TokenRow:
    """What one statement did: the verdict on each document, and how many events it stored."""

    verdicts: list[str]
    stored: int


def _stored_at_once(connection: Connection, arrivals: Sequence[ReceivedRequest]) -> list[list[DocumentOutcome]] | None:
    """By one statement, where all that came are events; None where something has to go to quarantine.

    If the triggers of the table put a row aside, the group is stored again with care: what arrives twice counts once.
    """
    sent = [(arrival.digest, document) for arrival in arrivals for document in arrival.documents or (None,)]
    if connection.backend is None or any(isinstance(document, RefusedDocument) for _, document in sent):
        return None
    events = [document if isinstance(document, AcceptedEvent) else None for _, document in sent]
    parameters = {
        "digests": [digest for digest, _ in sent],
        "namespaces": [event and event.namespace for event in events],
        "times": [event and event.row["event_time"] for event in events],
        "events": [event and event.raw.decode() for event in events],
    }
    try:
        done = one_row(connection, _TokenRow, "receiver/store", parameters)
    except REFUSALS:
        return None
    tokens = iter(
        [
            None if digest is None else TokenVerdict(verdict)
            for (digest, _), verdict in zip(sent, done.verdicts, strict=True)
        ]
    )
    outcomes = [[DocumentOutcome(next(tokens)) for _ in arrival.documents or (None,)] for arrival in arrivals]
    allowed = sum(
        event is not None and _may_store(outcome.token)
        for event, outcome in zip(events, chain.from_iterable(outcomes), strict=True)
    )
    return outcomes if done.stored == allowed else None


def _stored_with_care(connection: Connection, arrivals: Sequence[ReceivedRequest]) -> list[list[DocumentOutcome]]:
    """In one transaction: what Postgres refuses is found by halving, and put in quarantine."""
    with connection.transaction():
        set_for_transaction(connection, statement_timeout=connection.statement_timeout, row_security="on")
        judged = _judged_tokens(connection, arrivals)
        allowed = [
            document
            for arrival, tokens in zip(arrivals, judged, strict=True)
            for document, token in zip(arrival.documents, tokens, strict=False)
            if _may_store(token)
        ]
        refused = {id(one.raw): one for one in insert(connection, _events(allowed))}
        refused |= {id(one.raw): one for one in allowed if isinstance(one, RefusedDocument)}
        quarantine.put(connection, list(refused.values()))
    return [
        list(_outcomes(arrival.documents, tokens, refused)) for arrival, tokens in zip(arrivals, judged, strict=True)
    ]


def _judged_tokens(connection: Connection, arrivals: Sequence[ReceivedRequest]) -> list[list[TokenVerdict | None]]:
    """For each document of each arrival, or once where there is none; None where no token is needed."""
    asked = [
        (arrival.digest, namespace)
        for arrival in arrivals
        if arrival.digest is not None
        for namespace in _namespaces(arrival)
    ]
    answers = iter(judge_tokens(connection, *zip(*asked, strict=True)) if asked else ())
    return [[None if arrival.digest is None else next(answers) for _ in _namespaces(arrival)] for arrival in arrivals]


def _namespaces(arrival: ReceivedRequest) -> list[str | None]:
    return [namespace_of(document) for document in arrival.documents] or [None]


def _may_store(token: TokenVerdict | None) -> bool:
    return token in (None, TokenVerdict.ALLOWED)


def _events(judged: Sequence[ArrivedDocument]) -> list[AcceptedEvent]:
    return [one for one in judged if isinstance(one, AcceptedEvent)]


def _outcomes(
    documents: Sequence[ArrivedDocument], tokens: Sequence[TokenVerdict | None], refused: dict[int, RefusedDocument]
) -> Iterator[DocumentOutcome]:
    if not documents:
        yield DocumentOutcome(tokens[0])
    for document, token in zip(documents, tokens, strict=False):
        yield DocumentOutcome(token, refused.get(id(document.raw)))
