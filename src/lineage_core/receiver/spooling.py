"""Events that are answered once they are on disk, while the store is away: only those that it would have allowed.

Without the store no one can say what a token may do. So its last word counts, for as long as stands below.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from lineage_core.errors import NeedsOperator
from lineage_core.ingest.ingestion import drain
from lineage_core.ingest.spool import Spool
from lineage_core.model.arrivals import RefusedDocument
from lineage_core.postgres.connection import Connection
from lineage_core.receiver.store import DocumentOutcome, ReceivedRequest, TokenVerdict, namespace_of

ALLOWED_SECONDS = 900.0
"""How long the last word on a token and a namespace counts."""

_MOST_ALLOWED = 10_000

_log = logging.getLogger(__name__)


@dataclass(eq=False)
class AllowedSpool:
    """The spool of `lineage ingest` and Airflow's transport, for documents of tokens that were allowed lately."""

    spool: Spool
    _allowed: dict[tuple[bytes, str | None], float] = field(default_factory=dict, init=False)
    """Until when, on the monotonic clock. Without a namespace: that the token is good at all."""

    def remember(self, arrivals: Sequence[ReceivedRequest], outcomes: Sequence[Sequence[DocumentOutcome]]) -> None:
        """What the store answered. It takes an answer back, too."""
        if len(self._allowed) > _MOST_ALLOWED:
            self._allowed.clear()
        until = time.monotonic() + ALLOWED_SECONDS
        for arrival, judged in zip(arrivals, outcomes, strict=True):
            if arrival.digest is None:
                continue
            for key, outcome in zip(_keys(arrival), judged, strict=True):
                self._hear(key, outcome.token, until)

    def _hear(self, key: tuple[bytes, str | None], verdict: TokenVerdict | None, until: float) -> None:
        digest, _ = key
        if verdict is TokenVerdict.ALLOWED:
            self._allowed[key] = self._allowed[digest, None] = until
        elif verdict is TokenVerdict.OTHER_NAMESPACE:
            self._allowed.pop(key, None)
        else:
            for known in [known for known in self._allowed if known[0] == digest]:
                del self._allowed[known]

    def keep(self, arrival: ReceivedRequest) -> list[DocumentOutcome] | None:
        """The outcomes of documents that are on disk now; None if one of them is not allowed, or has no room."""
        now = time.monotonic()
        if arrival.digest is not None and any(self._allowed.get(key, 0.0) < now for key in _keys(arrival)):
            return None
        token = None if arrival.digest is None else TokenVerdict.ALLOWED
        try:
            for document in arrival.documents:
                with self.spool.put(document.raw):
                    pass
        except NeedsOperator as error:
            _log.error("%s", error)
            return None
        return [
            DocumentOutcome(token, document if isinstance(document, RefusedDocument) else None, is_spooled=True)
            for document in arrival.documents
        ] or [DocumentOutcome(token)]

    def drain(self, connection: Connection, seconds: float) -> bool:
        """Stores what is there; whether there was something, so that there may be more. Raises StoreUnavailable."""
        return drain(connection, self.spool, seconds).documents > 0


def _keys(arrival: ReceivedRequest) -> list[tuple[bytes, str | None]]:
    digest = arrival.digest or b""
    return [(digest, namespace_of(document)) for document in arrival.documents] or [(digest, None)]
