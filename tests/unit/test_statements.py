"""SQL is found by its name, whether it has a file of its own or shares one."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from lineage_core import statements
from lineage_core.settings import PROJECT

TWO = """-- Where stars are.

-- name: near
-- Those that can be seen.
SELECT 1;

-- name: far/away
SELECT 2;
"""


@pytest.fixture
def sql(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr(statements, "ROOMS", tmp_path)
    _forget()
    for room in ("stars", "planets"):
        (tmp_path / room / "sql").mkdir(parents=True)
    yield tmp_path
    _forget()


def _forget() -> None:
    statements.named.cache_clear()
    statements._of_folder.cache_clear()


def test_a_file_without_sections_is_one_statement_of_its_name(sql: Path) -> None:
    (sql / "stars" / "sql" / "near.sql").write_text("SELECT 1;\n")
    assert statements.named("stars/near") == "SELECT 1;\n"


def test_a_section_is_named_for_its_package_and_folder_and_itself_whatever_its_file_is_called(sql: Path) -> None:
    (sql / "stars" / "sql" / "queries.sql").write_text(TWO)
    (sql / "planets" / "sql" / "schema.sql").write_text("-- name: far/small\nSELECT 3;\n")
    assert statements.named("stars/near") == "-- Those that can be seen.\nSELECT 1;\n"
    assert statements.named("stars/far/away") == "SELECT 2;\n"
    assert statements.named("planets/far/small") == "SELECT 3;\n"
    assert statements.names("stars") == ("near",)
    assert statements.names("planets") == ()
    assert statements.names("stars/far") == ("away",)
    assert statements.names_below("stars", "away") == ("far/away",)
    assert statements.in_each_room("far") == ("stars/far/away", "planets/far/small")
    assert statements.all_names() == ("planets/far/small", "stars/far/away", "stars/near")


def test_a_name_that_no_file_has_is_refused(sql: Path) -> None:
    (sql / "stars" / "sql" / "queries.sql").write_text(TWO)
    for name in ("stars/queries", "stars/middle", "moons/near", "stars", "stars/../near"):
        with pytest.raises(KeyError, match=f"has a statement {name}"):
            statements.named(name)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (TWO, "holds near, which stands in its folder already"),
        ("-- name: middle\n-- Nothing.\n", "has nothing below `-- name: middle`"),
        ("SELECT 0;\n-- name: middle\nSELECT 1;\n", "has a statement before its first `-- name: …`"),
    ],
)
def test_a_file_that_cannot_be_kept_apart_is_refused(sql: Path, text: str, complaint: str) -> None:
    (sql / "stars" / "sql" / "queries.sql").write_text(TWO)
    (sql / "stars" / "sql" / "wrong.sql").write_text(text)
    with pytest.raises(ValueError, match=complaint):
        statements.named("stars/near")


def test_every_name_in_the_product_is_that_of_a_statement_or_of_a_folder() -> None:
    known = statements.all_names()
    folders = {str(parent) for name in known for parent in Path(name).parents}
    looks_like_one = re.compile(rf"({'|'.join(sorted({name.partition('/')[0] for name in known}))})(/[a-z_-]+)+")
    texts = {text for path in (PROJECT / "src").rglob("*.py") for text in _texts(path)}
    asked = {text for text in texts if looks_like_one.fullmatch(text)}
    assert len(asked) > 200
    composed = {text for text in asked if text.endswith("_") and any(name.startswith(text) for name in known)}
    assert asked - set(known) - folders - composed == set()


def _texts(path: Path) -> Iterator[str]:
    nodes = ast.walk(ast.parse(path.read_text()))
    return (node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str))
