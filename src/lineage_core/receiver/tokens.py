"""Tokens: what a producer shows with each request, and what is kept of it."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass

PREFIX = "lineage_"
"""So that who finds a token in a log or a repository knows what it is."""

RANDOM_BYTES = 32
_LONGEST = 200


@dataclass(frozen=True)
class Token:
    """A token as its owner has it. Its text is shown once, when it is made."""

    text: str

    def __repr__(self) -> str:
        return "<a token>"

    @property
    def digest(self) -> bytes:
        """SHA-256: of 256 random bits no slower hash is needed."""
        return hashlib.sha256(self.text.encode()).digest()


def new_token() -> Token:
    return Token(PREFIX + secrets.token_urlsafe(RANDOM_BYTES))


def token_of(authorization: str | None) -> Token | None:
    """The token of an `Authorization` header, None if it has none: `Bearer TOKEN`, as RFC 6750 has it."""
    scheme, _, text = (authorization or "").strip().partition(" ")
    text = text.strip()
    return Token(text) if scheme.lower() == "bearer" and 0 < len(text) <= _LONGEST else None
