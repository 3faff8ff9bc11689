"""The order of a merge: its steps, sorted by what each uses and changes.

Any two steps of which one changes what the other uses stand in an order that follows from the declarations; where it
does not, that is an error. So all orders that the declarations allow give the same rows.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from itertools import combinations, permutations

from lineage_core.declare.vocabulary import DeclarationError, OnDelete, Reference, Table
from lineage_core.model.derivations import DERIVE, STAGED, Derivation, identities

MERGE = "model/merge"
"""Before the name of a table, this makes that of the statement that merges its rows."""

NEW_EVENTS = "new_events"
"""The temporary table that tells a merge of appended rows which events are new."""


@dataclass(frozen=True)
class MergeStep:
    """One script of the merge, by the name of its statement.

    uses: what it reads or changes. writes, removes, makes, before: as of a Derivation. vanishing: tables that lose the
    rows which refer to removed ones. parents: tables whose rows must be there before those that it writes. merges: the
    table whose staged rows it takes in; None of a derivation.
    """

    path: str
    uses: frozenset[str]
    writes: frozenset[str]
    removes: frozenset[str]
    makes: frozenset[str]
    before: frozenset[str]
    vanishing: frozenset[str]
    parents: frozenset[str]
    merges: str | None

    @property
    def is_derived(self) -> bool:
        return self.merges is None

    @property
    def changes(self) -> frozenset[str]:
        return self.writes | self.removes


def merge_order(tables: Iterable[Table], derivations: Iterable[Derivation]) -> tuple[MergeStep, ...]:
    """The steps of a merge in their order; of several that could come next, merges before derivations, then by name.

    Raises DeclarationError if a declaration names what is not declared, if the steps form a cycle, or if nothing says
    which of two steps comes first although the one changes what the other uses.
    """
    known = {table.name: table for table in tables}
    steps = tuple(_steps(known, tuple(derivations)))
    declared = set(_declared_order(steps, known))
    settled = _closure(steps, declared)
    ordered = declared | set(_order_by_use(steps, settled))
    whole = _closure(steps, ordered)
    for one, other in combinations(steps, 2):
        if (one.path, other.path) not in whole and (other.path, one.path) not in whole:
            _refuse_conflict(one, other)
    by_path = {step.path: step for step in steps}
    return tuple(by_path[path] for path in _sorted(steps, ordered))


def is_left_out(step: MergeStep, replaced: Collection[str]) -> bool:
    """Whether all that the step changes are tables in whose place there are views now."""
    return step.is_derived and bool(step.changes) and step.changes <= frozenset(replaced)


def is_idle(step: MergeStep, staged: Mapping[str, int]) -> bool:
    """Whether it would take in the rows of a table that has none, by how many are staged for each table."""
    return step.merges is not None and staged.get(step.merges, 0) == 0


def _steps(tables: Mapping[str, Table], derivations: Sequence[Derivation]) -> Iterator[MergeStep]:
    merged = {name for name, table in tables.items() if table.is_merged}
    made = _made(tables, derivations)
    paths = {f"{MERGE}/{name}" for name in merged} | {f"{DERIVE}/{derivation.name}" for derivation in derivations}
    for name in merged:
        yield _merge(tables[name], merged)
    for derivation in derivations:
        _refuse_unknown(derivation, tables, made, paths)
        step = _derive(derivation, tables)
        if step.makes and is_left_out(step, [name for name, table in tables.items() if table.replacement]):
            raise DeclarationError(
                f"{derivation.name} may be left out, so it cannot make {', '.join(sorted(step.makes))}"
            )
        yield step


def _merge(table: Table, merged: Collection[str]) -> MergeStep:
    """A row waits for those that it refers to. Where these are merged, too, the order of merges sees to that."""
    resolved = {identities(column.entity) for column in table.staged if column.entity is not None}
    return MergeStep(
        path=f"{MERGE}/{table.name}",
        uses=frozenset({STAGED + table.name, table.name, *resolved, *([NEW_EVENTS] if table.append else [])}),
        writes=frozenset({table.name}),
        removes=frozenset(),
        makes=frozenset(),
        before=frozenset(),
        vanishing=frozenset(),
        parents=frozenset(_parents(table)) - frozenset(merged),
        merges=table.name,
    )


def _derive(derivation: Derivation, tables: Mapping[str, Table]) -> MergeStep:
    written = [_table_and_column(name, tables) for name in derivation.writes]
    return MergeStep(
        path=f"{DERIVE}/{derivation.name}",
        uses=frozenset({*derivation.reads, *derivation.writes, *derivation.removes}),
        writes=frozenset(derivation.writes),
        removes=frozenset(derivation.removes),
        makes=frozenset(table.name for table in derivation.makes),
        before=frozenset(derivation.before),
        vanishing=frozenset(_vanishing(derivation.removes, tables)),
        parents=frozenset(parent for table, column in written if table for parent in _parents(table, column)),
        merges=None,
    )


def _table_and_column(name: str, tables: Mapping[str, Table]) -> tuple[Table | None, str | None]:
    table, _, column = name.partition(".")
    return tables.get(table), column or None


def _parents(table: Table, column: str | None = None) -> set[str]:
    """The tables that it refers to, or that the one column does; itself and late references aside."""
    references = [one.reference for one in table.columns if column in (None, one.name)]
    return {reference.table for reference in references if reference and not reference.late} - {table.name}


def _vanishing(removed: Collection[str], tables: Mapping[str, Table]) -> set[str]:
    """The tables whose rows go with rows of the removed tables that they refer to."""
    found: set[str] = set()
    waiting = list(removed)
    while waiting:
        parent = waiting.pop()
        referring = {
            table.name
            for table in tables.values()
            if any(_goes_with(column.reference, parent) for column in table.columns)
        }
        waiting += referring - found
        found |= referring
    return found


def _goes_with(reference: Reference | None, parent: str) -> bool:
    if reference is None or not reference.is_enforced:
        return False
    return reference.table == parent and reference.on_delete is OnDelete.CASCADE


def _declared_order(steps: Sequence[MergeStep], tables: Mapping[str, Table]) -> Iterator[tuple[str, str]]:
    """A temporary table is made before it is used, a step comes before those that it names, parents' merges first."""
    paths = {step.path for step in steps}
    for one, other in permutations(steps, 2):
        if one.makes & other.uses or other.path in one.before:
            yield one.path, other.path
    for step in steps:
        if not step.is_derived:
            for parent in _parents(tables[step.path.removeprefix(f"{MERGE}/")]):
                if f"{MERGE}/{parent}" in paths:
                    yield f"{MERGE}/{parent}", step.path


