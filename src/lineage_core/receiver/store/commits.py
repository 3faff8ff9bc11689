"""One commit for the documents of all requests that wait: tokens are judged and events stored in one transaction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from lineage_core import quarantine
from lineage_core.ingest.store.raw_events import REFUSALS, impatient, insert
from lineage_core.model.arrivals import AcceptedEvent, RefusedDocument
from lineage_core.postgres.connection import Connection, keep_settings
from lineage_core.postgres.failures import explained
from lineage_core.postgres.session_settings import set_for_transaction
from lineage_core.postgres.store import Store
from lineage_core.postgres.typed_rows import one_row
from lineage_core.receiver.arrivals import ArrivedDocument, DocumentOutcome, ReceivedRequest, namespace_of
from lineage_core.receiver.store.tokens import TokenVerdict, judge_tokens


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
class _Stored:
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
        done = one_row(connection, _Stored, "receiver/store", parameters)
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
