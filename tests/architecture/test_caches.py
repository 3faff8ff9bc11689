"""What a process remembers is bounded by bytes: `functools.cache` counts entries, or nothing at all."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import TypeGuard

import lineage_core

SOURCES = Path(lineage_core.__file__).parent

BOUNDED_OTHERWISE = {
    "postgres/copy_format.py: _short_text": "4,096 texts of 256 characters: 8 MB at most",
    "postgres/copy_format.py: _instant": "4,096 numbers",
    "openlineage/instants.py: _read": "1,024 texts of 64 characters",
    "openlineage/facets/__init__.py: _decoder": "one for each model that is declared",
    "model/meaning/typed_facets.py: _typed": "two for each kind of owner of facets",
    "normalize/store/merging.py: _script": "one for each script and staging schema",
    "remembered.py: _members": "one for each class of what is remembered",
    "tasks.py: make": "asked without arguments",
    "statements.py: named": "one for each statement of sql/",
    "statements.py: _of_folder": "one for each folder of sql/, and of what is asked for below it",
}
"""Functions with arguments that may count entries, and why."""


def cached_functions() -> Iterator[str]:
    """Those that `functools` remembers by their arguments."""
    for file in SOURCES.rglob("*.py"):
        text = file.read_text()
        for node in ast.walk(ast.parse(text)) if "cache" in text else ():
            where = file.relative_to(SOURCES)
            if isinstance(node, ast.FunctionDef) and any(map(_is_cache, node.decorator_list)) and node.args.args:
                yield f"{where}: {node.name}"
            if isinstance(node, ast.Call) and _is_cache(node.func):
                yield from (f"{where}: {given.id}" for given in node.args if _is_function(given))


def _is_function(given: ast.expr) -> TypeGuard[ast.Name]:
    """What is given to a cache that is no number of entries."""
    return isinstance(given, ast.Name) and not given.id.isupper()


def _is_cache(node: ast.expr) -> bool:
    function = node.func if isinstance(node, ast.Call) else node
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    return name in {"cache", "lru_cache"}


def test_what_is_remembered_by_entries_is_bounded_otherwise() -> None:
    assert set(cached_functions()) == set(BOUNDED_OTHERWISE)
