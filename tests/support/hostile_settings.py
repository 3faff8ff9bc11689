"""Settings of Postgres that an operator may have given a role or a database, each as unkind as it can be."""

from __future__ import annotations

from lineage_core.local.postgres import ROLE, Server

HOSTILE = {
    "statement_timeout": "1s",
    "lock_timeout": "1s",
    "transaction_timeout": "1s",
    "idle_in_transaction_session_timeout": "1s",
    "idle_session_timeout": "1s",
    "default_transaction_read_only": "on",
    "default_transaction_isolation": "serializable",
    "default_transaction_deferrable": "on",
    "search_path": "nowhere, pg_catalog",
    "restrict_nonsystem_relation_kind": "view, foreign-table",
    "standard_conforming_strings": "off",
    "escape_string_warning": "off",
    "backslash_quote": "off",
    "array_nulls": "off",
    "transform_null_equals": "on",
    "quote_all_identifiers": "on",
    "client_encoding": "LATIN1",
    "datestyle": "SQL, DMY",
    "intervalstyle": "sql_standard",
    "timezone": "Asia/Kolkata",
    "timezone_abbreviations": "India",
    "extra_float_digits": "-15",
    "bytea_output": "escape",
    "xmlbinary": "hex",
    "xmloption": "document",
    "gin_fuzzy_search_limit": "1",
    "exit_on_error": "on",
    "check_function_bodies": "off",
    "client_min_messages": "error",
    "plan_cache_mode": "force_generic_plan",
    "enable_indexscan": "off",
    "synchronize_seqscans": "on",
    "default_toast_compression": "pglz",
    "default_text_search_config": "simple",
}
"""Of these, some change nothing, and stay as they are."""


def make_hostile(server: Server, database: str, *, of: str) -> None:
    """Sets all that this version of Postgres knows, for the `database`, or for the `role` of its owner there."""
    known = set(server.run_sql("SELECT lower(name) FROM pg_settings").split())
    whose = f"DATABASE {database}" if of == "database" else f"ROLE {ROLE} IN DATABASE {database}"
    server.run_sql("".join(f"ALTER {whose} SET {name} = {_value(name)};\n" for name in HOSTILE if name in known))


def _value(name: str) -> str:
    """A path is a list of names; in quotes it would be one."""
    return HOSTILE[name] if name == "search_path" else f"'{HOSTILE[name]}'"
