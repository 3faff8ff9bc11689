"""Law: a search gives each name with the text once, over all its pages, in the order that it promises.

The order is compared with a plain reading of the tables, whatever the length of pages, and however few names are put in
order together. What does not change between two pages is found once, whatever else comes, goes or moves.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from lineage_core.answers.graph.model import NodeKind
from lineage_core.answers.search import search as searching
from lineage_core.answers.search.search import FoundName, SearchAnswer, search
from lineage_core.own_lineage.datasets import OWN_NAMESPACE
from lineage_core.postgres.store import Store
from lineage_core.testing import TIME, dataset, named_job, run_event
from tests.support.stores import rows, take_in

pytestmark = pytest.mark.postgres

NAMESPACES = ("lake://one", "lake://two", OWN_NAMESPACE)
WORDS = ("or", "order", "Order", "orders", "day", "border")
TEXTS = ("OR", "_or", "day_order", "é")
WINDOWS = (2, 10, 500)
COLUMNS = [("order", "INT"), ("order", "TEXT"), ("Order", "INT"), ("of_order", "INT"), ("day", "DATE")]


@pytest.fixture
def store(database: Store) -> Store:
    """Names that differ little, of few days, read by few jobs; some of them hidden, some datasets with two names."""
    chance = random.Random(1)
    take_in(database, list(_events(chance)))
    with database.connect() as connection:
        connection.execute("UPDATE datasets SET is_hidden = true WHERE hashtext(name) % 5 = 0")
        connection.execute("UPDATE jobs SET is_hidden = true WHERE hashtext(name) % 5 = 0")
    return database


def _events(chance: random.Random) -> Iterator[dict[str, Any]]:
    for number in range(60):
        time = TIME + timedelta(days=chance.randrange(3), minutes=chance.randrange(60))
        yield run_event(
            "COMPLETE",
            run_id=f"0190a0a0-0000-7000-8000-{number:012}",
            time=time,
            job=named_job(_name(chance), chance.choice(["shop", "store"])),
            inputs=[dataset(_name(chance), chance.choice(NAMESPACES)) for _ in range(2)],
            outputs=[dataset(_name(chance), chance.choice(NAMESPACES), fields=chance.sample(COLUMNS, 2))],
        )


def _name(chance: random.Random) -> str:
    return chance.choice("_. é").join(chance.choices(WORDS, k=chance.randrange(1, 4)))


@pytest.mark.parametrize(
    "kinds",
    [
        pytest.param([NodeKind.DATASET], marks=pytest.mark.slow),
        [NodeKind.JOB],
        [NodeKind.COLUMN],
        pytest.param([*NodeKind], marks=pytest.mark.slow),
    ],
)
def test_pages_have_each_name_once_in_the_order_of_a_plain_reading(
    store: Store, kinds: Sequence[NodeKind], monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(2)
    were_many = 0
    for text in TEXTS:
        for own in (False, True):
            wanted = [
                one for one in _plainly(store, text) if NodeKind(one["kind"]) in kinds and (own or not one["is_own"])
            ]
            for window in WINDOWS:
                monkeypatch.setattr(searching, "PUT_IN_ORDER", window)
                pages = _pages(store, text, kinds, own, limit=chance.choice((1, 2, 7, 200)))
                found = [one for page in pages for one in page.found]
                assert found == _in_order(wanted, window)
                assert len(set(found)) == len(found)
                assert [page.complete for page in pages] == [False] * (len(pages) - 1) + [True]
                if len(wanted) <= window:
                    assert all(page.in_one_order for page in pages)
                elif len(pages) == 1:
                    assert not pages[0].in_one_order
                were_many += len(wanted) > window
    assert were_many


@pytest.mark.parametrize("window", [2, 10])
def test_what_does_not_change_between_pages_is_found_once(
    store: Store, window: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(searching, "PUT_IN_ORDER", window)
    chance = random.Random(window)
    unchanged_before_others = 0
    for _ in range(2):
        readings = [_found_plainly(store)]
        answer = search(store, "or", kinds=[*NodeKind], limit=4)
        found = [*answer.found]
        while answer.next is not None:
            _change(store, chance)
            readings.append(_found_plainly(store))
            answer = search(store, "or", kinds=[*NodeKind], limit=4, after=answer.next)
            found += answer.found
        unchanged = set.intersection(*readings)
        assert {one: found.count(one) for one in unchanged} == dict.fromkeys(unchanged, 1)
        unchanged_before_others += len(unchanged)
        assert len(set.union(*readings)) > len(unchanged)
    assert unchanged_before_others > 20


def _found_plainly(store: Store) -> set[FoundName]:
    return {one["found"] for one in _plainly(store, "or") if one["is_shown"] and not one["is_own"]}


def _change(store: Store, chance: random.Random) -> None:
    """Names that come and go, short ones among them; datasets and jobs named again; jobs that read no more."""
    with store.connect() as connection:
        for change in CHANGES:
            connection.execute(change.encode(), {"name": f"{_name(chance)}_or", "chosen": chance.randrange(40)})


CHANGES = (
    """
    INSERT INTO dataset_symlinks (dataset_uuid, name, namespace_uuid, is_primary, created_at, updated_at, name_uuid)
    SELECT dataset_uuid, %(name)s, namespace_uuid, false, created_at, updated_at, gen_random_uuid()
    FROM dataset_symlinks ORDER BY name_uuid OFFSET %(chosen)s LIMIT 1
    ON CONFLICT DO NOTHING
    """,
    """
    DELETE FROM dataset_symlinks
    WHERE name_uuid = (SELECT name_uuid FROM dataset_symlinks ORDER BY name_uuid OFFSET %(chosen)s LIMIT 1)
    """,
    """
    UPDATE datasets SET updated_at = updated_at + interval '1 day'
    WHERE uuid = (SELECT uuid FROM datasets ORDER BY uuid OFFSET %(chosen)s LIMIT 1)
    """,
    """
    UPDATE jobs SET is_hidden = NOT is_hidden, updated_at = updated_at - interval '1 day'
    WHERE uuid = (SELECT uuid FROM jobs ORDER BY uuid OFFSET %(chosen)s LIMIT 1)
    """,
    """
    UPDATE job_edges SET until_event = '\\x00'
    WHERE name_uuid = (SELECT name_uuid FROM job_edges ORDER BY name_uuid OFFSET %(chosen)s LIMIT 1)
      AND until_event = '\\xff'
    """,
)


def _pages(store: Store, text: str, kinds: Sequence[NodeKind], own: bool, *, limit: int) -> list[SearchAnswer]:
    pages = [search(store, text, kinds=kinds, own=own, limit=limit)]
    while (after := pages[-1].next) is not None:
        pages.append(search(store, text, kinds=kinds, own=own, limit=limit, after=after))
    return pages


def _plainly(store: Store, text: str) -> list[dict[str, Any]]:
    """All with the text in its name, shown or not, as Python reads the tables."""
    sought = _folded(text)
    made = [_made(sought, **dict(zip(_PARTS, row, strict=True))) for row in rows(store, PLAIN)]
    return [one for one in made if sought in _folded(one["text"])]


_PARTS = ("kind", "namespace", "name", "column", "named_in", "is_shown", "updated_at", "uses")

PLAIN = """
WITH readers AS (
    SELECT symlink.dataset_uuid, count(*) AS jobs
    FROM dataset_symlinks AS symlink
    JOIN job_edges AS edge ON edge.name_uuid = symlink.name_uuid
    WHERE edge.role = 1 AND edge.until_event = '\\xff' AND edge.lineage_uuid = '00000000-0000-0000-0000-000000000000'
    GROUP BY symlink.dataset_uuid
)
SELECT
    'dataset', namespace.name, symlink.name, NULL, namespace.uuid,
    NOT dataset.is_hidden, dataset.updated_at, readers.jobs
