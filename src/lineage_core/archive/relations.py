"""What can be asked, by name: files of Parquet, and views of them whose SQL both Spark and DuckDB understand.

| name | has |
|---|---|
| `lineage_events` | archived raw events, each once |
| the name of a stream, as `runs` | its rows as they are now |
| the same with `_changelog` | all its records, those of rows that are gone among them |
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from lineage_core.changelog import STANDARD
from lineage_core.changelog.migrated_records import StreamFiles
from lineage_core.changelog.operations import Operation
from lineage_core.declare.streams import all_streams
from lineage_core.evolution.data_types import Struct
from lineage_core.retention.archived_sets import ArchivedSet
from lineage_core.retention.event_archive import COLUMNS

EVENTS = "lineage_events"
CHANGELOG = "_changelog"

FILENAME = "filename"
"""A column of `EventFiles`: the file that has the event."""

_ALONE, _SHARED = "archived_alone", "archived_more_than_once"
_TAKES_AWAY = f"op IN ({int(Operation.RETRACT)}, {int(Operation.CORRECT_FROM)})"

_LAST_OF_KEY = """
SELECT {columns}
FROM (
    SELECT *, row_number() OVER (PARTITION BY {key} ORDER BY "offset" DESC) AS "_place"
    FROM {records}
) AS records
WHERE "_place" = 1 AND NOT {takes_away}
"""

_APPENDED_AND_NOT_TAKEN_AWAY = """
SELECT {columns}
FROM (
    SELECT
        *,
        row_number() OVER (PARTITION BY {columns}, {takes_away} ORDER BY "offset") AS "_nth",
        count(CASE WHEN {takes_away} THEN 1 END) OVER (PARTITION BY {columns}) AS "_taken_away"
    FROM {records}
) AS records
WHERE NOT {takes_away} AND "_nth" > "_taken_away"
"""
"""As often as a row was appended and not taken away."""

_EACH_ONCE = """
SELECT {columns}
FROM (
    SELECT *, row_number() OVER (PARTITION BY event_time, created_at, event, "_nth" ORDER BY "_set" DESC) AS "_place"
    FROM (
        SELECT *, row_number() OVER (PARTITION BY event_time, created_at, event, "_set" ORDER BY arrival_seq) AS "_nth"
        FROM (
            SELECT *, regexp_replace({filename}, '[^/]*$', '') AS "_set"
            FROM {files}
        ) AS files
    ) AS sets
) AS events
WHERE "_place" = 1
"""
"""Of what several sets have, as often as that has it which has it most often: producers repeat events, too."""

_ALL = """
SELECT {columns}
FROM {files}
"""


@dataclass(frozen=True)
class EventFiles:
    """Parts of event archives, with the name of the file in each row. Columns are `COLUMNS` of the archive."""

    paths: tuple[str, ...]


@dataclass(frozen=True)
class StreamRecords:
    """The parts of a stream, whose rows are its records."""

    files: StreamFiles


@dataclass(frozen=True)
class SqlView:
    """A query of other relations."""

    text: str


Relation = EventFiles | StreamRecords | SqlView


def event_relations(archived: Iterable[ArchivedSet]) -> dict[str, Relation]:
    """`lineage_events`, behind what it is made of.

    An event that was restored, and archived again, is in two sets. Only sets of the same time can share one, so most
    files are read as they are.
    """
    alone, shared = _by_sharing({one.folder.url: one for one in archived}.values())
    files = {name: EventFiles(paths) for name, paths in ((_ALONE, alone), (_SHARED, shared)) if paths}
    columns = ", ".join(map(quoted, COLUMNS))
    queries = {_ALONE: _ALL, _SHARED: _EACH_ONCE}
    texts = (queries[name].strip().format(columns=columns, files=name, filename=FILENAME) for name in files)
    return {**files, EVENTS: SqlView("\nUNION ALL\n".join(texts))}


def stream_relations(name: str, key: Sequence[str], files: StreamFiles) -> dict[str, Relation]:
    """The records of a stream, and its rows as they are now."""
    records = f"{name}{CHANGELOG}"
    columns = STANDARD.data_columns(column_names(files.migration.target))
    rows_now = (_LAST_OF_KEY if key else _APPENDED_AND_NOT_TAKEN_AWAY).strip()
    text = rows_now.format(
        columns=", ".join(map(quoted, columns)),
        key=", ".join(map(quoted, key)),
        records=quoted(records),
        takes_away=_TAKES_AWAY,
    )
    return {records: StreamRecords(files), name: SqlView(text)}


def stream_of(relation: str) -> str | None:
    """The name of the stream of the store that a relation is about."""
    name = relation.removesuffix(CHANGELOG)
    return name if name in {stream.name for stream in all_streams()} else None


def quoted(name: str) -> str:
    """As an identifier of standard SQL, which Spark takes, too, by a setting."""
    return '"' + name.replace('"', '""') + '"'


def column_names(struct: Struct) -> list[str]:
    """Of its fields that are not deleted."""
    return [field.name for field in struct.fields if not field.deleted]


@dataclass(frozen=True)
class _Part:
    archived: str
    path: str
    first_time: datetime
    last_time: datetime


def _by_sharing(archived: Iterable[ArchivedSet]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Files that can share no event with another set, and the others."""
    alone, shared = list[str](), list[str]()
    for parts in _of_the_same_time(archived):
        found = alone if len({part.archived for part in parts}) == 1 else shared
        found += [part.path for part in parts]
    return tuple(alone), tuple(shared)


def _of_the_same_time(archived: Iterable[ArchivedSet]) -> Iterator[list[_Part]]:
    """Parts in groups, of which no two have a moment in common."""
    parts = [
        _Part(one.folder.url, one.folder.file(part.path), part.first_time, part.last_time)
        for one in archived
        for part in one.manifest.parts
    ]
    group, end = list[_Part](), None
    for part in sorted(parts, key=lambda part: (part.first_time, part.path)):
        if end is not None and part.first_time > end:
            yield group
            group, end = [], None
        group.append(part)
        end = part.last_time if end is None else max(end, part.last_time)
    if group:
        yield group
