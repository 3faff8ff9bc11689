"""The answers about lineage for notebooks: as values, as Arrow or pandas, and graphs that draw themselves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, date, datetime
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar
from uuid import UUID

from lineage_core.answers.affected.answer import MOST_RUNS, AffectedAnswer
from lineage_core.answers.affected.borders import affected_over_borders
from lineage_core.answers.affected.question import affected_by
from lineage_core.answers.explain.explained_run import HOPS, MOST_CAUSES
from lineage_core.answers.explain.explained_run import explain as explained
from lineage_core.answers.explain.explanation import Explanation
from lineage_core.answers.graph.borders import difference_over_borders, graph_over_borders, other_stores
from lineage_core.answers.graph.difference import GraphDifference
from lineage_core.answers.graph.document import difference_document, graph_document
from lineage_core.answers.graph.graph import BOTH, MOST_NODES
from lineage_core.answers.graph.known import KnownAt
from lineage_core.answers.graph.model import Graph, NodeKind, Root
from lineage_core.answers.graph.picture import picture
from lineage_core.answers.graph.walking import Direction
from lineage_core.answers.impact.borders import impact_over_borders
from lineage_core.answers.impact.described_datasets import described_datasets, states_one_change
from lineage_core.answers.impact.impact import MOST_CONSUMERS, impact_of, impact_of_all
from lineage_core.answers.impact.model import Impact, SchemaToCome
from lineage_core.answers.search.document import search_document
from lineage_core.answers.search.search import MOST_FOUND, USUAL_KINDS, SearchAnswer
from lineage_core.answers.search.search import search as searched
from lineage_core.command_line.options import moment
from lineage_core.command_line.results import json_text
from lineage_core.errors import NeedsOperator, WrongUsage
from lineage_core.evolution.dataset_history import described_fields
from lineage_core.local.chosen_store import chosen_reader_store
from lineage_core.postgres.store import Store
from lineage_core.settings import Dsn

if TYPE_CHECKING:
    import pandas
    import pyarrow

Found = TypeVar("Found", Graph, GraphDifference, Impact, Explanation, AffectedAnswer, SearchAnswer)

_TEXTS, _TIME = "texts", "time"
_NODES = {"id": str, "kind": str, "namespace": str, "name": str, "column": str}
_NAMED = {one: kind for one, kind in _NODES.items() if one != "id"}
_FOUND = _NAMED | {"updated_at": _TIME, "uses": int}
_EDGES = {
    "from": str,
    "to": str,
    "kind": str,
    "since": _TIME,
    "until": _TIME,
    "last_seen": _TIME,
    "runs": int,
}
_EVENT = {"id": str, "time": _TIME, "run": str}
_CHANGES = _EDGES | {"event": _EVENT, "by_rename": bool}
_RENAMES = {"from": _NODES, "to": _NODES, "event": _EVENT}
_DAG_RUN = {"namespace": str, "dag": str, "run": str}
Columns = Mapping[str, Any]
"""Names of columns, and what each holds: a type of Python, a time, texts, what a struct has, or that in a list."""


@dataclass(frozen=True)
class ClientAnswer(Generic[Found]):
    """An answer, and the tables of it.

    value: the answer itself, with all its members typed. document: what the command prints with `--json`.
    """

    value: Found
    document: Mapping[str, Any] = field(repr=False)
    _tables: Mapping[str, Columns] = field(repr=False)

    @property
    def complete(self) -> bool:
        """Whether nothing is missing. Else the members of `value` say what is, and how to go on."""
        return self.value.complete

    def to_arrow(self) -> dict[str, pyarrow.Table]:
        """A table for each list of the answer, by its name. Times are in UTC, ids are texts.

        The metadata of each schema has all else of the answer as JSON, under `lineage`: `complete` among it.
        """
        rest = json_text({name: value for name, value in self.document.items() if name not in self._tables})
        return {name: _table(self.document[name], columns, rest) for name, columns in self._tables.items()}

    def to_pandas(self) -> dict[str, pandas.DataFrame]:
        """Likewise. Raises NeedsOperator where pandas is not installed."""
        try:
            import pandas  # noqa: F401
        except ImportError as error:
            raise NeedsOperator("pandas is not installed: install it, or take to_arrow().") from error
        tables = self.to_arrow().items()
        return {name: table.to_pandas() for name, table in tables}


@dataclass(frozen=True)
class GraphAnswer(ClientAnswer[Graph]):
    """A graph, which a notebook shows as a picture."""

    def _repr_svg_(self) -> str:
        return picture(self.value)

    def _repr_html_(self) -> str:
        state = "complete" if self.complete else "not complete"
        counts = f"{len(self.value.nodes)} nodes, {len(self.value.edges)} edges, {state}"
        return f"<div>{picture(self.value)}<p>{escape(counts)}, at {escape(self.value.at.isoformat())}</p></div>"


Names = tuple[str, str]
"""Namespace and name."""

Time = datetime | str
"""A text is in ISO 8601. In UTC where it names no zone."""


class Client:
    """A store to ask. Its sessions only read; each answer is of one moment of the store.

    Every question raises what its answer raises: WrongUsage for what is unknown or does not fit together, and
    StoreUnavailable where the store cannot be reached.
    """

    def __init__(self, dsn: str | None = None) -> None:
        """dsn: of a login with the role lineage_reader. None for the store that `LINEAGE_READER_DSN` or `LINEAGE_DSN`
        names, and else the embedded one."""
        self._store = chosen_reader_store() if dsn is None else Store(Dsn(dsn))
        self._others = other_stores() if dsn is None else None

    def search(
        self,
        text: str,
        *,
        kinds: Iterable[NodeKind | str] = USUAL_KINDS,
        limit: int = MOST_FOUND,
        after: str | None = None,
        own: bool = False,
    ) -> ClientAnswer[SearchAnswer]:
        """What has a text in its name, as `lineage search`; with `own`, the store's own tables, too. Tables: `found`,
        and `similar` if nothing is."""
        found = searched(self._store, text, kinds=[NodeKind(kind) for kind in kinds], limit=limit, after=after, own=own)
        return ClientAnswer(found, search_document(found), {"found": _FOUND, "similar": _NAMED})

    def graph(
        self,
        *,
        dataset: Names | None = None,
        job: Names | None = None,
        column: tuple[str, str, str] | None = None,
        at: Time | None = None,
        directions: Iterable[Direction | str] = BOTH,
        depth: int | None = None,
        limit: int = MOST_NODES,
        after: str | None = None,
        runs: bool = False,
        known_at: Time | None = None,
    ) -> GraphAnswer:
        """The lineage of one thing, as `lineage graph`. Tables: `nodes`, `edges`."""
        found = graph_over_borders(
            self._store,
            _root(dataset, job, column),
            self._others,
            at=None if at is None else _moment("at", at),
            directions=_directions(directions),
            depth=depth,
            after=after,
            most=limit,
            with_runs=runs,
            known=_known("known_at", known_at),
        )
        edges = _EDGES | ({"run": str, "version": str} if runs else {})
        return GraphAnswer(found, graph_document(found, runs), {"nodes": _NODES, "edges": edges})

    def graph_diff(
        self,
        earlier: Time,
        later: Time,
        *,
        dataset: Names | None = None,
        job: Names | None = None,
        column: tuple[str, str, str] | None = None,
        directions: Iterable[Direction | str] = BOTH,
        depth: int | None = None,
        limit: int = MOST_NODES,
        known_at: Time | None = None,
        later_known_at: Time | None = None,
    ) -> ClientAnswer[GraphDifference]:
        """Which edges came and went, as `lineage graph diff`. Tables: `nodes`, `came`, `went`, `renamed`.

        known_at, later_known_at: when the earlier and the later graph were known so; None for what is known now.
        """
        found = difference_over_borders(
            self._store,
            _root(dataset, job, column),
            _moment("earlier", earlier),
            _moment("later", later),
            self._others,
            directions=_directions(directions),
            depth=depth,
            most=limit,
            from_known=_known("known_at", known_at),
            to_known=_known("later_known_at", later_known_at),
        )
        tables: dict[str, Columns] = {"nodes": _NODES, "came": _CHANGES, "went": _CHANGES, "renamed": _RENAMES}
        return ClientAnswer(found, difference_document(found), tables)

    def impact(
        self,
        dataset: Names | None = None,
        *,
        drop: Iterable[str] = (),
        rename: Mapping[str, str] | None = None,
        fields: list[dict[str, Any]] | None = None,
        dbt_manifest: Path | str | None = None,
        contract: Path | str | None = None,
        namespace: str | None = None,
        depth: int | None = None,
        limit: int = MOST_CONSUMERS,
        after: str | None = None,
    ) -> ClientAnswer[Impact]:
        """Whom a change of a schema breaks, as `lineage impact`. Table: `consumers`.

        rename: names now, to those of then. fields: instead of these, all fields as they will be, as in JSON.
        dbt_manifest, contract: instead of a dataset, what describes several of a namespace: the Path of a file, or its
        text.
        """
        _check_number("limit", limit, 1)
        _check_number("depth", depth, 1)
        if isinstance(drop, str):
            raise WrongUsage(f"drop {drop!r} is a text: give the names of columns, such as drop=[{drop!r}]")
        change = SchemaToCome(described_fields(fields), tuple(drop), tuple((rename or {}).items()))
        is_described = dbt_manifest is not None or contract is not None
        if not states_one_change(change, is_named=dataset is not None, is_described=is_described):
            raise WrongUsage(
                "Say what changes: of a dataset fields, or else drop and rename; or dbt_manifest or contract, by itself"
            )
        if dataset is None:
            changes = described_datasets(dbt_manifest, contract, namespace)
            found = impact_of_all(self._store, changes, depth=depth, limit=limit, after=after)
        else:
            found = impact_of(self._store, *dataset, change, depth=depth, limit=limit, after=after)
        found = impact_over_borders(self._store, found, self._others)
        consumers = {
            "job": str,
            "dataset": str,
            "columns": _TEXTS,
            "verdict": str,
            "hops": int,
            "owner": str,
            "last_read": _TIME,
            "job_uuid": str,
            "dataset_uuid": str,
        }
        return ClientAnswer(found, asdict(found), {"consumers": consumers})

    def explain(self, run: UUID | str, *, hops: int = HOPS, limit: int = MOST_CAUSES) -> ClientAnswer[Explanation]:
        """Why a run failed, or why its output differs, as `lineage explain`. Table: `causes`."""
        _check_number("hops", hops, 0)
        _check_number("limit", limit, 1)
        found = explained(self._store, _uuid("run", run), hops=hops, most=limit)
        causes = {
            "kind": str,
            "subject": str,
            "run": str,
            "job": str,
            "hops": int,
            "weight": float,
            "evidence": [{"kind": str, "id": str, "says": str}],
        }
        return ClientAnswer(found, asdict(found), {"causes": causes})

    def affected(
        self,
        *,
        run: UUID | str | None = None,
        version: UUID | str | None = None,
        limit: int = MOST_RUNS,
        after: str | None = None,
    ) -> ClientAnswer[AffectedAnswer]:
        """What read something bad, as `lineage affected`.

        Tables: `runs`, `versions`, `evidence`, `columns`, `reruns`, `others`.
        """
        _check_number("limit", limit, 1)
        found = affected_by(
            self._store,
            run=None if run is None else _uuid("run", run),
            version=None if version is None else _uuid("version", version),
            limit=limit,
            after=after,
        )
        found = affected_over_borders(self._store, found, self._others)
        tables: dict[str, Columns] = {
            "runs": {"run": str},
            "versions": {"version": str},
            "evidence": {"run": str, "version": str},
            "columns": {"version": str, "column": str, "is_stated": bool},
            "reruns": _DAG_RUN | {"after": [_DAG_RUN], "is_circular": bool},
            "others": {"run": str, "namespace": str, "job": str, "before": _DAG_RUN},
        }
        return ClientAnswer(found, asdict(found), tables)


def _without(columns: Columns, name: str) -> Columns:
    return {one: kind for one, kind in columns.items() if one != name}


def _root(dataset: Names | None, job: Names | None, column: tuple[str, str, str] | None) -> Root:
    given = [
        Root(kind, *names)
        for kind, names in ((NodeKind.DATASET, dataset), (NodeKind.JOB, job), (NodeKind.COLUMN, column))
        if names
    ]
    if len(given) != 1:
        raise WrongUsage("Name one thing: dataset=(namespace, name), job=…, or column=(namespace, name, column)")
    return given[0]


def _directions(given: Iterable[Direction | str]) -> list[Direction]:
    try:
        return [Direction(one) for one in given]
    except ValueError as error:
        raise WrongUsage(f"{error}: directions are {', '.join(one.value for one in Direction)}") from error


def _moment(name: str, given: Time) -> datetime:
    if isinstance(given, str):
        return moment(name, given)
    return given if given.tzinfo else given.replace(tzinfo=UTC)


def _known(name: str, given: Time | None) -> KnownAt | None:
    return None if given is None else KnownAt.by_settings(_moment(name, given))


def _check_number(name: str, given: int | None, least: int) -> None:
    if given is not None and given < least:
        raise WrongUsage(f"{name} {given} is too small: give {least} at least")


def _uuid(name: str, given: UUID | str) -> UUID:
    try:
        return given if isinstance(given, UUID) else UUID(given)
    except ValueError as error:
        raise WrongUsage(f"{name} {given!r} is no uuid") from error


def _table(rows: Iterable[Any], columns: Columns, rest: str) -> pyarrow.Table:
    import pyarrow

    schema = pyarrow.schema([(name, _arrow_type(kind)) for name, kind in columns.items()], {"lineage": rest})
    return pyarrow.Table.from_pylist([_row(row, columns) for row in rows], schema)


def _row(row: Any, columns: Columns) -> Any:
    """Of a list of ids, each is a row of one column."""
    return _plain(row if isinstance(row, Mapping) else dict.fromkeys(columns, row))


def _arrow_type(kind: Any) -> pyarrow.DataType:
    import pyarrow

    if isinstance(kind, list):
        return pyarrow.list_(_arrow_type(kind[0]))
    if isinstance(kind, Mapping):
        return pyarrow.struct([(name, _arrow_type(inner)) for name, inner in kind.items()])
    types = {
        str: pyarrow.string(),
        int: pyarrow.int64(),
        float: pyarrow.float64(),
        bool: pyarrow.bool_(),
        _TIME: pyarrow.timestamp("us", "UTC"),
        _TEXTS: pyarrow.list_(pyarrow.string()),
    }
    return types[kind]


def _plain(value: Any) -> Any:
    """Ids as texts, at any depth."""
    if isinstance(value, Mapping):
        return {name: _plain(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    return value if value is None or isinstance(value, bool | int | float | date) else str(value)
