"""The phases of a deletion and the steps of each, in the order that follows from what the tables declare.

A phase is a kind of thing, deleted chunk by chunk, with what goes with it and what changes for it. Children go before
parents: a row goes behind those that keep it, and what is left of a table behind the phases that take rows of it along.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from lineage_core import statements
from lineage_core.declare.leaving import ChangesWith, GoesWith, Keeps, Leaves
from lineage_core.declare.registry import in_order
from lineage_core.declare.tables import all_tables
from lineage_core.declare.vocabulary import Column, DeclarationError, Table

FIND = "retention/find"
_MADE = re.compile(r"^CREATE TEMP (?:TABLE|VIEW) (\w+)", re.MULTILINE)


@dataclass(frozen=True)
class Search:
    """A statement of a folder below `retention/find/`, with the temporary tables that it makes."""

    folder: str
    name: str

    @property
    def path(self) -> str:
        return f"{FIND}/{self.folder}/{self.name}"

    @property
    def makes(self) -> frozenset[str]:
        return frozenset(_MADE.findall(statements.without_comments(self.path)))

    def names(self, tables: frozenset[str]) -> bool:
        return not tables.isdisjoint(re.findall(r"\w+", statements.without_comments(self.path)))


def searches(folder: str) -> tuple[Search, ...]:
    """The searches of a folder; each comes behind those whose temporary tables it names.

    Raises DeclarationError if they name each other's in a circle.
    """
    found = {name: Search(folder, name) for name in statements.names(f"{FIND}/{folder}")}
    needs = {
        name: [other for other, made in found.items() if other != name and search.names(made.makes)]
        for name, search in found.items()
    }
    return tuple(found[name] for name in in_order(needs, f"the searches of {FIND}/{folder} form a circle"))


DELETE = "retention/delete/"


@dataclass(frozen=True)
class RetentionStep:
    """What one statement deletes from a table, or changes in it."""

    table: Table
    word: Leaves | GoesWith | ChangesWith

    @property
    def deletes(self) -> bool:
        return not isinstance(self.word, ChangesWith)

    @property
    def statement(self) -> str:
        """The path of its own statement; empty if one that serves all tables deletes its rows."""
        return self.word.statement and DELETE + self.word.statement

    @property
    def column(self) -> str:
        """The column of its table that names what goes."""
        if isinstance(self.word, Leaves):
            return self.word.column or self.word.key
        return self.word.column if isinstance(self.word, GoesWith) else ""

    @property
    def name(self) -> str:
        return self.word.statement or self.table.name


@dataclass(frozen=True)
class Phase:
    kind: str
    table: Table
    found: Leaves
    steps: tuple[RetentionStep, ...]


@cache
def retention_phases() -> tuple[Phase, ...]:
    """The phases of the declared tables."""
    return phases(all_tables())


def planned_phases() -> tuple[Phase, ...]:
    """Those whose things a plan has by their keys."""
    return tuple(phase for phase in retention_phases() if phase.found.planned)


def phases(tables: Iterable[Table]) -> tuple[Phase, ...]:
    """The phases in their order, each with its steps in theirs.

    Raises DeclarationError if a table names a kind that none declares, if a reference to rows that leave is in no word
    of its table, or if what the tables say forms a cycle.
    """
    known = {table.name: table for table in tables}
    kinds = dict(_kinds(known.values()))
    _refuse_unknown(known.values(), kinds)
    for table in known.values():
        _refuse_uncovered(table, known)
    order = in_order(_phase_needs(known, kinds), "what leaves by retention forms a cycle")
    return tuple(_phase(kind, *kinds[kind], known) for kind in order)


def _kinds(tables: Iterable[Table]) -> Iterator[tuple[str, tuple[Table, Leaves]]]:
    for table in sorted(tables, key=lambda one: one.name):
        for found in table.on_leaving(Leaves):
            yield found.kind or table.name, (table, found)


def _refuse_unknown(tables: Iterable[Table], kinds: Mapping[str, tuple[Table, Leaves]]) -> None:
    for table in tables:
        companions: list[GoesWith | ChangesWith] = [*table.on_leaving(GoesWith), *table.on_leaving(ChangesWith)]
        for word in companions:
            if word.kind not in kinds:
                raise DeclarationError(f"{table.name}: rows go or change with {word.kind}, which no table `Leaves`")
        uncounted = [word.statement for word in table.on_leaving(GoesWith) if word.statement]
        if uncounted and not _is_counted(table):
            raise DeclarationError(f"{table.name}: no plan counts the rows that {uncounted[0]} deletes")


def _is_counted(table: Table) -> bool:
    """Whether something tells a plan how many rows there are: what takes them along, or the table's own `Leaves`."""
    words = table.on_leaving(GoesWith)
    return any(found.is_deleted for found in table.on_leaving(Leaves)) or any(other.counted for other in words)