FROM dataset_symlinks AS symlink
JOIN namespaces AS namespace ON namespace.uuid = symlink.namespace_uuid
JOIN datasets AS dataset ON dataset.uuid = symlink.dataset_uuid
LEFT JOIN readers ON readers.dataset_uuid = dataset.uuid
UNION ALL
SELECT
    'column', dataset.namespace_name, dataset.name, field.name, dataset.uuid,
    NOT dataset.is_hidden, dataset.updated_at, readers.jobs
FROM dataset_fields AS field
JOIN datasets AS dataset ON dataset.uuid = field.dataset_uuid
LEFT JOIN readers ON readers.dataset_uuid = dataset.uuid
UNION ALL
SELECT
    'job', namespace_name, name, NULL, namespace_uuid,
    true, updated_at, (SELECT count(*) FROM runs WHERE job_uuid = jobs.uuid)
FROM jobs
WHERE NOT is_hidden
"""


def _made(sought: str, **row: Any) -> dict[str, Any]:
    text = row["column"] or row["name"]
    folded = _folded(text)
    if folded == sought:
        rank = 0
    elif folded.startswith(sought):
        rank = 1
    else:
        rank = 2 if f" {sought}" in folded.translate(str.maketrans("_-/. :", "      ")) else 3
    found = FoundName(
        kind=NodeKind(row["kind"]),
        namespace=row["namespace"],
        name=row["name"],
        column=row["column"],
        updated_at=row["updated_at"].astimezone(UTC),
        uses=min(row["uses"] or 0, searching.MOST_USES),
    )
    return row | {
        "text": text,
        "found": found,
        "is_own": row["namespace"] == OWN_NAMESPACE,
        "fits": (rank, len(folded), folded, row["kind"], str(row["named_in"]), text),
        "order": (rank, -_day(found.updated_at), -found.uses, len(folded), folded, row["kind"], *_names(found)),
    }


def _folded(text: str) -> str:
    """ASCII capitals alone, as the collation "C" has it. Python orders texts as their bytes in UTF-8."""
    return "".join(one.lower() if one.isascii() else one for one in text)


def _day(moment: datetime) -> int:
    return moment.toordinal()


def _names(found: FoundName) -> tuple[str, str, str]:
    return found.namespace, found.name, found.column or ""


def _in_order(fitting: Sequence[dict[str, Any]], window: int) -> list[FoundName]:
    """A column that has had several types is there for each, and is found once."""
    left = sorted(fitting, key=lambda one: one["fits"])
    found: list[FoundName] = []
    while left:
        together = left[:window]
        shown = sorted((one for one in together if one["is_shown"]), key=lambda one: one["order"])
        found += dict.fromkeys(one["found"] for one in shown)
        left = [one for one in left[window:] if one["fits"] > together[-1]["fits"]]
    return found
