"""The datasets that a document describes as they will be: a manifest of dbt, a data contract, or one schema."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from lineage_core.answers.impact.data_contract import datasets_of_contract
from lineage_core.answers.impact.dbt_manifest import datasets_of_manifest
from lineage_core.answers.impact.model import DatasetsToCome, DatasetToCome, SchemaToCome
from lineage_core.errors import WrongUsage
from lineage_core.evolution.dataset_history import DescribedField, written_fields
from lineage_core.openlineage.json_limits import is_storable


def described_datasets(
    dbt_manifest: Path | str | None, contract: Path | str | None, namespace: str | None
) -> DatasetsToCome:
    """What the one of both that is given describes. A Path is that of a file, a text is the document itself.

    Raises WrongUsage for none or both, without the namespace of the datasets, and for what cannot be read.
    """
    if namespace is not None:
        match dbt_manifest, contract:
            case (Path() | str()) as source, None:
                return _checked(datasets_of_manifest(source, namespace))
            case None, (Path() | str()) as source:
                return _checked(datasets_of_contract(source, namespace))
    raise WrongUsage("Give a manifest of dbt or a data contract, with the namespace of its datasets")


def dataset_of_schema(namespace: str, name: str, text: str) -> DatasetsToCome:
    """One dataset, whose fields will be those of a text, as `written_fields` takes it."""
    change = SchemaToCome(written_fields(text, "The text"))
    return _checked(DatasetsToCome((DatasetToCome(namespace, name, change),)))


def _checked(described: DatasetsToCome) -> DatasetsToCome:
    """The same, if Postgres can be asked for all that it names. Raises WrongUsage otherwise."""
    for one in described.datasets:
        for name in (one.namespace, one.name, *_names(one.change.fields or ())):
            if not is_storable(name):
                raise WrongUsage(f"The name {name!r} has a character that no name here has: NUL, or half of one")
    return described


def _names(fields: Iterable[DescribedField]) -> Iterator[str]:
    """With those of fields within them."""
    for field in fields:
        yield field.name
        yield from _names(field.fields or ())


def states_one_change(change: SchemaToCome, *, is_named: bool, is_described: bool) -> bool:
    """Whether what changes is stated in one way: all fields of a named dataset, some of them, or a document alone."""
    ways = (is_described, change.fields is not None, bool(change.dropped or change.renamed))
    return is_named != is_described and ways.count(True) == 1
