"""What a `manifest.json` of dbt says that the columns of its models and sources will be."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec

from lineage_core.answers.impact.given_documents import GivenDocument
from lineage_core.answers.impact.model import DatasetsToCome, DatasetToCome, SchemaToCome
from lineage_core.errors import WrongUsage
from lineage_core.evolution.dataset_history import DescribedField

_STORED = {"model", "seed", "snapshot", "source"}
"""The kinds of nodes that are tables or views."""

_EPHEMERAL = "ephemeral"
"""How a model is materialized that is a part of the queries of others."""


class _DbtColumn(msgspec.Struct):
    name: str
    data_type: str | None = None


class _DbtConfiguration(msgspec.Struct):
    materialized: str | None = None


class _DbtNode(msgspec.Struct):
    name: str
    resource_type: str
    schema: str | None = None
    database: str | None = None
    alias: str | None = None
    columns: dict[str, _DbtColumn] = {}
    config: _DbtConfiguration = msgspec.field(default_factory=_DbtConfiguration)


class _DbtManifest(msgspec.Struct):
    nodes: dict[str, _DbtNode]
    sources: dict[str, _DbtNode] = {}


def datasets_of_manifest(source: Path | str, namespace: str) -> DatasetsToCome:
    """The datasets of the manifest, named in the namespace as dbt-ol names them. Raises WrongUsage if it is none.

    source: its file, or its text.
    """
    given = GivenDocument(source)
    try:
        manifest = msgspec.json.decode(given.read(), type=_DbtManifest)
    except (OSError, msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise WrongUsage(f"{given} is no manifest of dbt that can be read: {error}") from error
    return _datasets([*manifest.nodes.values(), *manifest.sources.values()], namespace)


def _datasets(nodes: Iterable[_DbtNode], namespace: str) -> DatasetsToCome:
    stored = [one for one in nodes if one.resource_type in _STORED and one.config.materialized != _EPHEMERAL]
    return DatasetsToCome(
        tuple(DatasetToCome(namespace, _name(one), _schema(one)) for one in stored if one.columns),
        tuple(f"{namespace}/{_name(one)}" for one in stored if not one.columns),
    )


def _name(node: _DbtNode) -> str:
    """A source has no alias, and dbt-ol does not ask for its `identifier`."""
    return ".".join(part for part in (node.database, node.schema, node.alias or node.name) if part)


def _schema(node: _DbtNode) -> SchemaToCome:
    fields = tuple(DescribedField(one.name, one.data_type) for one in node.columns.values())
    return SchemaToCome(fields, ignores_case=True)
