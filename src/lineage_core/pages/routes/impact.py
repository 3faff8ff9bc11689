"""Who a change to come of a dataset's schema reaches."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from typing import Annotated, Any
from uuid import UUID

from fastapi import Query
from pydantic import with_config
from typing_extensions import TypedDict

from lineage_core.answers.graph.borders import other_stores
from lineage_core.answers.graph.graph import graph_snapshot
from lineage_core.answers.graph.model import NodeKind, Root
from lineage_core.answers.graph.store import root_place
from lineage_core.answers.impact.borders import impact_over_borders
from lineage_core.answers.impact.described_datasets import dataset_of_schema, described_datasets
from lineage_core.answers.impact.impact import impact_of, impact_of_all
from lineage_core.answers.impact.model import Impact, SchemaToCome
from lineage_core.errors import WrongUsage
from lineage_core.pages.description import WHOLE
from lineage_core.pages.names import ThingName, names_of
from lineage_core.pages.page import After, Limit, LineagePage, Name, Namespace, Reader, both_names
from lineage_core.pages.rows import known_row
from lineage_core.pages.spreadsheets import Spreadsheet
from lineage_core.pages.uploads import DocumentKind, Sent
from lineage_core.postgres.store import Store
from lineage_core.reading.store import snapshot

MOST_CONSUMERS = 1_000
"""Of the impact of a document, which has no further pages: it is sent once."""


class NoChange(TypedDict):
    """Where nothing is asked for."""

    dataset: None
    document: None


class DatasetChange(TypedDict):
    """What changes of a dataset. drop: its columns that go. renamed: the names of now and of then."""

    namespace: str
    name: str
    drop: tuple[str, ...]
    renamed: tuple[tuple[str, str], ...]


@with_config(WHOLE)
class ImpactPage(TypedDict):
    """impact: null if nothing changes. names: of the jobs and datasets of consumers, by their ids."""

    dataset: DatasetChange
    document: None
    impact: Impact | None
    names: dict[str, ThingName]


class DescribedDocument(TypedDict):
    """What was sent. dataset: of a schema. name: of its file, empty if it was pasted; pasted: its text then."""

    kind: DocumentKind
    namespace: str
    dataset: str | None
    name: str
    pasted: str | None


@with_config(WHOLE)
class DocumentImpact(TypedDict):
    """names: of the jobs and datasets of consumers, by their ids."""

    dataset: None
    document: DescribedDocument
    impact: Impact
    names: dict[str, ThingName]


def impact(
    store: Reader,
    namespace: Namespace = None,
    name: Name = None,
    drop: Annotated[list[str] | None, Query(description="Columns that go, with commas between.")] = None,
    rename: Annotated[list[str] | None, Query(description="Columns that get another name: that of now.")] = None,
    to: Annotated[list[str] | None, Query(description="Their names of then, in the same order.")] = None,
    limit: Limit = 1_000,
    after: After = None,
) -> ImpactPage | NoChange:
    """The jobs and datasets that are broken, or may be, where columns of a dataset go or get another name."""
    whole = both_names(namespace, name)
    if whole is None:
        return {"dataset": None, "document": None}
    namespace, name = whole
    columns = tuple(_dropped(store, namespace, name, drop or []))
    renamed = _renamed(rename or [], to or [])
    dataset: DatasetChange = {"namespace": namespace, "name": name, "drop": columns, "renamed": renamed}
    found = None
    if columns or renamed:
        change = SchemaToCome(dropped=columns, renamed=renamed)
        here = impact_of(store, namespace, name, change, limit=limit, after=after)
        found = impact_over_borders(store, here, other_stores())
    return {"dataset": dataset, "document": None, "impact": found, "names": _names(store, found)}


def _dropped(store: Store, namespace: str, name: str, asked: list[str]) -> Iterator[str]:
    """The columns of each text, which has commas between them; one that is a column as it stands is that column."""
    known = _columns(store, namespace, name) if any("," in one or one != one.strip() for one in asked) else set()
    for one in asked:
        yield from [one] if one in known else filter(None, map(str.strip, one.split(",")))


def _columns(store: Store, namespace: str, name: str) -> set[str]:
    """Of the current version. Raises WrongUsage for a dataset that no event has named."""
    with graph_snapshot(store) as connection:
        uuid = root_place(connection, Root(NodeKind.DATASET, namespace, name)).uuid
        found: dict[str, Any] = known_row(connection, dict, "dataset", dataset=uuid)
    return {field["name"] for field in found["fields"]}


def impact_of_document(store: Reader, sent: Sent) -> DocumentImpact:
    """Likewise, where datasets will be as dbt's manifest or a data contract describes them, or one will have a schema.
    It is sent as the file `document`, or as the text `pasted`, which is given back."""
    match sent.kind:
        case DocumentKind.MANIFEST:
            changes = described_datasets(sent.text, None, sent.namespace)
        case DocumentKind.CONTRACT:
            changes = described_datasets(None, sent.text, sent.namespace)
        case DocumentKind.SCHEMA:
            changes = dataset_of_schema(sent.namespace, sent.dataset, sent.text)
    found = impact_over_borders(store, impact_of_all(store, changes, limit=MOST_CONSUMERS), other_stores())
    described: DescribedDocument = {
        "kind": sent.kind,
        "namespace": sent.namespace,
        "dataset": sent.dataset or None,
        "name": sent.name,
        "pasted": None if sent.name else sent.text,
    }
    return {"dataset": None, "document": described, "impact": found, "names": _names(store, found)}


def _names(store: Store, found: Impact | None) -> dict[str, ThingName]:
    """Of the jobs and datasets of consumers, by their ids as texts."""
    ids = [id_ for one in found.consumers for id_ in (one.job_uuid, one.dataset_uuid)] if found else []
    with snapshot(store) as connection:
        return names_of(connection, {UUID(id_) for id_ in ids if id_ is not None})


def _renamed(now: list[str], then: list[str]) -> tuple[tuple[str, str], ...]:
    """Pairs of names. A form sends fields that were left empty, too."""
    pairs = tuple((one, other) for one, other in zip_longest(now, then, fillvalue="") if one or other)
    if not all(one and other for one, other in pairs):
        raise WrongUsage("A column that gets another name takes both: that of now, and that of then.")
    return pairs


def _spreadsheet(document: ImpactPage | NoChange) -> Spreadsheet:
    found = None if document["dataset"] is None else document["impact"]
    columns = ("verdict", "job", "dataset", "columns", "hops", "owner", "last_read")
    rows = [[getattr(one, column) for column in columns] for one in found.consumers] if found else []
    return Spreadsheet(columns, rows, found is None or found.complete)


PAGE = LineagePage("impact", None, 10, impact, spreadsheet=_spreadsheet, posted=impact_of_document)
