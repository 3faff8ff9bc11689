"""What waits for the next commit, and what became of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import msgspec

from lineage_core.model.arrivals import AcceptedEvent, RefusedDocument, judge
from lineage_core.openlineage.identity import formatted_namespace
from lineage_core.receiver.store.tokens import TokenVerdict

SOURCE = "receiver"


class _Named(msgspec.Struct):
    namespace: str


class _Envelope(msgspec.Struct):
    job: _Named | None = None
    dataset: _Named | None = None


_envelope = msgspec.json.Decoder(_Envelope)


@dataclass(frozen=True, slots=True)
class ArrivedDocument:
    """A document that was sent. `namespace` is the formatted one of its job, or of the dataset of a dataset event;
    None for what is no event."""

    judged: AcceptedEvent | RefusedDocument
    namespace: str | None


@dataclass(frozen=True, slots=True)
class DocumentOutcome:
    """What became of a document: it is in the store unless its token was not allowed to, and `refused` says whether it
    went to quarantine. `token` is None where none is needed."""

    token: TokenVerdict | None
    refused: RefusedDocument | None = None


@dataclass(frozen=True, slots=True)
class ReceivedRequest:
    """The documents of a request, none if only the token is asked about. `digest` is None where no token is needed."""

    digest: bytes | None = field(repr=False)
    documents: Sequence[ArrivedDocument] = ()

    @property
    def size(self) -> int:
        """In bytes."""
        return sum(len(document.judged.raw) for document in self.documents)


def arrived(raw: bytes) -> ArrivedDocument:
    """A document with the judgement of an ingest: the envelope is checked, facets only as tables need them."""
    judged = judge(raw, SOURCE)
    return ArrivedDocument(judged, _namespace(raw) if isinstance(judged, AcceptedEvent) else None)


def _namespace(raw: bytes) -> str:
    envelope = _envelope.decode(raw)
    named = envelope.job or envelope.dataset
    return formatted_namespace(named.namespace if named else "")
