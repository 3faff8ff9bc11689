"""Renderings: the committed files are what the declarations say, and say it right."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from lineage_core import render, statements
from lineage_core.declare.leaving import GoesWith, Leaves
from lineage_core.declare.tables import all_tables, declared_tables
from lineage_core.declare.views import View
from lineage_core.declare.vocabulary import (
    BIGINT,
    DEFAULT,
    KEY,
    OPERATOR,
    SAME,
    TEXT,
    UUID,
    Column,
    Index,
    Newest,
    OnDelete,
    Reference,
    Table,
    TableStream,
)
from lineage_core.render import access, ddl, functions, merge, pages
from lineage_core.settings import PROJECT

PLANETS = Table(
    name="planets",
    doc="A star's planets.",
    columns=(
        Column("uuid", UUID, KEY, "Identity.", nullable=False),
        Column("number", BIGINT, DEFAULT, "Place.", nullable=False, sequence="planets_number_seq"),
        Column("star_uuid", UUID, SAME, "Its star.", reference=Reference("stars", OnDelete.NO_ACTION)),
        Column("moon_uuid", UUID, SAME, "First moon.", reference=Reference("moons", late=True)),
        Column("name", TEXT, Newest("newest"), "People's name for it.", default="'nameless'"),
        Column("size", BIGINT, DEFAULT, "Letters.", generated="length(name)"),
    ),
    primary_key=("uuid",),
    indexes=(Index("planets_named", "(name)", "By name.", unique=True, include="size", where="name <> ''"),),
    rows=lambda event: iter(()),
)


FILES = {found.value.name: found.file for found in declared_tables()}


def test_committed_files_are_not_stale() -> None:
    assert render.stale(PROJECT) == []


def test_every_rendered_statement_of_a_table_says_where_it_comes_from() -> None:
    for kind in render.TABLES:
        assert statements.in_each_room(kind) != ()
        for name in statements.in_each_room(kind):
            origin = f"-- Rendered from {FILES[statements.own_name(name)]} by"
            assert statements.named(name).startswith(origin), name


def test_every_rendered_function_says_where_it_comes_from() -> None:
    for name, text in functions.rendered().items():
        source = text.splitlines()[0].removeprefix(functions.RENDERED).partition(" ")[0]
        assert (PROJECT / "src" / "lineage_core" / source).exists(), name


MERGE = "src/lineage_core/model/sql/merge.sql"
LEFT_OVER = "src/lineage_core/planets/sql/merge.sql"


def test_stale_files_are_found_and_written(tmp_path: Path) -> None:
    assert len(render.write(tmp_path)) == len(render.renderings())
    assert render.stale(tmp_path) == []
    (tmp_path / MERGE).write_text("-- edited\n")
    (tmp_path / "docs/tables.md").unlink()
    (tmp_path / LEFT_OVER).parent.mkdir(parents=True)
    (tmp_path / LEFT_OVER).touch()
    assert render.stale(tmp_path) == ["docs/tables.md", MERGE, LEFT_OVER]
    assert render.write(tmp_path) == ["docs/tables.md", MERGE, LEFT_OVER]
    assert not (tmp_path / LEFT_OVER).exists()
    assert render.stale(tmp_path) == []


def test_a_table_with_everything() -> None:
    assert ddl.table_ddl(PLANETS).splitlines() == [
        "CREATE SEQUENCE planets_number_seq;",
        "CREATE TABLE planets (",
        "    uuid uuid NOT NULL,",
        "    number bigint NOT NULL DEFAULT nextval('planets_number_seq'),",
        "    star_uuid uuid,",
        "    moon_uuid uuid,",
        "    name text DEFAULT 'nameless',",
        "    size bigint GENERATED ALWAYS AS (length(name)) STORED,",
        "    newest bytea,",
        "    PRIMARY KEY (uuid),",
        "    FOREIGN KEY (star_uuid) REFERENCES stars (uuid) ON DELETE NO ACTION",
        ");",
        "ALTER SEQUENCE planets_number_seq OWNED BY planets.number;",
        "CREATE UNIQUE INDEX planets_named ON planets (name) INCLUDE (size) WHERE name <> '';",
        "COMMENT ON TABLE planets IS 'A star''s planets.';",
        "COMMENT ON COLUMN planets.uuid IS 'Identity.';",
        "COMMENT ON COLUMN planets.number IS 'Place.';",
        "COMMENT ON COLUMN planets.star_uuid IS 'Its star.';",
        "COMMENT ON COLUMN planets.moon_uuid IS 'First moon.';",
        "COMMENT ON COLUMN planets.name IS 'People''s name for it.';",
        "COMMENT ON COLUMN planets.size IS 'Letters.';",
        "COMMENT ON COLUMN planets.newest IS 'Order of the event that the newest came from.';",
        "COMMENT ON INDEX planets_named IS 'By name.';",
    ]


def test_a_late_reference_is_added_when_both_tables_exist() -> None:
    added = ddl.late_references(PLANETS)
    assert added is not None
    assert added.startswith("ALTER TABLE planets ADD FOREIGN KEY (moon_uuid) REFERENCES moons (uuid) ON DELETE CASCADE")


def test_a_staging_table_holds_what_events_say_and_requires_only_the_part() -> None:
    created = ddl.staging_table(PLANETS)
    assert created is not None
    assert created.splitlines()[:8] == [
        "CREATE UNLOGGED TABLE staging.planets (",
        "    part_id bigint NOT NULL,",
        "    uuid uuid,",
        "    star_uuid uuid,",
        "    moon_uuid uuid,",
        "    name text,",
        "    newest bytea",
        ");",
    ]


def test_a_merge_is_ready_for_rows_of_others_where_others_may_insert() -> None:
    merged = {table: merge.statement(table) or "" for table in all_tables() if table.is_merged}
    beside = {table.name for table, statement in merged.items() if "ON CONFLICT" in statement}
    assert beside == {"owners", "tags"}
    assert beside >= {table.name for table in merged if "INSERT" in (table.marquez_rights or "")}


def test_a_table_that_events_do_not_fill_has_no_staging_table() -> None:
    assert ddl.staging_table(Table("tags", "Tags.", (Column("name", TEXT, OPERATOR, "The tag."),))) is None


def test_a_history_can_only_grow() -> None:
    why = Column("why", TEXT, OPERATOR, "Why.")
    by = Column("placed_by", TEXT, DEFAULT, "Who.", default="session_user")
    history = Table("holds", "Holds.", (why, by), append_only=True)
    assert (ddl.refusals(history) or "").split("\n") == [
        "CREATE OR REPLACE TRIGGER holds_refuse_update BEFORE UPDATE OR DELETE ON holds FOR EACH ROW"
        " EXECUTE FUNCTION refuse_changes();",
        "CREATE OR REPLACE TRIGGER holds_refuse_truncate BEFORE TRUNCATE ON holds FOR EACH STATEMENT"
        " EXECUTE FUNCTION refuse_changes();",
    ]
    assert access.grants([history], []).removeprefix(access.OPENING).split("\n") == [
        "",
        "GRANT SELECT ON public.holds TO lineage_jobs, lineage_marquez, lineage_reader;",
        "GRANT SELECT, INSERT (why) ON public.holds TO lineage_operator;",
    ]


def test_jobs_may_not_write_what_people_set() -> None:
    shown = View("tags_view", "Tags.", "people", ("tags",), open_to_operators=True)
    tags = Table("tags", "Tags.", (Column("name", TEXT, OPERATOR, "The tag."),), marquez_rights="INSERT, DELETE")
    granted = access.grants([tags], [shown])
    assert granted.removeprefix(access.OPENING).split("\n") == [
        "",
        "GRANT SELECT ON public.tags TO lineage_jobs, lineage_marquez, lineage_reader;",
        "GRANT INSERT, DELETE ON public.tags TO lineage_marquez;",
        "GRANT SELECT, INSERT, DELETE, UPDATE ON public.tags TO lineage_operator;",
        "GRANT SELECT ON public.tags_view TO lineage_jobs, lineage_marquez, lineage_reader, lineage_operator;",
    ]


def test_operators_may_write_their_columns_and_rows_where_the_table_is_open_to_them() -> None:
    columns = (Column("name", TEXT, KEY, "A tag.", nullable=False), Column("words", TEXT, OPERATOR, "What it means."))
    shared, open_to_all = Table("tags", "Tags.", columns), Table("tags", "Tags.", columns, open_to_operators=True)
    closed = Table("runs", "Runs.", columns[:1])
    assert "GRANT SELECT, UPDATE (words) ON public.tags TO lineage_operator;" in access.grants([shared], [])
    assert "GRANT SELECT, INSERT, DELETE, UPDATE (words) ON" in access.grants([open_to_all], [])
    assert "TO lineage_operator" not in access.grants([closed], []).removeprefix(access.OPENING)


def test_the_docs_name_every_column_with_its_meaning() -> None:
    section = pages.tables_page([replace(PLANETS, stream=TableStream())])
    assert "- `star_uuid` uuid: Its star ([stars](#stars)).\n" in section
    assert "- `name` text: People's name for it.\n" in section
    assert "\n\nKey (uuid)." in section


def test_the_docs_say_how_rows_leave_and_who_writes_a_column() -> None:
    columns = (Column("name", TEXT, KEY, "A tag.", nullable=False), Column("words", TEXT, OPERATOR, "What it means."))
    leaving = (Leaves("leaving_tags"), GoesWith("jobs", "job_uuid"))
    section = pages.tables_page([Table("tags", "Tags.", columns, retention=leaving)])
    assert "- `words` text, operator: What it means.\n\nRetention deletes rows." in section
    assert "Rows leave with `jobs`." in section


def test_the_docs_only_name_the_columns_that_nothing_but_the_platform_needs() -> None:
    section = pages.tables_page([PLANETS])
    assert "\n\nColumns: `uuid`, `number`, `star_uuid`, `moon_uuid`, `name`, `size`.\n" in section


def test_what_makes_a_table_makes_where_its_rows_and_changes_wait() -> None:
    made = render.table("runs")
    for name in ("runs", "staging.runs", "staging_2.runs", "changes.runs"):
        assert f"TABLE {name} (" in made
    assert "changes." not in render.table("leases")
