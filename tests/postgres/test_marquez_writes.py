"""What the server of Marquez writes: its start, its tags and its hiding work, all else is refused and leaves nothing.

The statements are those of Marquez 0.51.1, each in a transaction of its own, as there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from psycopg.errors import InsufficientPrivilege

from lineage_core.declare.database_names import MARQUEZ
from lineage_core.declare.tables import all_tables
from lineage_core.declare.views import all_views
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store
from lineage_core.testing import TIME, dataset, named_job, run_event
from tests.support.stores import contents, rows, take_in

pytestmark = pytest.mark.postgres

DATASET = "(SELECT uuid FROM datasets LIMIT 1)"
FIELD = "(SELECT uuid FROM dataset_fields LIMIT 1)"
VERSION = "(SELECT uuid FROM dataset_versions LIMIT 1)"
JOB = "(SELECT uuid FROM jobs LIMIT 1)"
NAMESPACE = "(SELECT uuid FROM namespaces WHERE name = 'shop')"
RUN = "(SELECT uuid FROM runs LIMIT 1)"
TAG = """
INSERT INTO tags (uuid, created_at, updated_at, name, description)
VALUES (gen_random_uuid(), now(), now(), 'PII', 'personal')
ON CONFLICT (name) DO UPDATE SET updated_at = EXCLUDED.updated_at, description = EXCLUDED.description RETURNING *
"""

START = [
    "SELECT installed_rank, version, description, type, script, checksum, success FROM flyway_schema_history",
    "SELECT EXISTS (SELECT 1 FROM namespaces WHERE name = 'default')",
    TAG,
    TAG,
]
TAGS = [
    "INSERT INTO tags (uuid, created_at, updated_at, name) VALUES (gen_random_uuid(), now(), now(), 'PII')"
    " ON CONFLICT (name) DO UPDATE SET updated_at = EXCLUDED.updated_at RETURNING *",
    "INSERT INTO datasets_tag_mapping (dataset_uuid, tag_uuid, tagged_at)"
    f" SELECT {DATASET}, uuid, now() FROM tags ON CONFLICT DO NOTHING",
    f"UPDATE dataset_versions SET fields = fields WHERE uuid = {VERSION}",
    "INSERT INTO dataset_fields_tag_mapping (dataset_field_uuid, tag_uuid, tagged_at)"
    f" SELECT {FIELD}, uuid, now() FROM tags",
    "WITH new_tag AS (INSERT INTO tags (uuid, created_at, updated_at, name, description)"
    " SELECT gen_random_uuid(), now(), now(), 'mine', NULL"
    " WHERE NOT EXISTS (SELECT 1 FROM tags WHERE name = 'mine') RETURNING uuid)"
    " INSERT INTO jobs_tag_mapping (job_uuid, tag_uuid, tagged_at)"
    f" SELECT {JOB}, uuid, now() FROM new_tag ON CONFLICT DO NOTHING",
    "DELETE FROM datasets_tag_mapping AS m WHERE EXISTS (SELECT FROM tags WHERE uuid = m.tag_uuid AND name = 'PII')",
    "DELETE FROM dataset_fields_tag_mapping AS m WHERE EXISTS (SELECT FROM tags WHERE uuid = m.tag_uuid)",
    "DELETE FROM jobs_tag_mapping AS m WHERE EXISTS (SELECT FROM tags WHERE uuid = m.tag_uuid)",
]
HIDING = [
    "UPDATE datasets SET is_hidden = true WHERE namespace_name = 'shop' AND name = 'orders' RETURNING *",
    "UPDATE jobs SET is_hidden = true WHERE namespace_name = 'shop' AND name = 'load'",
    "UPDATE datasets SET is_hidden = true FROM namespaces n WHERE n.uuid = namespace_uuid AND n.name = 'shop'",
    "UPDATE jobs SET is_hidden = true FROM namespaces n WHERE n.uuid = namespace_uuid AND n.name = 'shop'",
    "UPDATE namespaces SET is_hidden = true WHERE name = 'shop'",
    "UPDATE namespaces SET is_hidden = false WHERE name = 'shop' RETURNING *",
]

EVENT = """
INSERT INTO lineage_events (event_type, event_time, run_uuid, job_name, job_namespace, event, producer, _event_type)
VALUES ('START', now(), gen_random_uuid(), 'j', 'n', '{}', 'p', 'RUN_EVENT')
"""
NEW_NAMESPACE = """
INSERT INTO namespaces (uuid, created_at, updated_at, name, current_owner_name)
VALUES (gen_random_uuid(), now(), now(), 'shop', 'anonymous') ON CONFLICT (name) DO NOTHING
"""
PUT_NAMESPACE = """
INSERT INTO namespaces (uuid, created_at, updated_at, name, current_owner_name, description, is_hidden)
VALUES (gen_random_uuid(), now(), now(), 'mine', 'me', 'd', false)
ON CONFLICT (name) DO UPDATE SET updated_at = EXCLUDED.updated_at, is_hidden = false RETURNING *
"""
REFUSED = [
    EVENT,
    NEW_NAMESPACE,
    PUT_NAMESPACE,
    "INSERT INTO owners (uuid, created_at, name) VALUES (gen_random_uuid(), now(), 'me')"
    " ON CONFLICT (name) DO UPDATE SET created_at = EXCLUDED.created_at RETURNING *",
    "INSERT INTO namespace_ownerships (uuid, started_at, namespace_uuid, owner_uuid)"
    f" VALUES (gen_random_uuid(), now(), {NAMESPACE}, gen_random_uuid())",
    f"UPDATE namespaces SET updated_at = now(), current_owner_name = 'me' WHERE uuid = {NAMESPACE}",
    "INSERT INTO sources (uuid, type, created_at, updated_at, name, connection_url)"
    " VALUES (gen_random_uuid(), 'POSTGRESQL', now(), now(), 's', '') ON CONFLICT (name) DO NOTHING",
    "INSERT INTO jobs_view (uuid, type, created_at, updated_at, namespace_uuid, namespace_name, name)"
    f" VALUES (gen_random_uuid(), 'BATCH', now(), now(), {NAMESPACE}, 'shop', 'j') RETURNING uuid",
    f"UPDATE jobs SET updated_at = now(), current_version_uuid = gen_random_uuid() WHERE uuid = {JOB}",
    "INSERT INTO run_args (uuid, created_at, args, checksum) VALUES (gen_random_uuid(), now(), '{}', 'x')",
    f"INSERT INTO runs (uuid, created_at, updated_at, job_uuid) VALUES (gen_random_uuid(), now(), now(), {JOB})"
    " ON CONFLICT (uuid) DO UPDATE SET updated_at = EXCLUDED.updated_at RETURNING *",
    f"UPDATE runs SET updated_at = now(), current_run_state = 'FAILED', ended_at = now() WHERE uuid = {RUN}",
    "INSERT INTO run_states (uuid, transitioned_at, run_uuid, state)"
    f" VALUES (gen_random_uuid(), now(), {RUN}, 'FAILED')",
    "INSERT INTO dataset_symlinks (dataset_uuid, name, namespace_uuid, created_at, updated_at)"
    f" VALUES (gen_random_uuid(), 'a', {NAMESPACE}, now(), now()) ON CONFLICT DO NOTHING",
    "INSERT INTO datasets (uuid, type, created_at, updated_at, name, physical_name)"
    " VALUES (gen_random_uuid(), 'DB_TABLE', now(), now(), 'd', 'd')",
    f"UPDATE datasets SET updated_at = now(), current_version_uuid = {VERSION} WHERE uuid = {DATASET}",
    "INSERT INTO dataset_versions (uuid, created_at, dataset_uuid, version)"
    f" VALUES (gen_random_uuid(), now(), {DATASET}, gen_random_uuid())"
    " ON CONFLICT (version) DO UPDATE SET run_uuid = EXCLUDED.run_uuid RETURNING *",
    f"UPDATE dataset_versions SET run_uuid = NULL WHERE uuid = {VERSION}",
    "INSERT INTO dataset_fields (uuid, created_at, updated_at, dataset_uuid, name)"
    f" VALUES (gen_random_uuid(), now(), now(), {DATASET}, 'f')",
    f"INSERT INTO dataset_versions_field_mapping VALUES ({VERSION}, {FIELD})",
    "INSERT INTO dataset_schema_versions (uuid, dataset_uuid, created_at)"
    f" VALUES (gen_random_uuid(), {DATASET}, now())",
    "INSERT INTO dataset_schema_versions_field_mapping VALUES (gen_random_uuid(), gen_random_uuid())",
    "INSERT INTO job_versions (uuid, created_at, updated_at, job_uuid, version)"
    f" VALUES (gen_random_uuid(), now(), now(), {JOB}, gen_random_uuid())",
    "INSERT INTO job_versions_io_mapping (job_version_uuid, dataset_uuid, io_type, job_uuid)"
    f" VALUES (gen_random_uuid(), {DATASET}, 'INPUT', {JOB})",
    f"INSERT INTO runs_input_mapping VALUES ({RUN}, {VERSION})",
    "INSERT INTO run_facets (created_at, run_uuid, name, facet) VALUES (now(), gen_random_uuid(), 'f', '{}')",
    "INSERT INTO job_facets (created_at, job_uuid, name, facet) VALUES (now(), gen_random_uuid(), 'f', '{}')",
    "INSERT INTO dataset_facets (created_at, dataset_uuid, name, facet) VALUES (now(), gen_random_uuid(), 'f', '{}')",
    "INSERT INTO column_lineage (output_dataset_version_uuid) VALUES (gen_random_uuid())",
    "DELETE FROM jobs WHERE updated_at < now()",
    "DELETE FROM lineage_events WHERE event_time < now()",
    "INSERT INTO flyway_schema_history (installed_rank) VALUES (92)",
]


@pytest.fixture
def filled(database: Store) -> Store:
    take_in(database, [run_event("COMPLETE", outputs=[dataset("orders", "shop", fields=[("id", "INT")])])])
    return database


@pytest.fixture
def marquez(filled: Store) -> Iterator[Connection]:
    with filled.connect(role=MARQUEZ, autocommit=True) as connection:
        yield connection


def everything(store: Store) -> dict[str, list[Any]]:
    return contents(store) | {"lineage_events": rows(store, "SELECT count(*) FROM lineage_events")}


def test_it_starts_on_a_store_that_is_new(database: Store) -> None:
    with database.connect(role=MARQUEZ, autocommit=True) as connection:
        for statement in START:
            connection.execute(statement.encode())
    assert rows(database, "SELECT name, description FROM tags") == [("PII", "personal")]


@pytest.mark.parametrize("statements", [TAGS, HIDING], ids=["tags", "hiding"])
def test_its_tags_and_its_hiding_work_and_stay(filled: Store, marquez: Connection, statements: list[str]) -> None:
    for statement in [TAG, *statements]:
        changed = marquez.execute(statement.encode()).rowcount
        assert changed == 1, statement
    hidden = "SELECT (SELECT is_hidden FROM jobs), (SELECT is_hidden FROM datasets)"
    before = rows(filled, hidden), rows(filled, "SELECT name FROM tags ORDER BY 1")
    take_in(filled, [run_event("FAIL", time=TIME.replace(hour=5), job=named_job())])
    assert (rows(filled, hidden), rows(filled, "SELECT name FROM tags ORDER BY 1")) == before


def test_whatever_is_posted_to_it_is_refused_with_one_message_and_leaves_nothing(
    filled: Store, marquez: Connection
) -> None:
    before = everything(filled)
    for statement in REFUSED:
        with pytest.raises(InsufficientPrivilege, match=r"^permission denied for (table|view) \w+$"):
            marquez.execute(statement.encode())
    assert everything(filled) == before


def test_its_role_may_write_what_is_named_and_no_other_column(database: Store) -> None:
    """Of all tables and views, whatever statement another version of Marquez may use."""
    query = """
        SELECT relname::text, right_name
        FROM pg_class, unnest(ARRAY['INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']) AS right_name
        WHERE relnamespace IN ('public'::regnamespace, 'staging'::regnamespace, 'staging_2'::regnamespace,
                               'changes'::regnamespace)
          AND relkind IN ('r', 'p', 'v', 'm') AND has_table_privilege(%(role)s, pg_class.oid, right_name)
        UNION ALL
        SELECT attrelid::regclass::text, right_name || ' (' || attname || ')'
        FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid,
             unnest(ARRAY['INSERT', 'UPDATE', 'REFERENCES']) AS right_name
        WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm') AND attnum > 0
          AND has_column_privilege(%(role)s, attrelid, attnum, right_name)
          AND NOT has_table_privilege(%(role)s, attrelid, right_name)
    """
    with database.connect() as connection:
        found = set(connection.execute(query.encode(), {"role": MARQUEZ}).fetchall())
    expected = {(table.name, right) for table in all_tables() for right in _each(table.marquez_rights or "")}
    assert found == expected


def _each(rights: str) -> Iterator[str]:
    """`INSERT, UPDATE (a, b)` as `INSERT`, `UPDATE (a)` and `UPDATE (b)`."""
    verb, bracket, columns = rights.partition("UPDATE (")
    yield from (right for right in verb.strip(", ").split(", ") if right)
    if bracket:
        yield from (f"UPDATE ({column})" for column in columns.rstrip(")").split(", "))


def test_it_reads_every_table_and_view(database: Store) -> None:
    with database.connect(role=MARQUEZ) as connection:
        for name in (*(table.name for table in all_tables()), *(view.name for view in all_views())):
            connection.execute(f"SELECT FROM {name} LIMIT 1".encode())


def test_who_writes_into_the_view_of_the_old_mapping_learns_why_he_cannot(database: Store) -> None:
    with database.connect() as connection, pytest.raises(psycopg.Error, match="is a view: its rows follow from events"):
        connection.execute("INSERT INTO dataset_versions_field_mapping DEFAULT VALUES")
