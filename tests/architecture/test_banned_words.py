"""One thing, one word: the list of docs/glossary.md says which words no name and no page uses."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from lineage_core.settings import PROJECT

GLOSSARY = PROJECT / "docs" / "glossary.md"
SECTION = "## Words that we do not use"

EXCEPTIONS: dict[tuple[str, str], str] = {}
"""A file and the word in it, and why it may stay."""

SQL_TEXT = re.compile(r"--[^\n]*|/\*.*?\*/|'(?:[^']|'')*'", re.DOTALL)
"""What is no name in SQL: comments and literals."""
MARKDOWN_CODE = re.compile(r"^```.*?^```$|`[^`\n]*`|\]\([^)]*\)", re.MULTILINE | re.DOTALL)
"""What is no prose on a page: code, and the targets of links."""


def banned_words(glossary: str) -> dict[str, str]:
    """Each word of the right column, and what to say in its place."""
    _, _, section = glossary.partition(SECTION)
    rows = re.findall(r"^\| (.+?) \| (`.+`) \|$", section, re.MULTILINE)
    return {word: instead for instead, words in rows for word in re.findall(r"`([a-z]+)`", words)}


BANNED = banned_words(GLOSSARY.read_text())


def words_of(name: str) -> set[str]:
    """Of a name in snake case, camel case or capitals."""
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)}


def names_in_python(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        yield from (
            found for part in ("id", "name", "arg", "attr") if isinstance(found := getattr(node, part, None), str)
        )


def names_in_sql(source: str) -> Iterator[str]:
    yield from re.findall(r"[A-Za-z_]+", SQL_TEXT.sub(" ", source))


def words_of_a_page(text: str) -> Iterator[str]:
    yield from re.findall(r"[A-Za-z]+", MARKDOWN_CODE.sub(" ", text))


def banned_in(path: Path) -> set[str]:
    text = path.read_text()
    match path.suffix:
        case ".py":
            names = {*names_in_python(text), path.stem}
        case ".sql":
            names = {*names_in_sql(text), path.stem}
        case _:
            return {word.lower() for word in words_of_a_page(text)} & BANNED.keys()
    return {word for name in names for word in words_of(name)} & BANNED.keys()


def files() -> Iterator[Path]:
    """Migrations never change once they have landed, so their names stay."""
    for folder in ("src", "dags", "spark_jobs", "plugins", "sql"):
        found = (*(PROJECT / folder).rglob("*.py"), *(PROJECT / folder).rglob("*.sql"))
        yield from (path for path in found if "migrations" not in path.relative_to(PROJECT).parts[:2])
    yield from PROJECT.glob("*.md")
    yield from PROJECT.glob("docs/**/*.md")
    yield from PROJECT.glob("changelog.d/*.md")


def test_the_list_is_read() -> None:
    assert {"said", "nobody", "helper"} <= BANNED.keys()
    assert BANNED["mutex"] == "*lease*, *lock*"


@pytest.mark.parametrize(
    ("suffix", "text"),
    [
        (".py", "def what_was_said() -> None: ..."),
        (".py", "class HelperOfRuns: ..."),
        (".sql", "SELECT * FROM said_of_runs"),
        (".md", "Nobody reads this."),
    ],
)
def test_a_banned_word_is_found(tmp_path: Path, suffix: str, text: str) -> None:
    page = tmp_path / f"page{suffix}"
    page.write_text(text)
    assert banned_in(page) != set()


@pytest.mark.parametrize(
    ("suffix", "text"),
    [
        (".py", '"""Nobody said so."""\n# said\nprint("nobody")'),
        (".sql", "-- said\nSELECT 'nobody'"),
        (".md", "`said` is code, and [this](nobody.md) a target.\n"),
    ],
)
def test_comments_and_code_on_pages_are_no_names(tmp_path: Path, suffix: str, text: str) -> None:
    page = tmp_path / f"page{suffix}"
    page.write_text(text)
    assert banned_in(page) == set()


def test_no_name_and_no_page_has_a_banned_word() -> None:
    found = {(str(path.relative_to(PROJECT)), word) for path in files() for word in banned_in(path)}
    wrong = {f"{path}: say {BANNED[word]}, not {word}" for path, word in found - EXCEPTIONS.keys()}
    assert wrong == set()
    assert EXCEPTIONS.keys() - found == set(), "no longer there, so take them off the list"