def _order_by_use(steps: Sequence[MergeStep], settled: Collection[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Of two steps in no order yet, the one that changes what the other uses comes first.

    Where each changes what the other uses, what events say comes before what is derived.
    """
    for one, other in combinations(steps, 2):
        if (one.path, other.path) in settled or (other.path, one.path) in settled:
            continue
        if _feeds(one, other) != _feeds(other, one):
            first, second = (one, other) if _feeds(one, other) else (other, one)
            yield first.path, second.path
        elif _conflict(one, other) and one.is_derived != other.is_derived:
            first, second = (other, one) if one.is_derived else (one, other)
            yield first.path, second.path


def _feeds(one: MergeStep, other: MergeStep) -> bool:
    return bool(one.changes & other.uses or one.writes & other.parents)


def _conflict(one: MergeStep, other: MergeStep) -> frozenset[str]:
    """What the one changes and the other uses, or the other way round. Rows that both remove may go in any order."""
    return (
        (one.changes & other.uses)
        | (other.changes & one.uses)
        | (one.writes & other.parents)
        | (other.writes & one.parents)
        | (one.vanishing & (other.uses - other.removes | other.writes))
        | (other.vanishing & (one.uses - one.removes | one.writes))
    )


def _refuse_conflict(one: MergeStep, other: MergeStep) -> None:
    shared = _conflict(one, other)
    if shared:
        raise DeclarationError(
            f"{one.path} and {other.path} both use {', '.join(sorted(shared))}, which one of them changes, and nothing"
            " says which comes first: name the later one in `before` of the other"
        )


def _closure(steps: Sequence[MergeStep], edges: Collection[tuple[str, str]]) -> set[tuple[str, str]]:
    """All pairs of which the first comes before the second, by way of others, too."""
    following: dict[str, set[str]] = {}
    for path in reversed(_sorted(steps, edges)):
        direct = {later for earlier, later in edges if earlier == path}
        following[path] = direct.union(*(following[later] for later in direct))
    return {(earlier, later) for earlier, found in following.items() for later in found}


def _sorted(steps: Sequence[MergeStep], edges: Collection[tuple[str, str]]) -> list[str]:
    """The paths by the edges, otherwise merges first, then by name."""
    sorter: TopologicalSorter[str] = TopologicalSorter({step.path: () for step in steps})
    for earlier, later in sorted(edges):
        sorter.add(later, earlier)
    try:
        sorter.prepare()
    except CycleError as error:
        raise DeclarationError(f"the steps of the merge form a cycle: {' -> '.join(error.args[1])}") from error
    order: list[str] = []
    ready = list(sorter.get_ready())
    while ready:
        first = min(ready, key=lambda path: (path.startswith(f"{DERIVE}/"), path))
        order.append(first)
        sorter.done(first)
        ready = [*(path for path in ready if path != first), *sorter.get_ready()]
    return order


def _made(tables: Mapping[str, Table], derivations: Iterable[Derivation]) -> set[str]:
    made: set[str] = set()
    for derivation in derivations:
        for temporary in derivation.makes:
            if temporary.name in made or temporary.name in tables:
                raise DeclarationError(f"{derivation.name} makes {temporary.name}, a name that another table has")
            made.add(temporary.name)
    return made


def _refuse_unknown(
    derivation: Derivation, tables: Mapping[str, Table], made: Collection[str], paths: Collection[str]
) -> None:
    for path in derivation.before:
        if path not in paths:
            raise DeclarationError(f"{derivation.name} comes before {path}, which is no step of the merge")
    for name in (*derivation.reads, *derivation.writes, *derivation.removes):
        if name not in made and not _is_declared(name, tables):
            raise DeclarationError(f"{derivation.name} names {name}, which no table or derivation declares")


def _is_declared(name: str, tables: Mapping[str, Table]) -> bool:
    staged, entity = name.removeprefix(STAGED), name.removeprefix(identities(""))
    if staged != name:
        return staged in tables and tables[staged].rows is not None
    if entity != name:
        return entity in tables
    table, column = _table_and_column(name, tables)
    return table is not None and (column is None or column in {one.name for one in table.stored})
