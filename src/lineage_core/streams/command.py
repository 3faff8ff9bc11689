"""`lineage stream`: changelog streams of the store's own tables."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lineage_core.command_line.groups import CommandGroup, Panel, commands_of
from lineage_core.command_line.options import AsJson, OnSubmittedSpark, OutcomeFile, moment, refuse_empty
from lineage_core.command_line.progress import MEGABYTES, Unit, progress
from lineage_core.command_line.results import json_text, show
from lineage_core.errors import WrongUsage
from lineage_core.interrupts import NOTHING_CHANGED, all_or_nothing, leaves
from lineage_core.local.chosen_store import chosen_store
from lineage_core.settings import ProjectSettings
from lineage_core.streams.schema_commands import Columns, SchemaId, add_schema_commands, columns_of

if TYPE_CHECKING:
    from lineage_core.postgres.store import Store
    from lineage_core.streams.compaction import CompactionOutcome
    from lineage_core.streams.publication import PublicationOutcome
    from lineage_core.streams.reading import DescribedStream
    from lineage_core.streams.verification import StreamVerification

STREAMS = CommandGroup("stream", "Changelog streams of the store's own tables.", Panel.MANAGE)

StreamName = Annotated[
    str, typer.Argument(metavar="NAME", help="As `list` shows it: that of its table.", callback=refuse_empty)
]

_WAITS = (
    "not published yet, as a transaction is open that began before it was started; of raw events that were restored, it"
    " may also wait for `lineage normalize`"
)


def register(application: typer.Typer) -> None:
    commands = commands_of(application, STREAMS)
    commands.command()(publish)
    commands.command()(compact)
    commands.command("list")(list_streams)
    commands.command()(describe)
    commands.command()(start)
    commands.command()(stop)
    commands.command()(read)
    commands.command()(tail)
    commands.command()(replay)
    commands.command()(verify)
    commands.command()(export)
    commands.command()(adopt)
    add_schema_commands(commands)


@leaves("What was published of a stream stays; `lineage stream publish` continues from there.")
def publish(
    master: Annotated[
        str | None,
        typer.Option(help="The Spark to write parts on; without it, this process does.", callback=refuse_empty),
    ] = None,
    on_submitted_spark: OnSubmittedSpark = False,
    outcome_file: OutcomeFile = None,
    as_json: AsJson = False,
) -> None:
    """Publish what has changed of every stream that is on."""
    from lineage_core.own_lineage.application import reported
    from lineage_core.own_lineage.datasets import inputs, published_streams, tables_of_streams
    from lineage_core.spark.application import spark_application
    from lineage_core.streams.publication import publish_each
    from lineage_core.tasks import FEW_ROWS, HERE

    with (
        spark_application("publish_streams", master, is_submitted=on_submitted_spark) as spark,
        reported(spark) as job,
    ):
        store, root = chosen_store(), _root()
        runner = spark.runner if on_submitted_spark or master else HERE
        few = FEW_ROWS if on_submitted_spark else 0
        with progress("publish", Unit("streams"), as_json=as_json) as shown:
            outcome = publish_each(store, root, runner, few=few, progress=shown)
        records = {one.stream: one.next_offset - one.start_offset for one in outcome.streams}
        job.state(inputs(store, tables_of_streams(records)), published_streams(store, root, records))
        if outcome_file is not None:
            outcome_file.write_text(json_text(outcome))
        show(outcome, _published_lines(outcome), as_json=as_json)
        outcome.refuse_failed()


@leaves("What was compacted of a stream stays; no reader sees a difference.")
def compact(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME", help="Only these streams; all without one.", callback=refuse_empty),
    ] = None,
    least_parts: Annotated[
        int | None,
        typer.Option(
            min=2, metavar="N", help="Merge only runs of so many parts of about one size. Without it, all small parts."
        ),
    ] = None,
    grace_hours: Annotated[
        float, typer.Option(min=0, metavar="N", help="Delete files that have been unused for so many hours.")
    ] = 24,
    master: Annotated[
        str | None,
        typer.Option(help="The Spark to write files on; without it, this process does.", callback=refuse_empty),
    ] = None,
    on_submitted_spark: OnSubmittedSpark = False,
    as_json: AsJson = False,
) -> None:
    """Merge small parts of streams, make checkpoints, and delete unused files."""
    from lineage_core.changelog.bins import BinSizes
    from lineage_core.own_lineage.application import reported
    from lineage_core.own_lineage.datasets import dataset_of_stream
    from lineage_core.spark.application import spark_application
    from lineage_core.streams import compaction
    from lineage_core.tasks import FEW_BYTES, HERE

    with (
        spark_application("compact_streams", master, is_submitted=on_submitted_spark) as spark,
        reported(spark) as job,
    ):
        store, root = chosen_store(), _root()
        runner = spark.runner if on_submitted_spark or master else HERE
        with progress("compact", MEGABYTES, as_json=as_json) as shown:
            outcome = compaction.compact_each(
                store,
                root,
                runner,
                names=names or (),
                sizes=BinSizes(least_parts=least_parts),
                few=FEW_BYTES if on_submitted_spark else 0,
                grace=timedelta(hours=grace_hours),
                progress=shown,
            )
        rewritten = [dataset_of_stream(root, one.stream) for one in outcome.streams]
        job.state(rewritten, rewritten)
        show(outcome, _compacted_lines(outcome), as_json=as_json)
        outcome.refuse_failed()


@leaves(NOTHING_CHANGED)
def list_streams(as_json: AsJson = False) -> None:
    """List the streams, and which are on."""
    from lineage_core.streams import reading

    listed = reading.list_streams(chosen_store())
    show(listed, (f"{stream.name}  {'on' if stream.is_on else 'off'}" for stream in listed), as_json=as_json)


@leaves(NOTHING_CHANGED)
def describe(name: StreamName, as_json: AsJson = False) -> None:
    """Show how far a stream is published, and its parts."""
    from lineage_core.streams import reading

    described = reading.describe(chosen_store(), _root(), name)
    show(described, _described_lines(described), as_json=as_json)


def _described_lines(described: DescribedStream) -> Iterator[str]:
    key = ", ".join(described.key) or "none: a change is a retraction and an append"
    yield f"{described.name}: {described.published_upto} records, schema {described.schema_id}, key {key}"
    for part in described.parts:
        yield f"{part.start}-{part.end}  schema {part.schema_id}  {part.bytes} bytes  {part.path}"
    if found := described.checkpoint:
        order = "in order" if found.is_ordered else "not in order"
        reordered = "" if found.reordered_by is None else f"  reordered by schema {found.reordered_by}"
        yield (
            f"checkpoint at {found.next_offset}  schema {found.schema_id}  {found.rows} rows {order}{reordered}"
            f"  {found.bytes} bytes  {found.path}"
        )


@leaves(all_or_nothing("lineage stream list"))
def start(name: StreamName) -> None:
    """Turn a stream on. Its first publication begins with what its table has then."""
    from lineage_core.streams.store import switches

    is_new = switches.start(chosen_store(), name)
    typer.echo(f"The stream {name} is on." if is_new else f"The stream {name} was on already.")


@leaves(all_or_nothing("lineage stream list"))
def stop(name: StreamName) -> None:
    """Turn a stream off. What is published stays, and a later start continues behind it."""
    from lineage_core.streams.store import switches

    was_on = switches.stop(chosen_store(), name)
    typer.echo(f"The stream {name} is off." if was_on else f"The stream {name} was off already.")


@leaves(NOTHING_CHANGED)
def read(
    name: StreamName,
    *,
    from_: Annotated[int | None, typer.Option("--from", min=0, metavar="OFFSET", help="The first record.")] = None,
    to: Annotated[
        int | None, typer.Option("--to", min=0, metavar="OFFSET", help="The first record that is not printed.")
    ] = None,
    since: Annotated[
        str | None, typer.Option(metavar="T", help="Only records from this system time on, in ISO 8601.")
    ] = None,
    until: Annotated[str | None, typer.Option(metavar="T", help="Only records from before this system time.")] = None,
    wait_for: Annotated[
        int | None,
        typer.Option(min=0, metavar="OFFSET", help="Wait until this record is published; exit 1 if it takes too long."),
    ] = None,
    wait_seconds: Annotated[float, typer.Option(min=0, help="How long to wait.")] = 60.0,
    columns: Columns = None,
    schema: SchemaId = None,
) -> None:
    """Print the records of a stream, a line of JSON each."""
    from lineage_core.streams import reading

    begin, end = _bound("--from", from_, "--since", since), _bound("--to", to, "--until", until)
    store = chosen_store()
    reader_schema = _reader_schema(store, name, schema, columns)
    if wait_for is not None:
        reading.wait_for(store, name, wait_for, wait_seconds, reader_schema)
    _print(reading.records(store, _root(), name, 0 if begin is None else begin, reader_schema, end))


@leaves(NOTHING_CHANGED)
def tail(
    name: StreamName,
    last: Annotated[int, typer.Option(min=0, help="How many records.")] = 10,
    follow: Annotated[bool, typer.Option("--follow", help="Print what is published from now on, too.")] = False,
    columns: Columns = None,
    schema: SchemaId = None,
) -> None:
    """Print the last records of a stream, a line of JSON each."""
    from lineage_core.streams import reading

    store, root = chosen_store(), _root()
    reader_schema = reading.reader_schema(store, name, schema, columns_of(columns))
    listener = reading.StreamListener(store, name, reader_schema)
    since = max(listener.next_offset() - last, 0)
    since += _print(reading.records(store, root, name, since, reader_schema))
    while follow:
        time.sleep(reading.WAIT_SECONDS)
        if listener.next_offset() > since:
            since += _print(reading.records(store, root, name, since, reader_schema))


@leaves("A file that was begun may stay; nothing else was changed.")
def replay(
    name: StreamName,
    to: Annotated[Path, typer.Option(metavar="FILE", help="The Parquet file to write.", callback=refuse_empty)],
    at: Annotated[
        str | None,
        typer.Option(
            metavar="OFFSET|T",
            help="The last record to apply, or the system time up to which records are applied. Without it, all.",
            callback=refuse_empty,
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Apply the records of a stream, and write the resulting rows as a Parquet file."""
    from lineage_core.streams import states

    last = None if at is None else int(at) if at.isdecimal() else moment("--at", at)
    with progress("replay", MEGABYTES, as_json=as_json) as shown:
        rows = states.write_replayed(chosen_store(), _root(), name, to, last, shown)
    show({"stream": name, "file": to, "rows": rows}, [f"{rows} rows of {name} in {to}"], as_json=as_json)


