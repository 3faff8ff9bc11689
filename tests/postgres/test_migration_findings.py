"""Whatever a verification may find is mended by a run, or can be accepted by a person, so that no migration sticks."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from lineage_core.long_migrations.declared import all_migrations
from lineage_core.long_migrations.store import end, records
from lineage_core.long_migrations.workers import migrate
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store
from lineage_core.tasks import ThreadRunner
from tests.support.old_mappings import put_dataset, put_versions
from tests.support.stores import rows

pytestmark = [pytest.mark.postgres, pytest.mark.old_mapping]

NAME = "schema-versions"
COLUMNS = [("id", "INTEGER"), ("tree", None), ("total", "DECIMAL")]

SCHEMA = "(SELECT dataset_schema_version_uuid FROM dataset_versions WHERE uuid = %(version)s)"


@dataclass(frozen=True)
class Finding:
    """What somebody, or a crash, has done to one version of a dataset of its own; and what a person accepts of it."""

    name: str
    damage: str
    """A statement, with the version, its first column, and columns beside it that no version has."""
    error: str | None = None
    """What quarantine says if nothing mends it."""
    foreign: tuple[tuple[str, str | None], ...] = ()
    """Columns of another dataset."""


def _changed(removed: str, added: str) -> str:
    """The schema version of the version loses some columns, and gets others."""
    return (
        f"UPDATE dataset_schema_versions SET field_uuids = changed_fields(field_uuids, ARRAY[{removed}]::uuid[],"
        f" ARRAY[{added}]::uuid[]) WHERE uuid = {SCHEMA}"
    )


def _mapped(column: str) -> str:
    return f"INSERT INTO dataset_versions_field_mapping VALUES (%(version)s, {column})"


OF_ANOTHER = "Its old mapping names columns of another dataset, which its own does not have: "
FINDINGS = (
    Finding(
        "no schema version", "UPDATE dataset_versions SET dataset_schema_version_uuid = NULL WHERE uuid = %(version)s"
    ),
    Finding(
        "the schema version of others",
        "UPDATE dataset_versions SET dataset_schema_version_uuid = (SELECT dataset_schema_version_uuid FROM"
        " dataset_versions WHERE dataset_name = 'whole' LIMIT 1) WHERE uuid = %(version)s",
    ),
    Finding("a column too few", _changed("%(first)s", "")),
    Finding("no column at all", f"UPDATE dataset_schema_versions SET field_uuids = '{{}}' WHERE uuid = {SCHEMA}"),
    Finding("a column too many", _changed("", "%(unused)s")),
    Finding("a wrong column in place of a right one", _changed("%(first)s", "%(unused)s")),
    Finding("a column twice", _changed("", "%(again)s")),
    Finding("old rows gone", "DELETE FROM dataset_versions_field_mapping WHERE dataset_version_uuid = %(version)s"),
    Finding("an old row more", _mapped("%(unused)s")),
    Finding(
        "a column of another dataset", _mapped("%(foreign)s"), f"{OF_ANOTHER}foreign INTEGER", (("foreign", "INTEGER"),)
    ),
    Finding(
        "a column without type of another dataset", _mapped("%(foreign)s"), f"{OF_ANOTHER}foreign", (("foreign", None),)
    ),
    Finding("a column of another dataset that its own has too", _mapped("%(foreign)s"), None, (("unused", "INTEGER"),)),
    Finding(
        "a column that went to another dataset",
        "UPDATE dataset_fields SET dataset_uuid = key_uuid('datasets', 'shop', 'whole') WHERE uuid = %(first)s",
        f"{OF_ANOTHER}id INTEGER",
    ),
    Finding(
        "a column that lost its dataset",
        "UPDATE dataset_fields SET dataset_uuid = NULL WHERE uuid = %(first)s",
        f"{OF_ANOTHER}id INTEGER",
    ),
    Finding(
        "another dataset",
        "UPDATE dataset_versions SET dataset_uuid = key_uuid('datasets', 'shop', 'whole') WHERE uuid = %(version)s",
    ),
    Finding(
        "no dataset",
        "UPDATE dataset_versions SET dataset_uuid = NULL WHERE uuid = %(version)s",
        "It has no dataset, or the dataset no namespace, so that no schema version follows",
    ),
    Finding(
        "a version that refuses its update",
        "UPDATE dataset_versions SET dataset_schema_version_uuid = NULL, lifecycle_state = 'refuses'"
        " WHERE uuid = %(version)s",
        "this version is cursed",
    ),
    Finding(
        "a version that ignores its update",
        "UPDATE dataset_versions SET dataset_schema_version_uuid = NULL, lifecycle_state = 'ignores'"
        " WHERE uuid = %(version)s",
        "It has no schema version",
    ),
    Finding(
        "a column that comes again whenever it goes",
        _changed("", "%(stubborn)s"),
        "Readers see other columns: stubborn INTEGER by the new mapping alone",
    ),
)
"""Every way in which the two mappings may come to differ: by the version, its schema version, its old rows, its
columns, its dataset; and what keeps a run from mending it."""


def test_a_migration_that_verifies_has_its_findings_here() -> None:
    assert [one.name for one in all_migrations().values() if one.replaces] == [NAME]


def test_what_a_verification_finds_is_mended_by_a_run_or_accepted(database: Store) -> None:
    with database.connect() as connection:
        whole = put_dataset(connection, "whole", COLUMNS)
        put_versions(connection, "whole", whole, 3)
        versions = {finding.name: _put(connection, finding.name) for finding in FINDINGS}
        _resist(connection)
    _brought_to_its_end(database)
    assert end.verify(database, NAME).is_good

    with database.connect() as connection:
        for finding in FINDINGS:
            _damage(connection, finding, versions[finding.name])
    found = end.verify(database, NAME)
    assert found.unexplained == len(FINDINGS)
    assert _set_aside(database) == set(versions.values())

    records.plan(database, NAME)
    migrate(database, NAME, ThreadRunner())
    records.accept(database, NAME, "their source is unknown", "ann on desk")
    end.finalize(database, NAME)
    found = end.verify(database, NAME)
    names = {version: name for name, version in versions.items()}
    left = {names[key]: error for key, error in rows(database, "SELECT key, error FROM migration_quarantine")}
    assert left == {finding.name: finding.error for finding in FINDINGS if finding.error}

    records.accept(database, NAME, "no run mends these", "ann on desk")
    found = end.verify(database, NAME)
    assert (found.is_good, found.unexplained, found.in_quarantine) == (True, 0, 0)
    assert found.accepted == len(left)
    kept = rows(database, "SELECT key, error, accepted_from FROM migration_acceptances")
    assert {(names[key], error, who) for key, error, who in kept} == {
        (name, error, "ann on desk") for name, error in left.items()
    }
    end.cut_over(database, NAME)
    assert end.drop(database, NAME) is not None


def test_what_is_repaired_by_hand_after_a_verification_is_set_aside_no_longer(database: Store) -> None:
    with database.connect() as connection:
        version = _put(connection, "orders")
    _brought_to_its_end(database)
    without = "UPDATE dataset_versions SET dataset_schema_version_uuid = NULL RETURNING uuid::text"
    kept = rows(database, "SELECT dataset_schema_version_uuid FROM dataset_versions")
    with database.connect() as connection:
        connection.execute(without)
    assert not end.verify(database, NAME).is_good
    assert _set_aside(database) == {version}
    with database.connect() as connection:
        connection.execute("UPDATE dataset_versions SET dataset_schema_version_uuid = %s", kept[0])
    assert end.verify(database, NAME).is_good
    assert _set_aside(database) == set()


def _put(connection: Connection, dataset: str) -> str:
    """A version of a dataset of its own."""
    (version,) = put_versions(connection, dataset, put_dataset(connection, dataset, COLUMNS))
    return version


def _resist(connection: Connection) -> None:
    """Triggers that refuse or ignore the update of a version, and bring a column back."""
    connection.execute(
        "CREATE FUNCTION resist() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
        " IF old.lifecycle_state = 'refuses' THEN RAISE 'this version is cursed'; END IF;"
        " RETURN CASE WHEN old.lifecycle_state IS NULL THEN new END; END $$"
    )
    connection.execute("CREATE TRIGGER resist BEFORE UPDATE ON dataset_versions FOR EACH ROW EXECUTE FUNCTION resist()")
    connection.execute(
        "CREATE FUNCTION stay() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
        " new.field_uuids := changed_fields(new.field_uuids, '{}', ARRAY(SELECT uuid FROM dataset_fields"
        " WHERE uuid = ANY (old.field_uuids) AND name = 'stubborn')); RETURN new; END $$"
    )
    connection.execute(
        "CREATE TRIGGER stay BEFORE UPDATE ON dataset_schema_versions FOR EACH ROW EXECUTE FUNCTION stay()"
    )


def _damage(connection: Connection, finding: Finding, version: str) -> None:
    first = connection.execute(
        "SELECT uuid FROM dataset_fields WHERE name = 'id' AND dataset_uuid = key_uuid('datasets', 'shop', %s)",
        [finding.name],
    ).fetchall()[0][0]
    unused, again, stubborn = put_dataset(
        connection, finding.name, [("unused", "INTEGER"), ("tree", None), ("stubborn", "INTEGER")]
    )
    chosen = {"version": version, "first": first, "unused": unused, "again": again, "stubborn": stubborn}
    for foreign in put_dataset(connection, "whole", finding.foreign):
        chosen["foreign"] = foreign
    done = connection.execute(finding.damage, chosen)
    assert done.rowcount > 0, finding.name


def _brought_to_its_end(store: Store) -> None:
    migrate(store, NAME, ThreadRunner())
    end.finalize(store, NAME)


def _set_aside(store: Store) -> set[str]:
    return {key for (key,) in rows(store, "SELECT key FROM migration_quarantine")}
