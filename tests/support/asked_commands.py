"""Commands that ask, by the login of a reader: how they end."""

from __future__ import annotations

import pytest
from psycopg.conninfo import make_conninfo

from lineage_core.cli import main
from lineage_core.local.postgres import Server
from lineage_core.postgres.store import Store


def exit_code(arguments: list[str]) -> int:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    return int(ended.value.code or 0)


def reader_dsn(server: Server, store: Store) -> str:
    """Of a login that has the role lineage_reader, and owns nothing."""
    server.ensure_role("reader_of_answers", "NOSUPERUSER")
    server.run_sql("GRANT lineage_reader TO reader_of_answers;")
    return make_conninfo(store.dsn, user="reader_of_answers")
