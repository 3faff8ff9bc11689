"""The names of system columns, in ODF's manifest form, and the word that seed 002 wants avoided."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from lineage_core import changelog
from lineage_core.changelog import (
    Changelog,
    DatasetVocabulary,
    Operation,
    Snapshot,
    StreamFolder,
    UpsertStream,
    merge,
    replay,
)
from lineage_core.errors import WrongUsage
from lineage_core.files import FileFolder
from tests.support.record_tables import table

SOURCES = [
    *Path(changelog.__path__[0]).glob("*.py"),
    *(Path(changelog.__path__[0]).parent / "spark").glob("changelog*.py"),
]


def manifest(**content: Any) -> dict[str, Any]:
    return {"kind": "DatasetVocabulary", "version": 1, "content": content}


def test_the_usual_names_are_those_of_odf() -> None:
    assert DatasetVocabulary().manifest() == manifest(
        offsetColumn="offset",
        operationTypeColumn="op",
        systemTimeColumn="system_time",
        eventTimeColumn="event_time",
    )


def test_a_manifest_may_name_some() -> None:
    read = DatasetVocabulary.from_manifest(manifest(operationTypeColumn="operation"))
    assert read == DatasetVocabulary(operation_type="operation")
    assert DatasetVocabulary.from_manifest(read.manifest()) == read


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"kind": "Other", "version": 1}, "no manifest of kind DatasetVocabulary"),
        ({"kind": "DatasetVocabulary", "version": 2}, "version 1"),
        (manifest(keyColumn="k"), "has no keyColumn"),
        (manifest(offsetColumn=3), "are texts"),
        (manifest(offsetColumn="op"), "a name of its own"),
        (manifest(offsetColumn=""), "a name of its own"),
        (manifest(observationColumn="obsv"), "replaced by the operation column"),
    ],
)
def test_a_wrong_manifest_is_refused(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(WrongUsage, match=message):
        DatasetVocabulary.from_manifest(wrong)


def test_a_stream_of_observations_is_refused_with_what_replaced_them() -> None:
    with pytest.raises(WrongUsage, match=r"It has `obsv`. .* `operationTypeColumn` of the DatasetVocabulary"):
        replay(table("|obsv|place|\n|-|-|\n|I|1|"))


def test_an_upsert_of_former_observations_is_refused() -> None:
    with pytest.raises(WrongUsage, match="It has `obsv`"):
        merge(UpsertStream(("place",)), None, table("|obsv|place|\n|-|-|\n|D|1|"))


def test_a_table_may_have_a_column_of_its_own_called_obsv() -> None:
    assert replay(table("|op|obsv|\n|-|-|\n|+A|seen|")).column("obsv").to_pylist() == ["seen"]


def test_operations_are_known_by_their_codes() -> None:
    assert [Operation.of_code(one.code) for one in Operation] == [*Operation]
    with pytest.raises(KeyError):
        Operation.of_code("+U")


def test_a_stream_in_a_folder_may_call_its_system_columns_otherwise(tmp_path: Path) -> None:
    """Also one whose table has columns of the usual names."""
    vocabulary = DatasetVocabulary(offset="position", operation_type="operation")
    stream = StreamFolder(FileFolder(str(tmp_path)), "places", Changelog(vocabulary))
    for op in ("x", "y"):
        head = stream.publish(Snapshot(("offset",)), pa.table({"offset": [7], "op": [op]}))
    assert stream.records(head).column_names == ["position", "operation", "system_time", "event_time", "offset", "op"]
    assert stream.state().select(["offset", "op"]).to_pylist() == [{"offset": 7, "op": "y"}]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_an_object_knows_the_names_and_no_function_takes_them(path: Path) -> None:
    """But a schema, which is refused if it has one of them."""
    parameters = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.arg)]
    assert [one.arg for one in parameters if one.arg == "vocabulary"] == [] or path.name == "schemas.py"


def names(path: Path) -> Iterator[str]:
    """What a module gives a name to."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_correction_is_not_called_an_update(path: Path) -> None:
    assert [name for name in names(path) if re.search("update", name, re.IGNORECASE)] == []
    assert {"Operation", "CORRECT_FROM"} <= {*names(Path(changelog.operations.__file__))}
