"""Data contracts whose text is no trouble to write, and would be to read."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
import yaml

from lineage_core.answers.impact.data_contract import DEEPEST, datasets_of_contract
from lineage_core.answers.impact.described_datasets import dataset_of_schema, described_datasets
from lineage_core.errors import WrongUsage

HEAD = "kind: DataContract\napiVersion: v3.0.2\n"
LEVELS = "abcdefghijkl"


def bomb(first: str) -> str:
    """Each level has the one before it nine times."""
    levels = [f"{LEVELS[0]}: &{LEVELS[0]} {first}"]
    for before, level in pairwise(LEVELS):
        inside = ", ".join(f"{{name: x, properties: *{before}}}" for _ in range(9))
        levels.append(f"{level}: &{level} [{inside}]")
    return HEAD + "\n".join(levels) + f"\nschema: [{{name: orders, properties: *{LEVELS[-1]}}}]\n"


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        "{a: " * 100_000,
        "- " * (DEEPEST + 1) + "x",
        bomb("[{name: x}]"),
        f"{HEAD}schema: &a [{{name: orders, properties: *a}}]",
        f"{HEAD}schema: !!python/object/apply:os.getcwd []",
        f"{HEAD}schema: [{{name: !own x}}]",
        f"{HEAD}schema: [*unknown]",
    ],
    ids=["brackets", "braces", "lists", "aliases of aliases", "a ring", "a call", "a tag", "an unknown alias"],
)
def test_what_would_take_a_process_is_refused_at_once(text: str) -> None:
    began = time.process_time()
    with pytest.raises(WrongUsage, match="The text is no data contract that can be read"):
        datasets_of_contract(text, "shop")
    assert time.process_time() - began < 1


def test_aliases_and_merges_are_written_out_and_names_are_texts() -> None:
    text = f"""{HEAD}
common: &common {{physicalType: INTEGER}}
fields: &fields [{{name: no}}, {{<<: *common, name: 2026}}]
schema: [{{name: orders, properties: *fields}}, {{name: lines, properties: *fields}}]
"""
    orders, lines = datasets_of_contract(text, "shop").datasets
    assert [(field.name, field.type) for field in orders.change.fields or ()] == [("no", None), ("2026", "INTEGER")]
    assert orders.change.fields == lines.change.fields


@pytest.mark.skipif(not yaml.__with_libyaml__, reason="this PyYAML is without libyaml")
def test_ten_thousand_columns_are_read_in_seconds() -> None:
    columns = "".join(f"  - {{name: column_{number}, physicalType: VARCHAR(20)}}\n" for number in range(10_000))
    began = time.process_time()
    (found,) = datasets_of_contract(f"{HEAD}schema:\n- name: orders\n  properties:\n{columns}", "shop").datasets
    assert time.process_time() - began < 6
    assert len(found.change.fields or ()) == 10_000


def test_a_name_that_no_store_has_is_refused() -> None:
    contract = f'{HEAD}schema: [{{name: orders, properties: [{{name: a, properties: [{{name: "b\\0"}}]}}]}}]'
    with pytest.raises(WrongUsage, match="no name here has"):
        described_datasets(None, contract, "shop")
    with pytest.raises(WrongUsage, match="no name here has"):
        dataset_of_schema("shop", "orders", '[{"name": "\\ud800"}]')
