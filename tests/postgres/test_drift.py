"""Every kind of drift is found, named, and not mistaken for another."""

from __future__ import annotations

import pytest

from lineage_core.local.postgres import Server
from lineage_core.operate import whole_store
from lineage_core.postgres.store import Store

pytestmark = [pytest.mark.postgres, pytest.mark.both_servers, pytest.mark.slow]

DRIFT = {
    "a missing table": (
        "DROP TABLE stream_versions",
        ["table stream_versions is missing; declared is table"],
    ),
    "a missing column": (
        "ALTER TABLE sources DROP COLUMN description",
        ["column sources.description is missing; declared is text"],
    ),
    "an extra column": (
        "ALTER TABLE sources ADD COLUMN colour varchar(7)",
        ["column sources.colour is not declared; it is character varying(7)"],
    ),
    "a wrong type": (
        "ALTER TABLE namespaces ALTER COLUMN current_owner_name TYPE varchar(63)",
        ["column namespaces.current_owner_name is character varying(63); declared is character varying"],
    ),
    "a column that may be null": (
        "ALTER TABLE sources ALTER COLUMN name DROP NOT NULL",
        ["nullability of sources.name is NULL; declared is NOT NULL"],
    ),
    "a column that may not be null": (
        "ALTER TABLE sources ALTER COLUMN description SET NOT NULL",
        ["nullability of sources.description is NOT NULL; declared is NULL"],
    ),
    "a lost default": (
        "ALTER TABLE quarantine ALTER COLUMN received_at DROP DEFAULT",
        ["default of quarantine.received_at is missing; declared is now()"],
    ),
    "another default": (
        "ALTER TABLE quarantine ALTER COLUMN received_at SET DEFAULT clock_timestamp()",
        ["default of quarantine.received_at is clock_timestamp(); declared is now()"],
    ),
    "an undeclared default": (
        "ALTER TABLE sources ALTER COLUMN description SET DEFAULT 'none'",
        ["default of sources.description is not declared; it is 'none'::text"],
    ),
    "a generated column that became a plain one": (
        "DROP TABLE lineage_events_arrived, lineage_events_moved;"  # Postgres does so for no partition's partitions.
        "ALTER TABLE lineage_events ALTER COLUMN is_ahead DROP EXPRESSION",
        [
            "partition lineage_events_arrived is missing; declared is FOR VALUES IN (false), partitioned by RANGE",
            "partition lineage_events_default is missing",
            "partition lineage_events_moved is missing",
            "expression of lineage_events.is_ahead is missing; declared is"
            " COALESCE((event_time - created_at) > '1 day'::interval, false)",
        ],
    ),
    "a missing index": (
        "DROP INDEX run_states_uuid_index",
        [
            "index run_states_uuid_index is missing; declared is"
            " CREATE INDEX run_states_uuid_index ON run_states USING btree (run_uuid)",
        ],
    ),
    "another index under the name": (
        "DROP INDEX run_states_uuid_index; CREATE INDEX run_states_uuid_index ON run_states (state)",
        [
            "index run_states_uuid_index is CREATE INDEX run_states_uuid_index ON run_states USING btree (state);"
            " declared is CREATE INDEX run_states_uuid_index ON run_states USING btree (run_uuid)",
        ],
    ),
    "an extra index": (
        "CREATE INDEX tagged ON tags (description)",
        ["index tagged is not declared; it is CREATE INDEX tagged ON tags USING btree (description)"],
    ),
    "a lost key": (
        "ALTER TABLE tags DROP CONSTRAINT tags_name_key",
        ["constraint tags.tags_name_key is missing; declared is UNIQUE (name)"],
    ),
    "a reference that no longer cascades": (
        "ALTER TABLE run_facets_kept_once DROP CONSTRAINT run_facets_kept_once_run_uuid_fkey,"
        " ADD FOREIGN KEY (run_uuid) REFERENCES runs (uuid)",
        [
            "constraint run_facets_kept_once.run_facets_kept_once_run_uuid_fkey is"
            " FOREIGN KEY (run_uuid) REFERENCES runs(uuid);"
            " declared is FOREIGN KEY (run_uuid) REFERENCES runs(uuid) ON DELETE CASCADE",
        ],
    ),
    "an extra check": (
        "ALTER TABLE tags ADD CONSTRAINT short CHECK (length(name) < 9)",
        ["constraint tags.short is not declared; it is CHECK (length(name::text) < 9)"],
    ),
    "a trigger": (
        "CREATE TRIGGER refuse BEFORE UPDATE ON tags"
        " FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()",
        [
            "trigger tags.refuse is not declared; it is CREATE TRIGGER refuse BEFORE UPDATE ON tags"
            " FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()",
        ],
    ),
    "a staging table that is logged": (
        "ALTER TABLE staging.jobs SET LOGGED",
        ["table staging.jobs is table; declared is table, unlogged"],
    ),
    "a staging column": (
        "ALTER TABLE staging.sources DROP COLUMN type",
        ["column staging.sources.type is missing; declared is character varying(64)"],
    ),
    "no default partition": (
        "DROP TABLE lineage_events_default",
        ["partition lineage_events_default is missing; declared is DEFAULT"],
    ),
    "a lost function": (
        "DROP FUNCTION create_event_partition",
        ["function create_event_partition(month timestamp with time zone, is_moved boolean) is missing"],
    ),
    "a function that does something else": (
        "CREATE OR REPLACE FUNCTION java_uuid(name text) RETURNS uuid LANGUAGE sql RETURN gen_random_uuid()",
        ["function java_uuid(name text) is uuid"],
    ),
    "another query of a view": (
        "CREATE OR REPLACE VIEW job_version_facets AS SELECT job_version_uuid, name, facet FROM job_facets",
        ["query of job_version_facets is  SELECT"],
    ),
    "a sequence that no column owns": (
        "ALTER SEQUENCE staged_parts_id_seq OWNED BY NONE",
        ["sequence staged_parts_id_seq is bigint; declared is bigint, owned by staged_parts.part_id"],
    ),
    "a trigger that is turned off": (
        "ALTER TABLE lineage_events DISABLE TRIGGER lineage_events_2_describe",
        ["trigger lineage_events.lineage_events_2_describe is CREATE TRIGGER"],
    ),
}


