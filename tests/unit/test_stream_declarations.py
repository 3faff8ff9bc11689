"""What tables and views declare of their streams, and what is made of that."""

from __future__ import annotations

import pytest

from lineage_core import statements
from lineage_core.declare.streams import all_streams, captured_table, captured_tables
from lineage_core.declare.tables import table_named
from lineage_core.declare.vocabulary import KEY, TEXT, TIMESTAMPTZ, UUID, Column, DeclarationError, Table, TableStream
from lineage_core.render import capture
from lineage_core.settings import ProjectSettings
from lineage_core.streams import columns
from lineage_core.streams.arrow_records import arrow_schema

STREAMS = pytest.mark.parametrize("name", [stream.name for stream in all_streams()])
BY_NAME = {stream.name: stream for stream in all_streams()}


def _table(stream: TableStream, primary_key: tuple[str, ...] = ("uuid",)) -> Table:
    return Table(
        name="moons",
        doc="Moons.",
        columns=(
            Column("uuid", UUID, KEY, "Identity.", nullable=False),
            Column("updated_at", TIMESTAMPTZ, KEY, "When it was last seen.", nullable=False),
            Column("name", TEXT, KEY, "What it is called.", nullable=False),
        ),
        primary_key=primary_key,
        stream=stream,
    )


def test_updated_at_is_left_out_unless_it_is_declared() -> None:
    assert [column.name for column in _table(TableStream()).streamed] == ["uuid", "name"]
    chosen = _table(TableStream(also=("updated_at",), without=("name",)))
    assert [column.name for column in chosen.streamed] == ["uuid", "updated_at"]


@pytest.mark.parametrize(
    ("stream", "primary_key", "wrong"),
    [
        (TableStream(event_time=("seen_at",)), ("uuid",), "names.*seen_at"),
        (TableStream(), (), "needs a primary key"),
        (TableStream(without=("uuid",)), ("uuid",), "leaves out.*uuid"),
        (TableStream(event_time=("updated_at",)), ("uuid",), "leaves out.*updated_at"),
    ],
)
def test_a_declaration_that_contradicts_itself_is_refused(
    stream: TableStream, primary_key: tuple[str, ...], wrong: str
) -> None:
    with pytest.raises(DeclarationError, match=wrong):
        _table(stream, primary_key)


@STREAMS
def test_every_column_of_a_stream_can_be_published(name: str) -> None:
    stream = BY_NAME[name]
    assert [field.name for field in arrow_schema(stream)][4:] == [column.name for column in stream.columns]
    assert all(columns.travelling(column) for column in stream.columns)
    assert not {column.name for column in stream.columns if column.nullable} & set(stream.key)


@STREAMS
def test_a_stream_of_a_view_has_the_statement_that_makes_its_rows(name: str) -> None:
    stream = BY_NAME[name]
    if stream.is_log or stream.captured == (name,):
        return
    text = statements.named(f"streams/images/{name}")
    assert all(f"{{{needed}}}" in text for needed in (*stream.captured, *stream.contents))


def test_every_table_of_a_stream_is_captured_and_no_other() -> None:
    needed = {table for stream in all_streams() for table in (*stream.captured, *stream.contents)}
    assert {captured.table.name for captured in captured_tables()} == needed
    assert capture.triggers(table_named("leases")) is None
    assert capture.triggers(table_named("lineage_events")) is None


def test_of_contents_only_what_is_removed_is_captured() -> None:
    of_contents, of_rows = capture.triggers(table_named("facets")), capture.triggers(table_named("tags"))
    assert of_contents is not None and "only_removed => true" in of_contents
    assert of_rows is not None and "only_removed" not in of_rows
    assert captured_table("facets").streams == ("dataset_facets", "job_facets", "run_facets")


def test_texts_are_in_one_order_everywhere() -> None:
    assert columns.place(BY_NAME["dataset_symlinks"].columns, ("namespace_uuid", "name")) == (
        'name COLLATE "C", namespace_uuid, op'
    )


def test_streams_are_below_the_home_unless_they_are_put_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LINEAGE_HOME", "/here")
    assert ProjectSettings.from_environment().streams_url == "/here/streams"
    monkeypatch.setenv("LINEAGE_STREAMS_URL", "s3://streams/lineage")
    assert ProjectSettings.from_environment().streams_url == "s3://streams/lineage"
