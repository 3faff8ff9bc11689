"""The tools: each asks one question of the store, and gives what the command of its name prints with `--json`."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import datetime
from functools import partial
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import Field

from lineage_core.answers.affected.borders import affected_over_borders
from lineage_core.answers.affected.question import affected_by
from lineage_core.answers.explain.explained_run import explain as explained
from lineage_core.answers.graph.borders import difference_over_borders, graph_over_borders, other_stores
from lineage_core.answers.graph.document import difference_document, graph_document
from lineage_core.answers.graph.known import KnownAt
from lineage_core.answers.graph.model import NodeKind, Root
from lineage_core.answers.graph.walking import DIRECTIONS
from lineage_core.answers.impact.borders import impact_over_borders
from lineage_core.answers.impact.described_datasets import described_datasets, states_one_change
from lineage_core.answers.impact.impact import impact_of, impact_of_all
from lineage_core.answers.impact.model import SchemaToCome
from lineage_core.answers.mcp.fitting import Document, fitted
from lineage_core.answers.search.document import SearchDocument, search_document
from lineage_core.answers.search.search import search as searched
from lineage_core.command_line.options import moment
from lineage_core.errors import WrongUsage
from lineage_core.evolution.dataset_history import described_fields
from lineage_core.postgres.store import Store

Kind = Annotated[Literal["dataset", "job", "column"], Field(description="What is named.")]
Namespace = Annotated[str, Field(description="Its namespace, as `search` gives it.")]
Name = Annotated[str, Field(description="Its name; of a column, the name of its dataset.")]
Column = Annotated[str | None, Field(description="The name of the column, if `kind` is column.")]
Toward = Annotated[
    Literal["up", "down", "both"], Field(description="up: what it was made of. down: what was made of it.")
]
Depth = Annotated[int, Field(ge=0, le=100, description="Edges from it: 1 is one edge, 2 from dataset to dataset.")]
Limit = Annotated[int, Field(ge=1, le=1_000, description="Most things of the answer.")]
After = Annotated[str | None, Field(description="`next` of the answer before, for the same question.")]
Known = Annotated[
    str | None, Field(description="As it was known then (ISO 8601), by what changelog streams had published.")
]
DocumentText = str | dict[str, Any] | None
"""A text that is JSON comes as what it says."""
Time = Annotated[str, Field(description="ISO 8601, in UTC where it names no zone.")]


@dataclass(frozen=True)
class Tools:
    """Questions of one store. Each raises what its answer raises; WrongUsage for arguments that do not fit together."""

    store: Store

    def all(self) -> tuple[Callable[..., dict[str, Any]], ...]:
        return self.search, self.graph, self.graph_diff, self.impact, self.explain, self.affected

    def search(
        self,
        *,
        text: Annotated[str, Field(description="A part of a name.")],
        kinds: Annotated[list[Literal["dataset", "job", "column"]], Field(min_length=1)] = ["dataset", "job"],  # noqa: B006 - pydantic copies it
        limit: Limit = 50,
        after: After = None,
    ) -> dict[str, Any]:
        """Find datasets, jobs or columns by a part of their names. Begin here: other tools take exact names."""
        asked = [NodeKind(kind) for kind in kinds]

        def ask(most: int) -> SearchDocument:
            return search_document(searched(self.store, text, kinds=asked, limit=most, after=after))

        return fitted(ask, limit, halves=_always, after=after)

    def graph(
        self,
        *,
        kind: Kind,
        namespace: Namespace,
        name: Name,
        column: Column = None,
        at: Annotated[Time | None, Field(description="As it was at this moment (ISO 8601); now without it.")] = None,
        known_at: Known = None,
        direction: Toward = "both",
        depth: Depth = 4,
        limit: Limit = 50,
        after: After = None,
        runs: Annotated[bool, Field(description="Also the run and the version that last flowed on each edge.")] = False,
    ) -> dict[str, Any]:
        """The lineage of a dataset, a job or a column, as it is or as it was: nodes, and edges by their ids."""
        asked = partial(
            graph_over_borders,
            self.store,
            _root(kind, namespace, name, column),
            other_stores(),
            at=None if at is None else moment("at", at),
            directions=DIRECTIONS[direction],
            depth=depth,
            after=after,
            with_runs=runs,
            known=_known(known_at),
        )
        return fitted(lambda most: graph_document(asked(most=most), runs), limit, halves=_always, after=after)

    def graph_diff(
        self,
        *,
        kind: Kind,
        namespace: Namespace,
        name: Name,
        earlier: Time,
        later: Time,
        column: Column = None,
        known_at: Known = None,
        direction: Toward = "both",
        depth: Depth = 4,
        limit: Limit = 200,
    ) -> dict[str, Any]:
        """Which edges came and which went between two moments. It has no pages: ask for less if it was cut.

        `known_at` is about the earlier one: of one moment twice, the answer is what late events have changed about it.
        """
        root = _root(kind, namespace, name, column)
        moments: tuple[datetime, datetime] = moment("earlier", earlier), moment("later", later)
        asked = partial(
            difference_over_borders,
            self.store,
            root,
            *moments,
            other_stores(),
            directions=DIRECTIONS[direction],
            depth=depth,
            from_known=_known(known_at),
        )
        return fitted(lambda most: difference_document(asked(most=most)), limit, halves=_never)

    def impact(
        self,
        *,
        namespace: Namespace,
        name: Annotated[str | None, Field(description="The name of the dataset that changes.")] = None,
        drop: Annotated[list[str], Field(description="Columns that go.")] = [],  # noqa: B006 - pydantic copies it
        rename: Annotated[dict[str, str], Field(description="Names of columns now, to those of then.")] = {},  # noqa: B006 - likewise
        fields: Annotated[
            list[dict[str, Any]] | None,
            Field(description="Instead of these, all fields as they will be: each has `name` and `type`."),
        ] = None,
        dbt_manifest: Annotated[
            DocumentText, Field(description="Instead of a name: what dbt's manifest.json has, or some of its nodes.")
        ] = None,
        contract: Annotated[
            DocumentText, Field(description="Instead of a name: a data contract (ODCS v3), as YAML or JSON.")
        ] = None,
        depth: Annotated[
            int | None, Field(ge=1, description="Jobs on the way from the dataset; all without it.")
        ] = None,
        limit: Limit = 50,
        after: After = None,
    ) -> dict[str, Any]:
        """Which jobs and datasets a change of a dataset's schema breaks, directly or not. `counts` are of all pages.

        Of a manifest or a contract, `namespace` is that of its datasets.
        """
        change = SchemaToCome(described_fields(fields), tuple(drop), tuple(rename.items()))
        is_described = dbt_manifest is not None or contract is not None
        if not states_one_change(change, is_named=name is not None, is_described=is_described):
            raise WrongUsage(
                "Say what changes: of a `name` its `fields`, or else `drop` and `rename`;"
                " or `dbt_manifest` or `contract`."
            )
        if name is None:
            changes = described_datasets(_text(dbt_manifest), _text(contract), namespace)
            asked = partial(impact_of_all, self.store, changes, depth=depth, after=after)
        else:
            asked = partial(impact_of, self.store, namespace, name, change, depth=depth, after=after)

        def over_borders(most: int) -> Document:
            return asdict(impact_over_borders(self.store, asked(limit=most), other_stores()))

        return fitted(over_borders, limit, halves=_always, after=after)

    def explain(
        self,
        *,
        run: Annotated[UUID, Field(description="The `uuid` of the run.")],
        hops: Annotated[int, Field(ge=0, le=20, description="How far upstream to look.")] = 5,
        limit: Annotated[int, Field(ge=1, le=100, description="Most causes of the answer.")] = 20,
    ) -> dict[str, Any]:
        """Why a run failed, or why its output differs from that of the last good run: causes, the likeliest first.

        `next` are runs upstream that were not looked at: ask for them by themselves.
        """
        return fitted(lambda most: asdict(explained(self.store, run, hops=hops, most=most)), limit, halves=_never)

    def affected(
        self,
        *,
        run: Annotated[UUID | None, Field(description="A run that wrote something bad.")] = None,
        version: Annotated[UUID | None, Field(description="Or a dataset version that is bad.")] = None,
        limit: Limit = 50,
        after: After = None,
    ) -> dict[str, Any]:
        """Which runs, versions and columns read something bad, and which DAG runs to do again, in order.

        Columns and reruns are only in an answer that has all runs: ask with a higher limit for them.
        """
        asked = partial(affected_by, self.store, run=run, version=version, after=after)

        def over_borders(most: int) -> Document:
            return asdict(affected_over_borders(self.store, asked(limit=most), other_stores()))

        return fitted(over_borders, limit, halves=_goes_on, after=after)


def _known(text: str | None) -> KnownAt | None:
    return None if text is None else KnownAt.by_settings(moment("known_at", text))


def _text(given: DocumentText) -> str | None:
    return json.dumps(given) if isinstance(given, dict) else given


def _always(_: Document) -> bool:
    """Of answers whose pages lack nothing."""
    return True


def _never(_: Document) -> bool:
    """Of answers without pages."""
    return False


def _goes_on(found: Document) -> bool:
    """Of answers whose pages lack what only the whole has."""
    return found["next"] is not None


def _root(kind: str, namespace: str, name: str, column: str | None) -> Root:
    if (kind == NodeKind.COLUMN.value) != (column is not None):
        raise WrongUsage("Give `column` where `kind` is column, and only there.")
    return Root(NodeKind(kind), namespace, name, column)
