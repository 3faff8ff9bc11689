"""`lineage stream schemas`, `readers` and `allow`: how the schema of a stream evolved, and whom it may fence."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lineage_core.cli.database import chosen_store
from lineage_core.cli.options import refuse_empty
from lineage_core.cli.terminal import harmless
from lineage_core.errors import WrongUsage
from lineage_core.interrupts import NOTHING_CHANGED, leaves

if TYPE_CHECKING:
    from lineage_core.changelog.schemas import StreamReader, StreamSchemas

Stream = Annotated[
    str, typer.Argument(metavar="NAME", help="A stream whose schema is registered.", callback=refuse_empty)
]
Reader = Annotated[str, typer.Argument(metavar="READER", help="Any name of it.", callback=refuse_empty)]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Columns = Annotated[
    str | None,
    typer.Option(metavar="COLUMN,…", help="Only these, as `name,address.city`.", callback=refuse_empty),
]
SchemaId = Annotated[
    int | None, typer.Option("--schema", min=0, metavar="ID", help="The schema that the reader was written for.")
]


def add_schema_commands(group: typer.Typer) -> None:
    """Adds them to `lineage stream`."""
    group.command("schemas")(list_schemas)
    group.command("allow")(allow)
    readers = typer.Typer(no_args_is_help=True)
    readers.command("list")(list_readers)
    readers.command("set")(set_reader)
    readers.command("remove")(remove_reader)
    group.add_typer(readers, name="readers", help="Who reads which columns of a stream.")


@leaves(NOTHING_CHANGED)
def list_schemas(name: Stream, as_json: AsJson = False) -> None:
    """List the schemas that a stream has had, and what changed from each to the next."""
    from lineage_core.streams.registry import registered

    described = list(_described(registered(chosen_store(), name)))
    if as_json:
        typer.echo(json.dumps(described))
        return
    for one in described:
        typer.echo(f"schema {one['schema_id']}: {len(one['columns'])} columns")
        for change in one["changes"]:
            typer.echo(harmless(f"    {change['kind']}: {change['path']}"))


@leaves("It took effect whole or not at all.")
def allow(
    name: Stream,
    what: Annotated[
        str, typer.Argument(metavar="any|not_fencing", help="Whether an evolution may fence registered readers.")
    ],
) -> None:
    """Set whether the schema of a stream may evolve so that a registered reader is fenced."""
    from lineage_core.changelog.schemas import Allowed
    from lineage_core.streams.registry import set_allowed

    if what not in {*Allowed}:
        raise WrongUsage(f"{what!r} is neither any nor not_fencing")
    set_allowed(chosen_store(), name, Allowed(what))
    typer.echo(harmless(f"Evolving the stream {name} may do this to its readers: {what}."))


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
    if as_json:
        typer.echo(json.dumps([_as_members(reader) for reader in found]))
        return
    for reader in found:
        columns = "all columns" if reader.columns is None else ", ".join(reader.columns)
        typer.echo(harmless(f"{reader.reader}  schema {reader.schema_id}  {columns}"))


@leaves("It took effect whole or not at all; `lineage stream readers list NAME` says which.")
def set_reader(name: Stream, reader: Reader, columns: Columns = None, schema: SchemaId = None) -> None:
    """Register which columns a reader uses, in place of earlier ones. Without --columns, all of them."""
    from lineage_core.streams import registry

    written = registry.set_reader(chosen_store(), name, reader, columns_of(columns), schema)
    typer.echo(harmless(f"{reader} reads the stream {name} by its schema {written.schema_id}."))


@leaves("It took effect whole or not at all; `lineage stream readers list NAME` says which.")
def remove_reader(name: Stream, reader: Reader) -> None:
    """Remove a reader of a stream."""
    from lineage_core.streams import registry

    was_there = registry.remove_reader(chosen_store(), name, reader)
    typer.echo(harmless(f"{reader} {'is' if was_there else 'was'} no registered reader of the stream {name}."))


def columns_of(text: str | None) -> list[str] | None:
    """The columns that an option names, with commas between them."""
    if text is None:
        return None
    columns = [column.strip() for column in text.split(",")]
    if not all(columns):
        raise WrongUsage(f"--columns {text!r} has a column without a name")
    return columns


def _as_members(reader: StreamReader) -> dict[str, Any]:
    columns = None if reader.columns is None else list(reader.columns)
    return {"reader": reader.reader, "schema_id": reader.schema_id, "columns": columns}


def _described(schemas: StreamSchemas) -> Any:
    for schema_id, type_ in enumerate(schemas.types):
        schema = type_.current()
        changes = schemas.types[schema_id - 1].migration_to(schema).changes if schema_id else ()
        yield {
            "schema_id": schema_id,
            "columns": [{"name": one.name, "type": str(one.type), "nullable": one.nullable} for one in schema],
            "changes": [{"kind": change.kind.value, "path": change.path} for change in changes],
        }
