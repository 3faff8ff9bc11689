"""Tokens in the store: made, listed, revoked, and judged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import Enum

from lineage_core.declare.database_names import OPERATORS
from lineage_core.errors import WrongUsage
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store
from lineage_core.postgres.typed_rows import every_row, every_value, one_value
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