@pytest.mark.parametrize("kind", DRIFT)
def test_it_is_found_and_named(database: Store, kind: str) -> None:
    change, expected = DRIFT[kind]
    with database.connect() as connection:
        connection.execute(change.encode())
    found = whole_store.differences(database)
    assert len(found) == len(expected), found
    for difference, beginning in zip(sorted(found), sorted(expected), strict=True):
        assert difference.startswith(beginning)


def test_other_tables_are_none_of_our_business(database: Store) -> None:
    with database.connect() as connection:
        connection.execute("CREATE TABLE alembic_version (version text); CREATE VIEW mine AS SELECT 1")
    assert whole_store.differences(database) == []


def test_partitions_are_no_drift(database: Store) -> None:
    with database.connect() as connection:
        connection.execute(
            "SELECT create_event_partition('2001-01-01Z', moved), attach_event_partition('2001-01-01Z', moved)"
            " FROM (VALUES (true), (false)) AS of (moved)"
        )
    assert whole_store.differences(database) == []


def test_a_check_leaves_nothing_behind(database: Store) -> None:
    whole_store.differences(database)
    with database.connect() as connection:
        found = connection.execute("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'lineage_declared%'").fetchall()
    assert found == []


def test_a_role_that_a_restore_left_behind_is_missed(database: Store, postgres_server: Server) -> None:
    """Renamed for the moment, since other databases of the cluster depend on it."""
    postgres_server.run_sql("ALTER ROLE lineage_reader RENAME TO lineage_reader_elsewhere;")
    try:
        assert whole_store.differences(database) == ["role lineage_reader is missing"]
    finally:
        postgres_server.run_sql("ALTER ROLE lineage_reader_elsewhere RENAME TO lineage_reader;")
    assert whole_store.differences(database) == []
