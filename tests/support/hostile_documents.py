"""Documents that producers should not send, divided beforehand: those that must become rows, those that must not.

Each is one line of a file. Random letters are seeded: what compresses would fit into any index.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any

from lineage_core.testing import Document, dataset, dataset_event, facet, job_event, named_job, run_event

Place = tuple[str | int, ...]
Edit = Callable[[Document], None]

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789äöüßéñ"


@dataclass(frozen=True)
class Hostile:
    """One document. `path` is where its fault is, None if it has none that a table could mind."""

    name: str
    raw: bytes
    path: str | None = None


def incompressible(length: int, seed: int) -> str:
    return "".join(random.Random(seed).choices(LETTERS, k=length))


def full_event() -> Document:
    """A COMPLETE event that fills every place which a table reads."""
    described = {
        "schema": facet(fields=[{"name": "id", "type": "BIGINT", "description": "key"}]),
        "dataSource": facet(name="db", uri="postgres://db:5432"),
        "documentation": facet(description="orders"),
        "lifecycleStateChange": facet(lifecycleStateChange="CREATE"),
        "symlinks": facet(identifiers=[{"namespace": "hive", "name": "orders", "type": "TABLE"}]),
    }
    return run_event(
        "COMPLETE",
        run_id="hostile",
        job=named_job(
            "hostile",
            facets={
                "jobType": facet(processingType="BATCH", integration="SPARK", jobType="QUERY"),
                "sourceCodeLocation": facet(type="git", url="https://git.example/load"),
                "documentation": facet(description="loads"),
            },
        ),
        inputs=[dataset("read", facets=deepcopy(described), input_facets={"dataQualityMetrics": facet(rowCount=1)})],
        outputs=[dataset("written", facets=described, output_facets={"outputStatistics": facet(rowCount=1)})],
        facets={
            "nominalTime": facet(nominalStartTime="2026-01-01T00:00:00Z", nominalEndTime="2026-01-01T01:00:00Z"),
            "parent": facet(run={"runId": "above"}, job={"namespace": "shop", "name": "above"}),
        },
    )


REQUIRED: Sequence[Place] = (
    ("run", "runId"),
    ("job", "namespace"),
    ("job", "name"),
    ("inputs", 0, "namespace"),
    ("inputs", 0, "name"),
    ("outputs", 0, "namespace"),
    ("outputs", 0, "name"),
    ("eventTime",),
    ("producer",),
    ("outputs", 0, "facets", "schema", "fields", 0, "name"),
    ("outputs", 0, "facets", "symlinks", "identifiers", 0, "namespace"),
    ("outputs", 0, "facets", "symlinks", "identifiers", 0, "name"),
    ("run", "facets", "parent", "run", "runId"),
    ("run", "facets", "parent", "job", "namespace"),
    ("run", "facets", "parent", "job", "name"),
)
"""Texts that must be there."""

OPTIONAL: Sequence[Place] = (
    ("eventType",),
    ("schemaURL",),
    ("outputs", 0, "facets", "schema", "fields", 0, "type"),
    ("outputs", 0, "facets", "schema", "fields", 0, "description"),
    ("outputs", 0, "facets", "dataSource", "name"),
    ("outputs", 0, "facets", "dataSource", "uri"),
    ("outputs", 0, "facets", "documentation", "description"),
    ("outputs", 0, "facets", "lifecycleStateChange", "lifecycleStateChange"),
    ("outputs", 0, "facets", "symlinks", "identifiers", 0, "type"),
    ("run", "facets", "nominalTime", "nominalStartTime"),
    ("run", "facets", "nominalTime", "nominalEndTime"),
    ("job", "facets", "jobType", "processingType"),
    ("job", "facets", "sourceCodeLocation", "url"),
    ("job", "facets", "documentation", "description"),
)
"""Texts that may be absent or null."""

OBJECTS: Sequence[Place] = (
    ("run", "facets"),
    ("run", "facets", "nominalTime"),
    ("run", "facets", "parent"),
    ("job", "facets"),
    ("job", "facets", "jobType"),
    ("job", "facets", "sourceCodeLocation"),
    ("job", "facets", "documentation"),
    *(
        (side, 0, *place)
        for side in ("inputs", "outputs")
        for place in (
            ("facets",),
            ("facets", "schema"),
            ("facets", "dataSource"),
            ("facets", "documentation"),
            ("facets", "lifecycleStateChange"),
            ("facets", "symlinks"),
        )
    ),
    ("inputs", 0, "inputFacets"),
    ("outputs", 0, "outputFacets"),
)
"""Objects that may be absent or null."""

LISTS: Sequence[Place] = (
    ("inputs",),
    ("outputs",),
    ("inputs", 0, "facets", "schema", "fields"),
    ("outputs", 0, "facets", "schema", "fields"),
    ("outputs", 0, "facets", "symlinks", "identifiers"),
)
"""Lists that may be absent or null."""

WRONG_TYPES: Sequence[tuple[str, Any]] = (
    ("number", 7),
    ("boolean", True),
    ("list", ["x"]),
    ("object", {"x": 1}),
    ("text", "x"),
)

NAMED_PLACES: Sequence[Place] = (
    *(place for place in REQUIRED if place != ("eventTime",)),
    ("outputs", 0, "facets", "schema", "fields", 0, "type"),
    ("outputs", 0, "facets", "schema", "fields", 0, "description"),
    ("outputs", 0, "facets", "dataSource", "name"),
    ("outputs", 0, "facets", "dataSource", "uri"),
    ("outputs", 0, "facets", "documentation", "description"),
    ("job", "facets", "sourceCodeLocation", "url"),
    ("job", "facets", "documentation", "description"),
)

SPELLINGS: Sequence[str] = (
    'it\'s "quoted" `here` «and» “there”',
    "back\\slash \\N \\. \\x41",
    "'; DROP TABLE jobs; --",
    "%s %(name)s {name} $1 :name",
    "tab\tline\nreturn\rbell\x07delete\x7f",
    "данные 数据 データ بيانات נתונים ข้อมูล",
    "👩\u200d👩\u200d👧 e\u0301 \u202eright to left\u202c \ufeff \uffff \U0010ffff",
    " spaces around ",
    "a:b:c<d:e>{f:g}|h,i;j=k&l#m?n/o",
    "NULL",
)

TIMES: Sequence[str] = (
    "2026-01-01T00:00:00",
    "2026-01-01T00:00:00.123456789Z",
    "2026-01-01T00:00:00.9999999999999Z",
    "2026-01-01T00:00:00,5Z",
    "2026-01-01T00:00Z",
    "2026-01-01t00:00:00z",
    "2026-01-01 00:00:00+02:00",
    "2026-01-01T00:00:00+0530",
    "2026-01-01T00:00:00+14:00",
    "2024-02-29T23:59:59.999999-12:00",
    "0001-01-01T00:00:00Z",
    "1969-12-31T23:59:59.999999Z",
    "9999-12-31T23:59:59.999999Z",
)

NO_TIMES: Sequence[str] = (
    "",
    "yesterday",
    "2026-02-30T00:00:00Z",
    "2025-02-29T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-01-01T25:00:00Z",
    "2026-01-01T00:61:00Z",
    "2026-01-01",
    "12:00:00",
    "1767225600",
    "2026-01-01T00:00:00+25:00",
    "2026-01-01T00:00:00 Europe/Berlin",
    "0000-01-01T00:00:00Z",
    "10000-01-01T00:00:00Z",
    "-0044-03-15T00:00:00Z",
    "0001-01-01T00:00:00+14:00",
    "9999-12-31T23:59:59-12:00",
    "infinity",
    "2026-02-30",
    "٢٠٢٦-01-01T00:00:00Z",
)

RUN_IDS: Sequence[str] = (
    "manual__2026-01-01T00:00:00+00:00",
    "1-1-1-1-1",
    "0190A0A0-0000-7000-8000-00000000000F",
    "{0190a0a0-0000-7000-8000-000000000001}",
    "run 7",
    "0",
    "null",
    "ffffffffffffffff-1-1-1-1",
)

NUMBERS: Sequence[str] = (
    "1e400",
    "-1e400",
    "1E-400",
    "12345678901234567890",
    "-98765432109876543210987654321098765432109876543210",
    "0.10000000000000000000000000000000000001",
    "-0",
    "1e5000",
)


def must_normalize() -> list[Hostile]:
    return list(_numbered(_must_normalize()))


def must_quarantine() -> list[Hostile]:
    return list(_numbered(_must_quarantine()))


def good_events(count: int) -> list[Document]:
    return [
        run_event(
            ("START", "COMPLETE")[number % 2],
            run_id=f"good {number // 2}",
            job=named_job(f"job {number // 2 % 40}"),
            time=f"2026-01-{1 + number // 48 % 28:02}T{number // 2 % 24:02}:{number % 60:02}:00Z",
            inputs=[dataset(f"read_{number // 2 % 60}", fields=[("id", "BIGINT"), ("name", "VARCHAR")])],
            outputs=[dataset(f"written_{number // 2 % 40}", fields=[("id", "BIGINT")])],
            facets={"attempt": facet(number=number)},
        )
        for number in range(count)
    ]


def _numbered(documents: Iterator[Hostile]) -> Iterator[Hostile]:
    """Each with a member of its own, so that no two are the same event."""
    for number, hostile in enumerate(documents):
        tagged = hostile.raw.replace(b'"producer": ', b'"number": %d, "producer": ' % number, 1)
        yield Hostile(hostile.name, tagged, hostile.path)


def _must_normalize() -> Iterator[Hostile]:
    for event_type in ("", "start", "Complete", "SUBMITTED", "x" * 64, "ß", "' OR 1=1"):
        yield _edited(f"event type {event_type[:12]!r}", _set(("eventType",), event_type))
    yield _edited("no event type", _delete(("eventType",)))
    for run_id in RUN_IDS:
        yield _edited(f"run id {run_id}", _set(("run", "runId"), run_id))
    yield _edited("run id of 10 KB", _set(("run", "runId"), incompressible(10_000, 1)))
    yield from _long_types_and_locations()
    for place in NAMED_PLACES:
        for spelling in SPELLINGS:
            yield _edited(f"{_path(place)} is {spelling[:12]!r}", _set(place, spelling))
    for place in (*OPTIONAL, *OBJECTS, *LISTS):
        yield _edited(f"{_path(place)} is null", _set(place, None))
        yield _edited(f"{_path(place)} is absent", _delete(place))
    for place in (("inputs", 0), ("outputs", 0)):
        yield _edited(f"{_path(place)} is null", _set(place, None))
    for time in TIMES:
        yield _edited(f"time {time}", _set(("eventTime",), time))
        yield _edited(f"nominal time {time}", _set(("run", "facets", "nominalTime", "nominalStartTime"), time))
    yield from _unknown_facets()
    yield from _duplicate_keys()
    yield from _unreadable_facets()


def _long_types_and_locations() -> Iterator[Hostile]:
    long_type = f"struct<{incompressible(60_000, 2)}>"
    for side in ("inputs", "outputs"):
        column = (side, 0, "facets", "schema", "fields", 0)
        yield _edited(f"{side} with a type of 60 KB", _set((*column, "type"), long_type))
        yield _edited(f"{side} with a description of 60 KB", _set((*column, "description"), long_type))
    yield _as_line("a declared type of 60 KB", dataset_event(dataset("wide", fields=[("id", long_type)])))
    where = f"https://git.example/{incompressible(4_000, 3)}"
    place = ("job", "facets", "sourceCodeLocation", "url")
    for event_type in ("START", "RUNNING", "COMPLETE", "FAIL", "ABORT"):
        yield _edited(f"a location of 4 KB in {event_type}", _set(place, where), _set(("eventType",), event_type))
    streaming = _set(("job", "facets", "jobType", "processingType"), "STREAMING")
    yield _edited("a location of 4 KB of a streaming job", _set(place, where), streaming)
    located = named_job("declared", facets={"sourceCodeLocation": facet(type="git", url=where)})
    yield _as_line("a location of 4 KB in a job event", job_event(located, outputs=[dataset()]))
    source = ("outputs", 0, "facets", "dataSource", "uri")
    yield _edited("an address of a source of 4 KB", _set(source, where))
    widest: tuple[Place, ...] = (("job", "name"), ("inputs", 0, "name"), ("outputs", 0, "name"))
    for seed, place_of_name in enumerate(widest):
        yield _edited(f"{_path(place_of_name)} of 2,000 bytes", _set(place_of_name, incompressible(1_700, 10 + seed)))


def _unknown_facets() -> Iterator[Hostile]:
    owners: Sequence[Place] = (
        ("run", "facets"),
        ("job", "facets"),
        ("inputs", 0, "facets"),
        ("outputs", 0, "facets"),
        ("inputs", 0, "inputFacets"),
        ("outputs", 0, "outputFacets"),
    )
    deep: Any = 0
    for _ in range(400):
        deep = [deep]
    contents: tuple[tuple[str, Any], ...] = (
        ("an object", {"a": [1, None]}),
        ("a list", [1]),
        ("a text", "x"),
        ("empty", {}),
        ("deep", {"d": deep}),
    )
    for owner in owners:
        for name, content in contents:
            yield _edited(f"{_path(owner)} has an unknown facet: {name}", _set((*owner, "company_own"), content))
        yield _edited(f"{_path(owner)} has a facet with a name of 255", _set((*owner, "é" * 255), {"a": 1}))
        for number in NUMBERS:
            written = _edited(f"{_path(owner)} has the number {number}", _set((*owner, "numbers"), {"a": "@"}))
            yield Hostile(written.name, written.raw.replace(b'"@"', number.encode()))


def _duplicate_keys() -> Iterator[Hostile]:
    text = _line(full_event())
    twice: Sequence[tuple[bytes, bytes]] = (
        (b'"eventType": ', b'"eventType": "START", '),
        (b'"runId": ', b'"runId": "the first", '),
        (b'"producer": ', b'"producer": "the first", '),
        (b'"namespace": ', b'"namespace": "the first", '),
        (b'"fields": ', b'"fields": [], '),
        (b'"nominalTime": ', b'"nominalTime": {}, '),
        (b'"inputs": ', b'"inputs": [], '),
        (b'"run": ', b'"run": {"runId": "the first"}, '),
    )
    for key, first in twice:
        yield Hostile(f"{key.decode()}twice", text.replace(key, first + key, 1))


DESCRIBING = {"documentation", "nominalTime", "sourceCodeLocation"}
"""The facets of `full_event` without which the tables only say less: no fault in them costs the event."""


def _describes(place: Place) -> bool:
    return not DESCRIBING.isdisjoint(place)


def _unreadable_facets() -> Iterator[Hostile]:
    for document in (*_other_than("text", OPTIONAL), *_other_than("object", OBJECTS), *_no_nominal_times()):
        if document.path is not None and not DESCRIBING.isdisjoint(document.path.split(".")):
            yield replace(document, path=None)


def _must_quarantine() -> Iterator[Hostile]:
    yield from _wrong_types()
    yield from _without_run_job_or_dataset()
    yield from _no_times()
    yield from _too_long()
    yield from _no_text()
    yield from _no_json()


def _wrong_types() -> Iterator[Hostile]:
    yield from _other_than("text", (*REQUIRED, *(place for place in OPTIONAL if not _describes(place))))
    yield from _other_than("object", (("run",), ("job",), *(place for place in OBJECTS if not _describes(place))))
    yield from _other_than("list", LISTS)
    for place in (*REQUIRED, ("run",), ("job",)):
        yield _edited(f"{_path(place)} is null", _set(place, None), path=_path(place))
    for place in REQUIRED:
        yield _edited(f"{_path(place)} is absent", _delete(place), path=_path(place[:-1]))
    for place in LISTS:
        yield _edited(f"{_path(place)} has a number", _set(place, [7]), path=f"{_path(place)}[0]")


def _other_than(right: str, places: Sequence[Place]) -> Iterator[Hostile]:
    for place in places:
        for kind, value in WRONG_TYPES:
            if kind != right:
                yield _edited(f"{_path(place)} is a {kind}", _set(place, value), path=_path(place))


def _without_run_job_or_dataset() -> Iterator[Hostile]:
    for member in ("run", "job"):
        yield _edited(f"no {member}", _delete((member,)), path=f"$.{member}")
    without_dataset = {key: value for key, value in dataset_event().items() if key != "dataset"}
    yield _as_line("a dataset event without dataset", without_dataset, "$.dataset")
    without_job = {key: value for key, value in job_event().items() if key != "job"}
    yield _as_line("a job event without job", without_job, "$.job")


def _no_times() -> Iterator[Hostile]:
    for time in NO_TIMES:
        yield _edited(f"time {time!r}", _set(("eventTime",), time), path="$.eventTime")


def _no_nominal_times() -> Iterator[Hostile]:
    nominal = ("run", "facets", "nominalTime", "nominalEndTime")
    for time in NO_TIMES:
        yield _edited(f"nominal time {time!r}", _set(nominal, time), path="$.run.facets.nominalTime")


def _too_long() -> Iterator[Hostile]:
    names: Sequence[tuple[Place, int, str]] = (
        *(((side, 0, part), 2_401, f"$.{side}[0].name") for side in ("inputs", "outputs") for part in _NAME),
        *((("job", part), 2_401, "$.job.name") for part in _NAME),
        (("outputs", 0, "facets", "schema", "fields", 0, "name"), 256, "$.outputs[0].facets.schema.fields[0].name"),
        (("outputs", 0, "facets", "dataSource", "name"), 2_401, "$.outputs[0].facets.dataSource.name"),
        (("eventType",), 65, "$.eventType"),
    )
    for seed, (place, length, path) in enumerate(names):
        yield _edited(f"{_path(place)} of {length}", _set(place, incompressible(length, 30 + seed)), path=path)
    parent = ("run", "facets", "parent", "job", "name")
    yield _edited("a parent's name of 4 KB", _set(parent, incompressible(4_000, 20)), path=_path(parent))
    state = ("outputs", 0, "facets", "lifecycleStateChange", "lifecycleStateChange")
    yield _edited("a lifecycle state of 64", _set(state, "x" * 64), path=_path(state))
    identifier = ("outputs", 0, "facets", "symlinks", "identifiers", 0)
    yield _edited(
        "a symlink's name of 2,401", _set((*identifier, "name"), "x" * 2_401), path=_path(identifier) + ".name"
    )
    yield _edited("a symlink's type of 65", _set((*identifier, "type"), "x" * 65), path=_path(identifier) + ".type")
    for owner in (("run", "facets"), ("job", "facets"), ("inputs", 0, "facets"), ("outputs", 0, "outputFacets")):
        yield _edited(f"{_path(owner)} has a name of 256", _set((*owner, "x" * 256), {}), path=_path(owner))


_NAME = ("namespace", "name")


def _no_text() -> Iterator[Hostile]:
    """Characters that Postgres cannot hold, as escapes and as bytes, in every place that a text can have."""
    for place in (*NAMED_PLACES, ("run", "facets", "company_own")):
        for name, written in (("NUL", b"\\u0000"), ("half a pair", b"\\ud83d"), ("the other half", b"\\uDE00 ")):
            marked = _edited(f"{name} in {_path(place)}", _set(place, "before@after"), path=_path(place))
            yield Hostile(marked.name, marked.raw.replace(b"@", written), marked.path)
        marked = _edited(f"no UTF-8 in {_path(place)}", _set(place, "before@after"), path="$")
        for bad in (b"\xff", b"\xc3(", b"\xed\xa0\x80", b"\xc0\x80"):
            yield Hostile(f"{marked.name}: {bad!r}", marked.raw.replace(b"@", bad), marked.path)
    in_key = _edited("NUL in a key", _set(("run", "facets", "own@"), {"a": 1}), path="$.run.facets")
    yield Hostile(in_key.name, in_key.raw.replace(b"@", b"\\u0000"), in_key.path)


def _no_json() -> Iterator[Hostile]:
    text = _line(full_event())
    for depth in (501, 1_000, 5_000):
        for opening, closing in ((b"[", b"]"), (b'{"a": ', b"}")):
            nested = opening * depth + b"0" + closing * depth
            for member in (b'"run": ', b'"facets": ', b'"producer": '):
                deep = text.replace(member, b'"unread": ' + nested + b", " + member, 1)
                yield Hostile(f"nested {depth} levels of {opening!r} before {member!r}", deep, "$")
    for rubbish in (b"}", b" x", b"]", b"\t'", b"\x00", b' "text"', b" 12", b" // why", b" null"):
        yield Hostile(f"{rubbish!r} behind the document", text + rubbish, "$")
    for number in (b"NaN", b"Infinity", b"01", b"1.", b"+1", b"0x10", b"1e999999"):
        yield Hostile(f"{number!r} as a number", text.replace(b'"rowCount": 1', b'"rowCount": ' + number), "$")
    yield Hostile("cut short", text[:-1], "$")
    yield Hostile("cut short in a text", text[: text.index(b"https") + 4], "$")
    yield Hostile("single quotes", text.replace(b'"', b"'"), "$")
    yield Hostile("a raw line break in a text", text.replace(b"hostile", b"hos\x01tile", 1), "$")
    for other in (b"12", b"null", b"true", b'"text"', b"[1, 2]", b"no JSON", b"\xff\xfe{\x00}\x00"):
        yield Hostile(f"{other!r} instead of a document", other, "$")


def _edited(name: str, *edits: Edit, path: str | None = None) -> Hostile:
    document = full_event()
    for edit in edits:
        edit(document)
    return _as_line(name, document, path)


def _as_line(name: str, document: Document, path: str | None = None) -> Hostile:
    return Hostile(name, _line(document), path)


def _line(document: Document) -> bytes:
    return json.dumps(document, ensure_ascii=False).encode()


def _set(place: Place, value: Any) -> Edit:
    def edit(document: Document) -> None:
        _owner(document, place)[place[-1]] = value

    return edit


def _delete(place: Place) -> Edit:
    def edit(document: Document) -> None:
        del _owner(document, place)[place[-1]]

    return edit


def _owner(document: Document, place: Place) -> Any:
    owner: Any = document
    for step in place[:-1]:
        owner = owner[step]
    return owner


def _path(place: Place) -> str:
    return "$" + "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in place)
