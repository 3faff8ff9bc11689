"""One commit for the documents of all requests that wait: tokens are judged and events stored in one transaction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lineage_core import quarantine
from lineage_core.ingest.store.raw_events import insert
from lineage_core.model.arrivals import AcceptedEvent, RefusedDocument
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.failures import explained
from lineage_core.postgres.session_settings import set_for_transaction
from lineage_core.receiver.arrivals import ArrivedDocument, DocumentOutcome, ReceivedRequest
from lineage_core.receiver.store.tokens import TokenVerdict, judge_tokens


def commit(connection: Connection, arrivals: Sequence[ReceivedRequest]) -> list[list[DocumentOutcome]]:
    """The outcomes of each arrival: one for each document, or one for a token that was asked about alone.

    A document that Postgres refuses goes to quarantine, and never fails those beside it. Of a token that is not good
    nothing is kept. Raises StoreUnavailable, with nothing stored as far as anybody knows.
    """
    with connection.outages_explained(), explained("lineage_ingest"), connection.transaction():
        set_for_transaction(connection, statement_timeout=connection.statement_timeout, row_security="on")
        judged = _judged_tokens(connection, arrivals)
        allowed = [
            document.judged
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
    return [document.namespace for document in arrival.documents] or [None]


def _may_store(token: TokenVerdict | None) -> bool:
    return token in (None, TokenVerdict.ALLOWED)


def _events(judged: Sequence[AcceptedEvent | RefusedDocument]) -> list[AcceptedEvent]:
    return [one for one in judged if isinstance(one, AcceptedEvent)]


def _outcomes(
    documents: Sequence[ArrivedDocument], tokens: Sequence[TokenVerdict | None], refused: dict[int, RefusedDocument]
) -> Iterator[DocumentOutcome]:
    if not documents:
        yield DocumentOutcome(tokens[0])
    for document, token in zip(documents, tokens, strict=False):
        yield DocumentOutcome(token, refused.get(id(document.judged.raw)))
