"""`lineage impact`: who a change to come of a dataset's schema reaches."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from lineage_core.answers.snapshots import waiting_lines
from lineage_core.command_line.groups import Panel
from lineage_core.command_line.options import AsJson, refuse_empty
from lineage_core.command_line.results import show
from lineage_core.errors import WrongUsage
from lineage_core.interrupts import NOTHING_CHANGED, leaves
from lineage_core.local.chosen_store import chosen_store

if TYPE_CHECKING:
    from lineage_core.answers.impact.impact import Consumer, Impact, SchemaToCome


class FailOn(StrEnum):
    """From which verdict on the command fails."""

    BROKEN = "broken"
    UNKNOWN = "unknown"


class _WithPairs(TyperCommand):
    """`--rename OLD NEW` may be given several times. Typer knows no lists of pairs, so each comes as two texts."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        return super().parse_args(ctx, list(_one_by_one(args)))


def _one_by_one(arguments: list[str]) -> Iterator[str]:
    """With `--rename` before the new name, too."""
    for place, argument in enumerate(arguments):
        if arguments[max(place - 2, 0) : place][:1] == ["--rename"] and place > 1:
            yield "--rename"
        yield argument


def register(application: typer.Typer) -> None:
    application.command(cls=_WithPairs, rich_help_panel=Panel.READ)(impact)


@leaves(NOTHING_CHANGED)
def impact(
    *,
    dataset: Annotated[tuple[str, str], typer.Option(metavar="NAMESPACE NAME", help="Any name of the dataset.")],
    schema: Annotated[
        Path | None, typer.Option(metavar="FILE", help="JSON: all fields as they will be, or a schema facet.")
    ] = None,
    drop: Annotated[
        list[str] | None, typer.Option(metavar="COLUMN", help="A column that goes.", callback=refuse_empty)
    ] = None,
    rename: Annotated[
        list[str] | None,
        typer.Option(metavar="OLD NEW", help="A column that gets another name.", callback=refuse_empty),
    ] = None,
    depth: Annotated[int | None, typer.Option(min=1, help="Hops from the dataset; all without it.")] = None,
    limit: Annotated[int, typer.Option(min=1, help="Most consumers of the answer.")] = 1_000,
    after: Annotated[
        str | None, typer.Option(metavar="CURSOR", help="Go on there: `next` of a cut answer.", callback=refuse_empty)
    ] = None,
    fail_on: Annotated[FailOn | None, typer.Option(help="Exit 1 if a consumer is so, or worse.")] = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print a comment for a pull request.")] = False,
    as_json: AsJson = False,
) -> None:
    """List the jobs and datasets that a change of a dataset's schema breaks, or may break."""
    from lineage_core.answers.impact.impact import ImpactVerdict, impact_of

    if markdown and as_json:
        raise WrongUsage("Give --markdown or --json, not both")
    change = _change(schema, drop, rename)
    found = impact_of(chosen_store(), *dataset, change, depth=depth, limit=limit, after=after)
    lines = _markdown(found, *dataset) if markdown else _lines(found)
    show(found, lines, as_json=as_json)
    if fail_on is not None and found.has(ImpactVerdict(fail_on.value)):
        raise typer.Exit(1)


def _change(schema: Path | None, drop: list[str] | None, rename: list[str] | None) -> SchemaToCome:
    from lineage_core.answers.impact.impact import SchemaToCome
    from lineage_core.reading.schema_commands import fields_in

    if (schema is None) == (not drop and not rename):
        raise WrongUsage("Say what changes: --schema FILE, or else --drop COLUMN and --rename OLD NEW")
    fields = None if schema is None else fields_in(schema)
    names = rename or []
    if len(names) % 2:
        raise WrongUsage("--rename takes two names: that of a column now, and that of then")
    renamed = tuple(zip(names[::2], names[1::2], strict=True))
    return SchemaToCome(fields, tuple(drop or ()), renamed)


def _lines(found: Impact) -> Iterator[str]:
    """The answer for people: how much there is first, then what is not in it, then each consumer."""
    counts = found.counts
    yield f"{counts.broken:,} broken, {counts.unknown:,} unknown, {counts.safe:,} safe, as of {found.as_of.isoformat()}"
    yield f"Changed: {', '.join(found.changed) or 'no column that anybody could take'}"
    for refused in found.refused:
        yield f"Refused: {refused}"
    yield from _missing(found)
    for one in found.consumers:
        yield f"{one.verdict}  {one.job} -> {one.dataset or 'no dataset'}  {_columns(one)}({_details(one)})"


def _columns(one: Consumer) -> str:
    return f"{', '.join(one.columns)}  " if one.columns else ""


def _details(one: Consumer) -> str:
    read = f"read {one.last_read.isoformat()}" if one.last_read else "never read"
    return f"hop {one.hops}; {read}; {one.owner or 'no owner'}"


def _missing(found: Impact) -> Iterator[str]:
    """What the answer does not have, and where to look for it."""
    if not found.is_known:
        yield "No event gives a schema of the dataset, so that it is not known what changes."
    if "depth" in found.cut:
        yield "Not complete: more may lie behind these hops. Ask with a larger --depth, or without."
    if "walk" in found.cut:
        yield "Not complete: there are too many consumers. Ask of the datasets that are listed here in turn."
    if found.next is not None:
        yield f"Not complete: there are more. Go on by --after {found.next}"
    yield from waiting_lines(found.waiting_since)


def _markdown(found: Impact, namespace: str, name: str) -> Iterator[str]:
    counts = found.counts
    yield f"### Impact on who reads {_literal(f'{namespace}/{name}')}"
    yield ""
    yield f"**{counts.broken:,} broken**, {counts.unknown:,} unknown, {counts.safe:,} safe"
    for changed in found.changed:
        yield f"- changed: {_literal(changed)}"
    for refused in found.refused:
        yield f"- refused: {_literal(refused)}"
    for missing in _missing(found):
        yield f"- {_literal(missing)}"
    if found.consumers:
        yield ""
        yield "| verdict | job | makes | columns | hops | owner | last read |"
        yield "|---|---|---|---|---|---|---|"
        yield from map(_markdown_row, found.consumers)


def _markdown_row(one: Consumer) -> str:
    columns = " ".join(map(_literal, one.columns))
    makes = _literal(one.dataset) if one.dataset else ""
    owner = _literal(one.owner) if one.owner else ""
    read = one.last_read.isoformat() if one.last_read else ""
    return f"| {one.verdict} | {_literal(one.job)} | {makes} | {columns} | {one.hops} | {owner} | {read} |"


def _literal(text: str) -> str:
    """The text as code in which nothing is markup, a link or a mention: names are what anybody's events say.

    All but letters, digits and spaces become references to characters; what does not print becomes a question mark.
    """
    written = (_character(character) for character in text)
    return f"<code>{''.join(written)}</code>"


def _character(character: str) -> str:
    if character.isalnum() or character == " ":
        return character
    return f"&#{ord(character)};" if character.isprintable() else "?"
