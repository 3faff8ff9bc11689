"""One thing, one word: the list of docs/glossary.md says which words no name, no comment and no page uses."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from lineage_core.settings import PROJECT

GLOSSARY = PROJECT / "docs" / "glossary.md"
SECTION = "## Words that we do not use"

EXCEPTIONS: dict[tuple[str, str], str] = {
    ("tests/support/servers.py", "journal"): "a file system has one",
    ("tests/unit/test_metrics.py", "utils"): "a module of Airflow",
    ("tests/spark/test_match_scores_leaderboard.py", "util"): "a module of Python",
}
"""A file and the word in it, and why it may stay."""

SQL_TEXT = re.compile(r"(--[^\n]*|/\*.*?\*/)|'(?:[^']|'')*'", re.DOTALL)
"""A comment of SQL, which may have an apostrophe, or a literal."""
MARKDOWN_CODE = re.compile(r"^```.*?^```$|`[^`\n]*`|\]\([^)]*\)", re.MULTILINE | re.DOTALL)
"""What is no prose on a page: code, and the targets of links."""


def banned_words(glossary: str) -> dict[str, str]:
    """Each word of the right column, and what to say in its place."""
    _, _, section = glossary.partition(SECTION)
    rows = re.findall(r"^\| (.+?) \| (`.+`) \|$", section, re.MULTILINE)
    return {word: instead for instead, words in rows for word in re.findall(r"`([a-z]+)`", words)}


BANNED = banned_words(GLOSSARY.read_text())
TYPE_IGNORED = re.compile(r"# type: ignore\[[^]]*\]")
ANY = re.compile("|".join(BANNED), re.IGNORECASE)
"""Few files have one even within another word, and only these are parsed."""


def words_of(name: str) -> set[str]:
    """Of a name in snake case, camel case or capitals."""
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)}


def names_in_python(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        yield from (
            found for part in ("id", "name", "arg", "attr") if isinstance(found := getattr(node, part, None), str)
        )


def comments_in_python(source: str) -> Iterator[str]:
    """What stands behind #, and each text that is a statement of its own: a docstring, or what explains a constant."""
    yield from (
        TYPE_IGNORED.sub("", token.string)
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type == tokenize.COMMENT
    )
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Expr(value=ast.Constant(value=str() as text)):
                yield text


def names_and_comments_in_sql(source: str) -> Iterator[str]:
    yield from re.findall(r"[A-Za-z_]+", SQL_TEXT.sub(r" \1 ", source))


def words_of_a_page(text: str) -> Iterator[str]:
    yield from re.findall(r"[A-Za-z]+", MARKDOWN_CODE.sub(" ", text))


def banned_in(path: Path) -> set[str]:
    text = path.read_text()
    if not ANY.search(f"{path.stem} {text}"):
        return set()
    match path.suffix:
        case ".py":
            prose = (word for comment in comments_in_python(text) for word in words_of_a_page(comment))
            names = {*names_in_python(text), *prose, path.stem}
        case ".sql":
            names = {*names_and_comments_in_sql(text), path.stem}
        case _:
            return {word.lower() for word in words_of_a_page(text)} & BANNED.keys()
    return {word for name in names for word in words_of(name)} & BANNED.keys()


def files() -> Iterator[Path]:
    """Migrations never change once they have landed, so their names stay."""
    for folder in ("src", "dags", "spark_jobs", "plugins", "sql", "tests"):
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
        (".py", 'RUNS = 1\n"""What was said of runs."""'),
        (".py", "RUNS = 1  # as was said"),
        (".sql", "SELECT * FROM said_of_runs"),
        (".sql", "-- What it's said to be.\nSELECT 1"),
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
        (".py", 'print("nobody")'),
        (".sql", "SELECT 'nobody'"),
        (".md", "`said` is code, and [this](nobody.md) a target.\n"),
    ],
)
def test_literals_and_code_on_pages_are_no_words_of_ours(tmp_path: Path, suffix: str, text: str) -> None:
    page = tmp_path / f"page{suffix}"
    page.write_text(text)
    assert banned_in(page) == set()


def test_no_name_no_comment_and_no_page_has_a_banned_word() -> None:
    found = {(str(path.relative_to(PROJECT)), word) for path in files() for word in banned_in(path)}
    wrong = {f"{path}: say {BANNED[word]}, not {word}" for path, word in found - EXCEPTIONS.keys()}
    assert wrong == set()
    assert EXCEPTIONS.keys() - found == set(), "no longer there, so take them off the list"
