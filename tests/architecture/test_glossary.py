"""One meaning a word: docs/glossary.md rules the names of tables, commands, packages and classes."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import typer

from lineage_core.cli.application import application
from lineage_core.declare.tables import all_tables
from lineage_core.settings import PROJECT

GLOSSARY = PROJECT / "docs" / "glossary.md"
SOURCES = PROJECT / "src"
TERMS = re.compile(r"^- (?:<a [^>]*></a>)?(\*\*.+?\*\*):", re.MULTILINE)
PAIRS = re.compile(r"^\| ?([\w ]*?) ?\| \*(\w.*?)\*.* \|", re.MULTILINE)
"""The rows of the section on words that need a second word; the word is empty below its first row."""

PLAIN_WORDS = """
    accept add airflow apply arg cancel check cli column core database db decision describe diff disown drop
    finalize fqn identity ingest input io list local lock map model openlineage pause postgres query rebase remove
    render resume retry rollback set show size spark sql state status store stream table tail unreadable upgrade
    verify version view
    declared meaning migration normalize own ownership plan reading refreshed staged
"""
"""Words that need no entry in the glossary. Add one only if everybody outside of the project would read it alike.

The last line has forms of words in the glossary.
"""

ALIKE: dict[str, str] = {}
"""Names of several classes, and why they may be."""

ALONE: dict[str, str] = {}
"""Classes that have a word for their whole name which needs a second one, and why they may."""


def glossary_words(text: str) -> set[str]:
    terms = [*TERMS.findall(text), *(term for _, term in PAIRS.findall(text))]
    found = {word for term in terms for word in re.findall(r"[a-z-]+", term.lower())}
    return {singular(part) for word in found for part in (*word.split("-"), word.replace("-", ""))}


def words_that_need_a_second(text: str) -> set[str]:
    return {word.title().replace(" ", "") for word, _ in PAIRS.findall(text) if word}


def singular(word: str) -> str:
    return re.sub(r"(?<=[^aeious])ies$", "y", word).removesuffix("s") if not word.endswith("ss") else word


def unknown_words(name: str, known: Collection[str]) -> list[str]:
    return [word for word in re.split(r"[_ -]", name) if singular(word) not in known]


def public_classes(sources: Path) -> dict[str, list[str]]:
    """Name to the modules that define a class of that name."""
    found = defaultdict(list)
    for path in sorted(sources.rglob("*.py")):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found[node.name].append(str(path.relative_to(sources)))
    return found


def command_words(command: Any) -> Iterator[str]:
    for word, below in getattr(command, "commands", {}).items():
        yield word
        yield from command_words(below)


TEXT = GLOSSARY.read_text()
KNOWN = {singular(word) for word in (*glossary_words(TEXT), *PLAIN_WORDS.split())}
CLASSES = public_classes(SOURCES)
COMMANDS = sorted(set(command_words(typer.main.get_command(application()))))
PACKAGES = sorted({path.parent.name for path in SOURCES.rglob("__init__.py")})


def test_the_glossary_is_read() -> None:
    assert {"slice", "event", "order", "cutover", "mapping", "label", "legal"} <= glossary_words(TEXT)
    assert {"Migration", "Hold", "Part", "Reader"} <= words_that_need_a_second(TEXT)
    assert "wibble" not in KNOWN


def test_tables_commands_and_packages_are_named_by_words_of_the_glossary() -> None:
    names = [*(table.name for table in all_tables()), *COMMANDS, *PACKAGES]
    assert {name: unknown for name in names if (unknown := unknown_words(name, KNOWN))} == {}


def test_a_class_has_a_name_of_its_own() -> None:
    doubled = {name: modules for name, modules in CLASSES.items() if len(modules) > 1}
    assert {name: modules for name, modules in doubled.items() if name not in ALIKE} == {}
    assert ALIKE.keys() - doubled.keys() == set(), "no longer doubled, so take them off the list"


def test_a_word_that_needs_a_second_one_is_no_class() -> None:
    alone = words_that_need_a_second(TEXT) & CLASSES.keys()
    assert {name: CLASSES[name] for name in alone - ALONE.keys()} == {}
    assert ALONE.keys() - alone == set(), "no longer alone, so take them off the list"


def test_a_class_is_named_by_a_noun() -> None:
    """What a participle describes is left to guess. An error may say what has happened."""
    described = {name for name in CLASSES if re.fullmatch(r"_?[A-Z][a-z]+ed", name)}
    assert described == {"Interrupted"}


def test_no_term_is_explained_twice() -> None:
    terms = [term for row in TERMS.findall(TEXT) for term in re.findall(r"\*\*(.+?)\*\*", row)]
    assert sorted({term for term in terms if terms.count(term) > 1}) == []


def test_a_plain_word_is_in_use() -> None:
    names = [*(table.name for table in all_tables()), *COMMANDS, *PACKAGES]
    used = {singular(word) for name in names for word in re.split(r"[_-]", name)}
    assert sorted(word for word in PLAIN_WORDS.split() if singular(word) not in used) == []
