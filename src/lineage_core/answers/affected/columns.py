"""The columns that come from something bad, by column lineage where versions state it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from lineage_core.answers.affected.answer import AffectedColumn
from lineage_core.answers.affected.walk import WalkFindings
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.typed_rows import every_row


@dataclass(frozen=True)
class _ColumnList:
    """That of the columns of `made` which come from columns of `origin`."""

    made: UUID
    origin: UUID
    pairs: UUID


@dataclass(frozen=True)
class _ColumnPair:
    pairs: UUID
    made: UUID
    origin: UUID


@dataclass(frozen=True)
class _ColumnName:
    uuid: UUID
    name: str


@dataclass
class _BadColumns:
    """Of one version: `all_` is whether every column is bad, or may be."""

    all_: bool = False
    some: set[UUID] = field(default_factory=set)

    def has(self, column: UUID) -> bool:
        return self.all_ or column in self.some


def affected_columns(connection: Connection, start: Collection[UUID], found: WalkFindings) -> Iterator[AffectedColumn]:
    """The bad columns of the versions that a walk has found, in their order.

    start: versions of which every column is bad. found: all of a walk, from these on.
    """
    versions = [*dict.fromkeys((*start, *found.versions))]
    lists = _lists(connection, versions)
    pairs = _pairs(connection, {one.pairs for one in lists})
    silent = _silent([one for one in lists if pairs[one.pairs]], found) - {*start}
    stated = _spread({*start}, lists, pairs)
    possible = _spread({*start, *silent}, lists, pairs)
    names = _names(connection, {column for bad in possible.values() for column in bad.some})
    for version in found.versions:
        yield from _of_version(version, stated[version], possible[version], names)


def _silent(stating: Iterable[_ColumnList], found: WalkFindings) -> set[UUID]:
    """The versions that state of something bad that was read for them no column that is made of it.

    Of this they state nothing, whatever they state of what else was read.
    """
    origins = defaultdict[UUID, set[UUID]](set)
    for one in stating:
        origins[one.made].add(one.origin)
    read = defaultdict[UUID, set[UUID]](set)
    for use in found.reads:
        read[use.run].add(use.version)
    return {one.version for one in found.written if read[one.run] - origins[one.version] - {one.version}}


def _of_version(
    version: UUID, stated: _BadColumns, possible: _BadColumns, names: Mapping[UUID, str]
) -> Iterator[AffectedColumn]:
    if possible.all_:
        yield AffectedColumn(version, None, stated.all_)
    for name, column in sorted((names[column], column) for column in possible.some if column in names):
        if not possible.all_:
            yield AffectedColumn(version, name, stated.has(column))


def _spread(
    whole: Iterable[UUID], lists: Iterable[_ColumnList], pairs: Mapping[UUID, Sequence[_ColumnPair]]
) -> defaultdict[UUID, _BadColumns]:
    """The bad columns of each version, from versions that are bad as a whole on."""
    bad = defaultdict[UUID, _BadColumns](_BadColumns)
    for version in whole:
        bad[version].all_ = True
    made_of = defaultdict[UUID, list[_ColumnList]](list)
    for one in lists:
        made_of[one.origin].append(one)
    waiting = list(bad)
    while waiting:
        origin = waiting.pop()
        for one in made_of[origin]:
            new = {pair.made for pair in pairs[one.pairs] if bad[origin].has(pair.origin)} - bad[one.made].some
            if new and not bad[one.made].all_:
                bad[one.made].some |= new
                waiting.append(one.made)
    return bad


def _lists(connection: Connection, versions: Sequence[UUID]) -> list[_ColumnList]:
    """Between versions that are bad. What was made of one by a version that is not was made of nothing bad."""
    parameters = {"versions": list(versions)}
    known = {*versions}
    found = every_row(connection, _ColumnList, "answers/affected/column_lists", parameters)
    return [one for one in found if one.made in known]


def _pairs(connection: Connection, lists: Collection[UUID]) -> dict[UUID, list[_ColumnPair]]:
    found = defaultdict[UUID, list[_ColumnPair]](list)
    for pair in every_row(connection, _ColumnPair, "answers/affected/column_pairs", {"lists": list(lists)}):
        found[pair.pairs].append(pair)
    return found


def _names(connection: Connection, columns: Collection[UUID]) -> dict[UUID, str]:
    found = every_row(connection, _ColumnName, "answers/affected/column_names", {"columns": list(columns)})
    return {one.uuid: one.name for one in found}
