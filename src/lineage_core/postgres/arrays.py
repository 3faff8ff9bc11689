"""Arrays of ids as one parameter, in Postgres' text form (its manual, section 8.15.2).

psycopg looks at each item of a list for itself, which takes it thirty times as long.
"""

from __future__ import annotations

from collections.abc import Iterable


def uuid_array(uuids: Iterable[str]) -> str:
    """For a parameter of type uuid[]. uuids: as Postgres writes them."""
    return f"{{{','.join(uuids)}}}"


def bytea_array(values: Iterable[bytes]) -> str:
    """For a parameter of type bytea[]."""
    return "{" + ",".join([rf'"\\x{value.hex()}"' for value in values]) + "}"
