"""What a session is set to: everything that changes what our statements mean or whether they end, whatever a role, a
database, a pooler or an environment variable says.

What only makes statements faster or slower, or less likely to survive a crash, is the operator's, and stays as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import LiteralString

import psycopg
from psycopg.rows import TupleRow

from lineage_core.errors import NeedsOperator
from lineage_core.postgres.typed_rows import rows_of_script

FOREVER = "0"
"""No limit of time: a merge takes as long as it takes. Who needs a limit sets one, for a transaction."""


@dataclass(frozen=True)
class Setting:
    """One setting of Postgres, and why we rely on it."""

    name: LiteralString
    value: LiteralString
    why: LiteralString


SETTINGS = (
    Setting("statement_timeout", FOREVER, "A merge that is cut off each time never ends."),
    Setting("lock_timeout", FOREVER, "Who must not wait says so for its transaction."),
    Setting("transaction_timeout", FOREVER, "As statement_timeout. From PostgreSQL 17 on."),
    Setting("idle_in_transaction_session_timeout", FOREVER, "A task makes rows between two statements that stage."),
    Setting("idle_session_timeout", FOREVER, "The session of a lease has nothing to say while Spark works."),
    Setting("default_transaction_read_only", "off", "All but readers write; a reader says so itself."),
    Setting("default_transaction_isolation", "read committed", "After a wait for a lock, what is committed counts."),
    Setting("default_transaction_deferrable", "off", "It would let a reader wait."),
    Setting("search_path", "public", "Where the store is. Names in our statements stand without a schema."),
    Setting("row_security", "off", "Rows that a policy hides are an error: half the events make wrong tables."),
    Setting("restrict_nonsystem_relation_kind", "", "Views are read. From PostgreSQL 17 on."),
    Setting("standard_conforming_strings", "on", "Our SQL has backslashes in its texts, and they mean themselves."),
    Setting("backslash_quote", "safe_encoding", "As in any session with Postgres' defaults."),
    Setting("array_nulls", "on", "NULL in an array that is sent as text is null, and no word."),
    Setting("transform_null_equals", "off", "`= NULL` is null."),
    Setting("quote_all_identifiers", "off", "What Postgres says of a database is compared with what is declared."),
    Setting("client_encoding", "UTF8", "Texts have any character."),
    Setting("datestyle", "ISO, YMD", "Times are read back, by psycopg and by Postgres."),
    Setting("intervalstyle", "postgres", "Lengths of time are read back by psycopg."),
    Setting("timezone", "UTC", "All times without a time zone are in UTC."),
    Setting("timezone_abbreviations", "Default", "As in any session with Postgres' defaults."),
    Setting("extra_float_digits", "1", "Numbers keep all their digits as text."),
    Setting("bytea_output", "hex", "Bytes are sent as text in one form."),
    Setting("xmloption", "content", "As in any session with Postgres' defaults."),
    Setting("lc_numeric", "C", "As in any session with Postgres' defaults."),
    Setting("lc_time", "C", "Names of partitions are written by to_char."),
    Setting("gin_fuzzy_search_limit", "0", "A search in an index finds all that there is."),
    Setting("exit_on_error", "off", "A document that Postgres refuses ends its savepoint, not the session."),
    Setting("check_function_bodies", "on", "A migration whose functions cannot work fails at once."),
    Setting("default_table_access_method", "heap", "Tables are updated, truncated and read as heaps are."),
)

_VALUES = {setting.name: setting.value for setting in SETTINGS}

ORIGIN = "origin"
"""`session_replication_role` as references and triggers need it. Only a superuser may change it, also back."""


@dataclass(frozen=True)
class _Set:
    """The value that a setting has now, and `session_replication_role`."""

    value: str
    replication_role: str


def set_for_session(connection: psycopg.Connection[TupleRow], *, only_on: int | None = None, **others: str) -> bool:
    """Sets all, with `others` in place of ours, for the session; with `only_on`, if this is its backend. Whether it
    was set."""
    return _set(connection, _VALUES | others, is_local=False, backend=only_on)


def set_for_transaction(connection: psycopg.Connection[TupleRow], **others: str) -> None:
    """Sets all, with `others` in place of ours, until the transaction ends: so long any pooler leaves it a backend."""
    _set(connection, _VALUES | others, is_local=True, backend=None)


def _set(
    connection: psycopg.Connection[TupleRow], values: Mapping[str, str], *, is_local: bool, backend: int | None
) -> bool:
    parameters = {"names": list(values), "values": list(values.values()), "is_local": is_local, "backend": backend}
    done = rows_of_script(connection, _Set, "postgres/settings", parameters)
    if any(one.replication_role != ORIGIN for one in done):
        _refuse_replica(connection, is_local=is_local)
    return bool(done)


def _refuse_replica(connection: psycopg.Connection[TupleRow], *, is_local: bool) -> None:
    """A session that takes itself for a replica checks no reference and fires no trigger."""
    try:
        connection.execute("SELECT set_config('session_replication_role', %s, %s)", [ORIGIN, is_local])
    except psycopg.errors.InsufficientPrivilege as error:
        raise NeedsOperator(
            "session_replication_role is not `origin` in the sessions of this login, so that no reference would be"
            " checked: ALTER ROLE or ALTER DATABASE … RESET session_replication_role, as a superuser"
        ) from error
