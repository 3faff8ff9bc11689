"""What a data contract says that columns will be: one of the Open Data Contract Standard, version 3, in YAML."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
import yaml

from lineage_core.answers.impact.given_documents import GivenDocument
from lineage_core.answers.impact.model import DatasetsToCome, DatasetToCome, SchemaToCome
from lineage_core.errors import WrongUsage
from lineage_core.evolution.dataset_history import DescribedField
from lineage_core.evolution.described_types import ELEMENT

_KEPT_TAGS = {"tag:yaml.org,2002:null", "tag:yaml.org,2002:merge"}


_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""By libyaml, which PyYAML's own packages have, it takes a tenth of the time."""

DEEPEST = 200
"""Levels of lists and objects. libyaml reads deeper ones by recursion, for which a process has no more room."""

MOST_VALUES = 1_000_000
"""Of a document, with each alias written out: some lines of aliases of aliases stand for more than a memory holds."""


class _TextLoader(_Loader):  # type: ignore[misc]
    """Reads what is not quoted as text, too: `no` and `2026` may be names."""

    yaml_implicit_resolvers = {  # noqa: RUF012 - as PyYAML declares it
        first: [(tag, pattern) for tag, pattern in resolvers if tag in _KEPT_TAGS]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }


class _ContractProperty(msgspec.Struct, rename="camel"):
    """A column, a field within one, or with `items` a list."""

    name: str = ""
    physical_name: str | None = None
    physical_type: str | None = None
    properties: tuple[_ContractProperty, ...] | None = None
    items: _ContractProperty | None = None


class _ContractObject(msgspec.Struct, rename="camel"):
    name: str
    physical_name: str | None = None
    properties: tuple[_ContractProperty, ...] | None = None


class _Contract(msgspec.Struct, rename="camel"):
    kind: str = ""
    api_version: str = ""
    schema: tuple[_ContractObject, ...] = ()


def datasets_of_contract(source: Path | str, namespace: str) -> DatasetsToCome:
    """The objects of the contract, as datasets of the namespace. Raises WrongUsage if it is no such contract.

    source: its file, or its text.
    """
    given = GivenDocument(source)
    try:
        contract = msgspec.convert(_document(given), _Contract)
    except (OSError, yaml.YAMLError, msgspec.ValidationError, UnicodeError, RecursionError) as error:
        what = " ".join(str(error).split())  # of YAML it has several lines, one of which draws where it is
        raise WrongUsage(f"{given} is no data contract that can be read: {what}") from error
    if contract.kind != "DataContract" or not contract.api_version.startswith("v3."):
        raise WrongUsage(f"{given} is no data contract of version 3: it has `kind: DataContract`, `apiVersion: v3.…`")
    return _datasets(contract.schema, namespace)


def _document(given: GivenDocument) -> Any:
    text = given.read()
    _check_size(given, text)
    return yaml.load(text, Loader=_TextLoader)  # noqa: S506 - a SafeLoader


def _check_size(given: GivenDocument, text: bytes) -> None:
    """Raises WrongUsage, before anything is made of it, for what is nested too deeply or has too many values."""
    sizes = dict[str, int]()
    open_ = list[tuple[str | None, int]]()
    """Of the lists and objects that are not at their end: their anchor, and how many values came before them."""
    values = 0
    for event in yaml.parse(text, Loader=_Loader):
        anchor = getattr(event, "anchor", None)
        if isinstance(event, yaml.AliasEvent):
            # One within what it stands for has no size yet, and would have no end.
            values += sizes.get(str(anchor), MOST_VALUES + 1)
        elif isinstance(event, yaml.CollectionStartEvent):
            open_.append((anchor, values))
            values += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            anchor, before = open_.pop()
            if anchor is not None:
                sizes[anchor] = values - before
        elif isinstance(event, yaml.ScalarEvent):
            values += 1
            if anchor is not None:
                sizes[anchor] = 1
        if len(open_) > DEEPEST or values > MOST_VALUES:
            raise WrongUsage(
                f"{given} is no data contract that can be read: it is nested more than {DEEPEST} levels deep, or has"
                f" more than {MOST_VALUES:,} values with its aliases written out"
            )


def _datasets(objects: Iterable[_ContractObject], namespace: str) -> DatasetsToCome:
    listed = list(objects)
    return DatasetsToCome(
        tuple(DatasetToCome(namespace, _name(one), _schema(one)) for one in listed if one.properties),
        tuple(f"{namespace}/{_name(one)}" for one in listed if not one.properties),
    )


def _name(one: _ContractObject | _ContractProperty) -> str:
    return one.physical_name or one.name


def _schema(one: _ContractObject) -> SchemaToCome:
    return SchemaToCome(_fields(one.properties), ignores_case=True)


def _fields(properties: Iterable[_ContractProperty] | None) -> tuple[DescribedField, ...]:
    return tuple(map(_field, properties or ()))


def _field(one: _ContractProperty) -> DescribedField:
    """A logical type is the same for several types of a database, so that it says nothing of a change."""
    if one.items is not None:
        inside = (DescribedField(ELEMENT, one.items.physical_type, _fields(one.items.properties) or None),)
        return DescribedField(_name(one), one.physical_type, inside)
    return DescribedField(_name(one), one.physical_type, _fields(one.properties) or None)
