"""Trigrams of names: indexes by which a search finds them, where the database has the extension pg_trgm.

They are no part of a table's declaration, as the extension is not everywhere. Whoever administers the database makes
it; the next upgrade makes the indexes. They depend on it, and go with it.
"""

from __future__ import annotations

import re

from psycopg import sql

from lineage_core.errors import LeaseTaken
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.failures import explained
from lineage_core.postgres.leases import held_lease
from lineage_core.postgres.store import Store
from lineage_core.postgres.typed_rows import composed, every_value, execute, one_value, value_or_none

INDEXES = {
    "dataset_symlinks_trigram_index": "dataset_symlinks",
    "jobs_trigram_index": "jobs",
    "dataset_fields_trigram_index": "dataset_fields",
}
"""Each with its table, which has a column `name`."""

MOST_CHARACTERS = 100
"""Of a text, that are looked up. Each has a trigram of its own, so a long one would be a long search for nothing."""

MAKING = "indexes of trigrams"
"""Lease of who makes the indexes."""

_ASCII = re.compile(r"[ -~]+")
_WHOLE_TRIGRAM = re.compile(r"[A-Za-z0-9]{3}")


def trigram_schema(connection: Connection) -> str | None:
    """Where the operators are; None if there are none, or the login may not use them."""
    return value_or_none(connection, str, "postgres/trigrams/schema")


def operators_of(connection: Connection) -> sql.Identifier | None:
    """The schema, as a statement names it."""
    schema = trigram_schema(connection)
    return None if schema is None else sql.Identifier(schema)


def missing_indexes(connection: Connection) -> list[str]:
    """The indexes that the database could have: those not there, and those not built to their end."""
    if trigram_schema(connection) is None:
        return []
    whole = every_value(connection, str, "postgres/trigrams/whole", {"names": list(INDEXES)})
    return [index for index in INDEXES if index not in whole]


def has_indexes(connection: Connection) -> bool:
    """Whether names are found by their trigrams, whatever the login may use."""
    return len(every_value(connection, str, "postgres/trigrams/whole", {"names": list(INDEXES)})) == len(INDEXES)


def make_missing(store: Store) -> list[str]:
    """Makes them one by one while others read and write: a sentence for the owner. What another makes is left to it."""
    with explained("that owns the database"), store.connect(autocommit=True) as connection:
        if not missing_indexes(connection):
            return []
        try:
            with held_lease(store, MAKING, patience=0):
                missing = _make_each_missing(connection)
        except LeaseTaken:
            return []
    return [f"Names are found by their trigrams now: {', '.join(missing)} are made."] if missing else []


def _make_each_missing(connection: Connection) -> list[str]:
    """Another may have made them since, or taken the extension away."""
    schema, missing = trigram_schema(connection), missing_indexes(connection)
    if schema is not None:
        for index in missing:
            execute(connection, composed("postgres/trigrams/drop", index=sql.Identifier(index)))
            _make(connection, "postgres/trigrams/make_beside", index, schema)
            execute(connection, composed("postgres/trigrams/comment", index=sql.Identifier(index)))
    return missing


def declare_those_of_the_store(connection: Connection, schema: str) -> None:
    """Makes those that the store has, in the first schema of the search path, to be compared with them."""
    for index in INDEXES:
        if one_value(connection, bool, "postgres/relation_exists", {"name": f"public.{index}"}):
            _make(connection, "postgres/trigrams/make", index, schema)


def _make(connection: Connection, statement: str, index: str, schema: str) -> None:
    names = {"index": index, "table": INDEXES[index], "trigrams": schema}
    execute(connection, composed(statement, **{part: sql.Identifier(name) for part, name in names.items()}))


def pattern_of(text: str) -> str | None:
    """What every name with this text is LIKE, if it is found by trigrams; None for a text in which none is whole.

    Only ASCII counts, which has the same letters in every locale. Elsewhere pg_trgm takes small letters as the locale
    of the database has them, by their place in a word, as the last sigma of a Greek one: it would pass names over.
    """
    longest = max(_ASCII.findall(text), key=len, default="")[:MOST_CHARACTERS]
    if not _WHOLE_TRIGRAM.search(longest):
        return None
    escaped = re.sub(r"([\\%_])", r"\\\1", longest.lower())
    return f"%{escaped}%"