@leaves(NOTHING_CHANGED)
def verify(
    name: StreamName,
    from_start: Annotated[
        bool, typer.Option("--from-start", help="Apply all records, and compare the checkpoint with them.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Check that the files of a stream are whole, and that it is what its table has, if it is on; exit 1 if not."""
    from lineage_core.streams import verification

    with progress("verify", MEGABYTES, as_json=as_json) as shown:
        found = verification.verify(chosen_store(), _root(), name, from_start=from_start, progress=shown)
    show(found, _verified_lines(name, found), as_json=as_json)
    if found.faults:
        raise typer.Exit(1)


def _verified_lines(name: str, found: StreamVerification) -> Iterator[str]:
    yield f"{name}: {found.records} records in {found.parts} parts, {len(found.faults)} faults"
    yield from found.faults
    if not found.faults and not found.is_compared:
        yield "It was not compared with its table: it is off, or its next publication has all that differs."
    for orphan in found.orphans:
        yield f"{orphan} belongs to no stream: a run was interrupted. `lineage stream compact` removes it"


@leaves("If the file was not written, the streams are published by whom they were.")
def adopt(
    incomplete: Annotated[bool, typer.Option("--incomplete", help="Even if files of the streams are missing.")] = False,
    as_json: AsJson = False,
) -> None:
    """Use after a restore: this database becomes the publisher below LINEAGE_STREAMS_URL."""
    from lineage_core.files import FileFolder
    from lineage_core.streams import publisher_file

    lost = publisher_file.adopt(chosen_store(), _root(), is_incomplete=incomplete)
    adopted = f"Streams below {FileFolder(_root())} are published by this database from now on."
    losses = (f"{one}. Who has read it from there on has to begin anew." for one in lost)
    show(lost, [adopted, *losses], as_json=as_json)


@leaves("What was exported stays, and a repeat continues behind it.")
def export(
    name: StreamName,
    to_iceberg: Annotated[
        str, typer.Option(metavar="NAMESPACE.TABLE", help="The Iceberg table.", callback=refuse_empty)
    ],
    catalog: Annotated[
        str, typer.Option(help="Its catalog, as pyiceberg is configured for it.", callback=refuse_empty)
    ] = "default",
    as_json: AsJson = False,
) -> None:
    """Append new records of a stream to an Iceberg table, which is made if it does not exist."""
    from lineage_core.streams import iceberg, reading

    store, root = chosen_store(), _root()
    if not all(to_iceberg.split(".")[:2]) or "." not in to_iceberg:
        raise WrongUsage(f"--to-iceberg takes NAMESPACE.TABLE, and {to_iceberg!r} is none")
    published = reading.next_offset(store, name)
    records = partial(reading.record_tables, store, root, name)
    with progress("export", Unit("records"), as_json=as_json) as shown:
        exported = iceberg.export(name, records, published, catalog, to_iceberg, shown)
    show(exported, [f"{exported.records} records of {name} exported to {to_iceberg}"], as_json=as_json)


def _bound(by_offset: str, offset: int | None, by_time: str, time_: str | None) -> int | datetime | None:
    """One end of what is read. Raises WrongUsage if it is given twice."""
    if offset is not None and time_ is not None:
        raise WrongUsage(f"{by_offset} and {by_time} both say where it is: give one of them")
    return offset if time_ is None else moment(by_time, time_)


def _reader_schema(store: Store, name: str, schema: int | None, columns: str | None) -> Any:
    """The schema that a reader knows; None is a reader that takes the records as they are."""
    from lineage_core.streams import reading

    if schema is None and columns is None:
        return None
    return reading.reader_schema(store, name, schema, columns_of(columns))


def _root() -> str:
    return ProjectSettings.from_environment().streams_url


def _print(found: Iterator[dict[str, Any]]) -> int:
    """How many records there were."""
    printed = 0
    for record in found:
        typer.echo(json_text(record, _in_utc))
        printed += 1
    return printed


def _in_utc(time_: date) -> str:
    return time_.isoformat().replace("+00:00", "Z")


def _published_lines(outcome: PublicationOutcome) -> Iterator[str]:
    yield from (f"{one.stream}: {one.next_offset - one.start_offset} records" for one in outcome.streams)
    yield from (f"{name}: {_WAITS}" for name in outcome.starting)
    yield f"{outcome.records} records published, in {outcome.parts} parts and {outcome.seconds:.1f} s"


_ELSEWHERE = "left as it is: the database was restored here, and the stream has not been published since"
_TOO_LARGE = "gets no new checkpoint: its rows may not fit into memory"


def _compacted_lines(outcome: CompactionOutcome) -> Iterator[str]:
    for one in outcome.streams:
        checkpoint = "" if one.checkpoint is None else f"; checkpoint at offset {one.checkpoint}"
        yield (
            f"{one.stream}: {one.parts_before} parts of {one.bytes_before} bytes are {one.parts_after} of"
            f" {one.bytes_after} bytes{checkpoint}"
        )
    yield from (f"{name}: {_ELSEWHERE}" for name in outcome.elsewhere)
    yield from (f"{name}: {_TOO_LARGE}" for name in outcome.too_large)
    yield (
        f"{outcome.bytes_before} bytes are {outcome.bytes_after}, {outcome.deleted} files deleted,"
        f" {outcome.orphans} new orphans, in {outcome.seconds:.1f} s"
    )