def _refuse_uncovered(table: Table, tables: Mapping[str, Table]) -> None:
    for column in table.columns:
        parent = tables[column.reference.table] if column.reference else None
        if parent is not None and _loses_rows(parent) and not _is_covered(table, column, parent):
            raise DeclarationError(
                f"{table.name}.{column.name} names rows of {parent.name}, which retention deletes: say in `retention`"
                f" of {table.name} whether its rows go with them, keep them, or name them no more"
            )


def _loses_rows(table: Table) -> bool:
    return any(found.is_deleted for found in table.on_leaving(Leaves)) or bool(table.on_leaving(GoesWith))


def _is_covered(table: Table, column: Column, parent: Table) -> bool:
    return (
        any(word.kind == parent.name and word.column in ("", column.name) for word in table.on_leaving(GoesWith))
        or any(parent.name in word.clears for word in table.on_leaving(ChangesWith))
        or any(word.table == parent.name and column.name in word.columns for word in table.on_leaving(Keeps))
    )


def _phase_needs(tables: Mapping[str, Table], kinds: Mapping[str, tuple[Table, Leaves]]) -> dict[str, set[str]]:
    """For each kind, those that come before it."""
    needs: dict[str, set[str]] = {kind: set() for kind in kinds}
    for kind, (table, found) in kinds.items():
        if found.is_deleted:
            needs[kind] |= _going_with(table)
            for child in tables.values():
                needs[kind] |= _before(child, table)
    return {kind: needed - {kind} for kind, needed in needs.items()}


def _before(child: Table, parent: Table) -> set[str]:
    """The kinds in which rows of the child go, or cease to name the parent's."""
    found: set[str] = set()
    if any(word.table == parent.name for word in child.on_leaving(Keeps)):
        found |= _going_with(child) | {own.kind or child.name for own in child.on_leaving(Leaves) if own.is_deleted}
    for word in child.on_leaving(ChangesWith):
        if parent.name in word.clears:
            found.add(word.kind)
    return found


def _going_with(table: Table) -> set[str]:
    return {word.kind for word in table.on_leaving(GoesWith)}


def _phase(kind: str, table: Table, found: Leaves, tables: Mapping[str, Table]) -> Phase:
    steps = {step.name: step for step in _steps(kind, table, found, tables)}
    needs = {name: _steps_before(step, table, steps.values()) - {name} for name, step in steps.items()}
    order = in_order(needs, f"the steps of the phase {kind} form a cycle")
    return Phase(kind, table, found, tuple(steps[name] for name in order))


def _steps(kind: str, table: Table, found: Leaves, tables: Mapping[str, Table]) -> Iterator[RetentionStep]:
    for one in sorted(tables.values(), key=lambda other: other.name):
        yield from (RetentionStep(one, word) for word in one.on_leaving(GoesWith) if word.kind == kind)
        yield from (RetentionStep(one, word) for word in one.on_leaving(ChangesWith) if word.kind == kind)
    if found.is_deleted:
        yield RetentionStep(table, found)


def _steps_before(step: RetentionStep, leaving: Table, steps: Iterable[RetentionStep]) -> set[str]:
    return {other.name for other in steps if other is not step and _comes_before(other, step, leaving)}


def _comes_before(one: RetentionStep, other: RetentionStep, leaving: Table) -> bool:
    """A change is made of what is left of its table. What looks at rows, names or keeps them goes before them."""
    if isinstance(one.word, ChangesWith) and one.word.once_gone:
        return False
    if isinstance(other.word, ChangesWith):
        is_behind = other.word.once_gone and isinstance(one.word, Leaves)
        return is_behind or (one.deletes and one.table is other.table is not leaving)
    if isinstance(one.word, Leaves):
        return _keeps(one.table, other.table)
    if isinstance(other.word, Leaves):
        return not _keeps(other.table, one.table)
    return _keeps(one.table, other.table) or _clears(one, other.table) or _looks_at(one, other.table)


def _keeps(child: Table, parent: Table) -> bool:
    return any(word.table == parent.name for word in child.on_leaving(Keeps))


def _clears(step: RetentionStep, table: Table) -> bool:
    return isinstance(step.word, ChangesWith) and table.name in step.word.clears


def _looks_at(step: RetentionStep, table: Table) -> bool:
    """Whether its statement names the table; a table's own rows are no matter of order."""
    if not step.statement or step.table is table:
        return False
    return re.search(rf"\b{table.name}\b", statements.without_comments(step.statement)) is not None
