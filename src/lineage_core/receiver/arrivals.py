"""What waits for the next commit, and what became of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from lineage_core.model.arrivals import AcceptedEvent, RefusedDocument, judge_envelope
from lineage_core.receiver.store.tokens import TokenVerdict

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
    """A document with the judgement of an ingest on its envelope; its facets are judged when it is normalized."""
    return judge_envelope(raw, SOURCE)


def namespace_of(document: ArrivedDocument) -> str | None:
    """None for what is no event: it takes a good token, of any namespace."""
    return document.namespace if isinstance(document, AcceptedEvent) else None
