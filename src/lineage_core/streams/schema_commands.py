"""`lineage stream schemas`, `readers` and `allow`: how the schema of a stream evolved, and whom it may fence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lineage_core.command_line.groups import CommandGroup, commands_of
from lineage_core.command_line.options import AsJson, refuse_empty
from lineage_core.command_line.results import harmless_line, show
from lineage_core.errors import WrongUsage
from lineage_core.interrupts import NOTHING_CHANGED, all_or_nothing, leaves
from lineage_core.local.chosen_store import chosen_store

if TYPE_CHECKING:
    from lineage_core.changelog.schemas import ListedSchema, StreamReader

READERS = CommandGroup("readers", "Who reads which columns of a stream.")

Stream = Annotated[
    str, typer.Argument(metavar="NAME", help="A stream whose schema is registered.", callback=refuse_empty)
]
Reader = Annotated[str, typer.Argument(metavar="READER", help="Any name of it.", callback=refuse_empty)]
Columns = Annotated[
    str | None,
    typer.Option(metavar="COLUMN,…", help="Only these, as `name,address.city`.", callback=refuse_empty),
]
SchemaId = Annotated[
    int | None, typer.Option("--schema", min=0, metavar="ID", help="The schema that the reader was written for.")
]


def add_schema_commands(streams: typer.Typer) -> None:
    """Adds them to `lineage stream`."""
    streams.command("schemas")(list_schemas)
    streams.command("allow")(allow)
    readers = commands_of(streams, READERS)
    readers.command("list")(list_readers)
    readers.command("set")(set_reader)
    readers.command("remove")(remove_reader)


@leaves(NOTHING_CHANGED)
def list_schemas(name: Stream, as_json: AsJson = False) -> None:
    """List the schemas that a stream has had, and what changed from each to the next."""
    from lineage_core.streams.registry import registered

    described = registered(chosen_store(), name).described()
    show(described, _schema_lines(described), as_json=as_json)


@leaves("It took effect whole or not at all.")
def allow(
    name: Stream,
    what: Annotated[
        str, typer.Argument(metavar="any|not_fencing", help="Whether an evolution may fence registered readers.")
    ],
) -> None:
    """Set whether the schema of a stream may evolve so that a registered reader is fenced."""
    from lineage_core.changelog.schemas import AllowedEvolution
    from lineage_core.streams.registry import set_allowed

    if what not in {*AllowedEvolution}:
        raise WrongUsage(f"{what!r} is neither any nor not_fencing")
    set_allowed(chosen_store(), name, AllowedEvolution(what))
    typer.echo(harmless_line(f"Evolving the stream {name} may do this to its readers: {what}."))


@leaves(NOTHING_CHANGED)
def list_readers(
    name: Stream,
    column: Annotated[
        str | None, typer.Option(metavar="COLUMN", help="Only who reads this one.", callback=refuse_empty)
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the registered readers of a stream, or of one column. A column without readers may be deleted."""
    from lineage_core.streams.registry import readers

    found = readers(chosen_store(), name, column)
    show([_members(reader) for reader in found], _reader_lines(found), as_json=as_json)


@leaves(all_or_nothing("lineage stream readers list NAME"))
def set_reader(name: Stream, reader: Reader, columns: Columns = None, schema: SchemaId = None) -> None:
    """Register which columns a reader uses, in place of earlier ones. Without --columns, all of them."""
    from lineage_core.streams import registry

    written = registry.set_reader(chosen_store(), name, reader, columns_of(columns), schema)
    typer.echo(harmless_line(f"{reader} reads the stream {name} by its schema {written.schema_id}."))


@leaves(all_or_nothing("lineage stream readers list NAME"))
def remove_reader(name: Stream, reader: Reader) -> None:
    """Remove a reader of a stream."""
    from lineage_core.streams import registry

    was_there = registry.remove_reader(chosen_store(), name, reader)
    typer.echo(harmless_line(f"{reader} {'is' if was_there else 'was'} no registered reader of the stream {name}."))


def columns_of(text: str | None) -> list[str] | None:
    """The columns that an option names, with commas between them."""
    if text is None:
        return None
    columns = [column.strip() for column in text.split(",")]
    if not all(columns):
        raise WrongUsage(f"--columns {text!r} has a column without a name")
    return columns


def _members(reader: StreamReader) -> dict[str, Any]:
    columns = None if reader.columns is None else list(reader.columns)
    return {"reader": reader.reader, "schema_id": reader.schema_id, "columns": columns}


def _reader_lines(readers: Iterable[StreamReader]) -> Iterator[str]:
    for reader in readers:
        columns = "all columns" if reader.columns is None else ", ".join(reader.columns)
        yield f"{reader.reader}  schema {reader.schema_id}  {columns}"


def _schema_lines(described: Iterable[ListedSchema]) -> Iterator[str]:
    for one in described:
        yield f"schema {one.schema_id}: {len(one.columns)} columns"
        for change in one.changes:
            yield f"    {change.kind}: {change.path}"
