"""The logins of the embedded Postgres, by what they may do."""

from __future__ import annotations

from enum import StrEnum


class EmbeddedLogin(StrEnum):
    """`OWNER` upgrades the store; each other has one group role."""

    OWNER = "owner"
    INGEST = "ingest"
    JOBS = "jobs"
    READER = "reader"
