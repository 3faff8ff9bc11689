"""The docs are complete and true: every command, option, setting and table is there, and what they name exists."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import typer

from lineage_core.cli.application import application
from lineage_core.declare.tables import all_tables
from lineage_core.settings import PROJECT

PAGES = sorted([*PROJECT.glob("*.md"), *PROJECT.glob("docs/**/*.md"), PROJECT / "sql" / "README.md"])
COMMAND_LINE = (PROJECT / "docs" / "command-line.md").read_text()
README = (PROJECT / "README.md").read_text()
DIFFERENCES = PROJECT / "docs" / "marquez-differences.md"
DECISIONS = sorted((PROJECT / "docs" / "decisions").glob("*.md"))

DEFAULT_MODULE = "tests/postgres/test_marquez_differences.py"
"""Where marquez-differences.md means tests that it names without a file."""

LONGEST_LINE, LONGEST_ROW = 130, 240
"""Characters of a line, and of a row of a table: more of a cell is a section of its own."""

CODE_BLOCK = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
QUOTED_PATH = re.compile(r"`((?:src|sql|tests|docs|dags|spark_jobs)/[\w./-]+)`")
EXAMPLE = re.compile(r"\.venv/bin/lineage ([^`\n]+)")
STORE = re.compile(r"^--store \S+ ")
"""The one option that stands before a command."""
ANCHOR = re.compile(r'<a id="([^"]+)">')
DIFFERENCE = re.compile(r'^(?:<a id="([^"]+)"></a>\n)?### (.+)\n((?:(?!<a id=|#).*\n?)*)', re.MULTILINE)
"""The anchor, the title and the body of a difference from Marquez."""
FIELD = re.compile(r"^- \*\*(\w+):\*\*((?:.*\n?)(?:^  .*\n?)*)", re.MULTILINE)
"""The name and the text of one of its fields."""
NAMED_TEST = re.compile(r"`(?:([\w/]+\.py)::)?(test_\w+)`")


def name(path: Path) -> str:
    return str(path.relative_to(PROJECT))


def commands(command: Any, *path: str) -> Iterator[tuple[str, Any]]:
    """Every command that does something, by its words, out of a tree of groups."""
    below: dict[str, Any] = getattr(command, "commands", {})
    if not below or command.invoke_without_command:
        yield " ".join(path), command
    for word, inner in below.items():
        yield from commands(inner, *path, word)


ALL_COMMANDS = dict(commands(typer.main.get_command(application()), "lineage"))


def test_the_commands_are_found() -> None:
    assert {"lineage normalize", "lineage db upgrade", "lineage quarantine retry"} <= ALL_COMMANDS.keys()


def test_every_command_is_documented() -> None:
    assert [command for command in ALL_COMMANDS if f"- `{command}" not in COMMAND_LINE] == []


def test_every_option_is_documented() -> None:
    options = [
        (words, option)
        for words, command in ALL_COMMANDS.items()
        for option in command.params
        if option.param_type_name == "option" and not option.hidden
    ]
    shown = {(words, spelled) for words, option in options for spelled in option.opts if spelled != "--help"}
    assert [(words, option) for words, option in shown if not re.search(rf"[`\[ ]{option}[`\] ]", COMMAND_LINE)] == []


def faults(of_page: Callable[[Path], list[str]], pages: Iterable[Path] = PAGES) -> dict[str, list[str]]:
    """Page to what is wrong on it."""
    return {name(page): found for page in pages if (found := of_page(page))}


def test_commands_in_examples_exist_with_their_options() -> None:
    assert faults(_wrong_examples) == {}


def _wrong_examples(page: Path) -> list[str]:
    return [line for line in EXAMPLE.findall(page.read_text()) if not _is_a_command(line.split("#")[0].split("|")[0])]


def _is_a_command(line: str) -> bool:
    words = ["lineage", *STORE.sub("", line).split()]
    called = next((words[:length] for length in (4, 3, 2) if " ".join(words[:length]) in ALL_COMMANDS), None)
    if called is None:
        return False
    known = {spelled for parameter in ALL_COMMANDS[" ".join(called)].params for spelled in parameter.opts}
    return {word for word in words if word.startswith("--")} <= known


PLANS = re.compile(r"\b[Ss]eed 0|\b[Pp]roposal 2\d{3}\b")
"""How those who planned this project named what it was to do. Docstrings may, as they give the source of a rule."""


def test_readers_are_sent_to_no_plan_that_they_do_not_have() -> None:
    shown = [*PAGES, *PROJECT.glob("dags/*.py"), *PROJECT.glob("spark_jobs/*.py"), *PROJECT.glob("sql/**/*.sql")]
    assert faults(lambda page: PLANS.findall(page.read_text()), shown) == {}


def test_every_setting_is_documented() -> None:
    settings = (PROJECT / "src" / "lineage_core" / "settings.py").read_text()
    read = set(re.findall(r'environ\.get\("(\w+)"', settings))
    assert {"LINEAGE_DSN", "LINEAGE_INGEST_DSN", "LINEAGE_HOME"} <= read
    assert {setting for setting in read if f"| `{setting}` |" not in COMMAND_LINE} == set()


def test_every_table_is_documented() -> None:
    headings = set(re.findall(r"^## (\w+)$", (PROJECT / "docs" / "tables.md").read_text(), re.MULTILINE))
    assert headings == {table.name for table in all_tables()}


def test_every_make_target_is_documented() -> None:
    targets = re.findall(r"^([a-z-]+):.*## ", (PROJECT / "Makefile").read_text(), re.MULTILINE)
    assert {target for target in targets if not re.search(rf"`?make {target}\b", README)} == set()


def test_every_folder_of_the_project_is_on_the_map() -> None:
    tracked = {"dags", "docs", "spark_jobs", "sql", "tests"}
    packages = {f"src/lineage_core/{path.parent.name}" for path in PROJECT.glob("src/lineage_core/*/__init__.py")}
    assert {folder for folder in tracked | packages if f"`{folder}/`" not in README} == set()


def test_links_lead_somewhere() -> None:
    assert faults(_broken_links) == {}


def _broken_links(page: Path) -> list[str]:
    return [target for target in LINK.findall(page.read_text()) if not _exists(page, target)]


def _exists(page: Path, target: str) -> bool:
    if target.startswith("https://"):
        return True
    path, _, anchor = target.partition("#")
    linked = (page.parent / path).resolve() if path else page
    return linked.exists() and (not anchor or anchor in _anchors(linked))


@cache
def _anchors(page: Path) -> set[str]:
    """Those that are written, and those that headings get."""
    text = page.read_text()
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {*ANCHOR.findall(text), *(re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings)}


def test_lines_are_short_and_cells_are_no_essays() -> None:
    written = [page for page in PAGES if page.name not in {"tables.md", "derivations.md", "views.md"}]
    assert faults(_long_lines, written) == {}


def _long_lines(page: Path) -> list[str]:
    prose = CODE_BLOCK.sub("", page.read_text()).splitlines()
    return [line for line in prose if len(line) > (LONGEST_ROW if line.lstrip().startswith("|") else LONGEST_LINE)]


def test_files_that_are_named_are_there() -> None:
    assert faults(_missing_files) == {}


def _missing_files(page: Path) -> list[str]:
    return [path for path in QUOTED_PATH.findall(page.read_text()) if not (PROJECT / path).exists()]


def test_every_page_can_be_reached_from_the_readme() -> None:
    reached, waiting = set[Path](), [PROJECT / "README.md"]
    while waiting:
        page = waiting.pop()
        reached.add(page)
        links = {(page.parent / target.partition("#")[0]).resolve() for target in LINK.findall(page.read_text())}
        files = {file for link in links for file in (link.glob("*.md") if link.is_dir() else [link])}
        waiting += [file for file in files if file.suffix == ".md" and file.exists() and file not in reached]
    assert [name(page) for page in PAGES if page not in reached] == []


def test_every_page_stands_on_the_first_page_of_the_docs() -> None:
    """Who looks for one finds it there, and not by the way of others."""
    first = PROJECT / "docs" / "README.md"
    linked = {(first.parent / target.partition("#")[0]).resolve() for target in LINK.findall(first.read_text())}
    pages = [*first.parent.glob("*.md"), *first.parent.glob("how-to/*.md")]
    assert [name(page) for page in pages if page not in {*linked, first}] == []


def test_every_difference_has_an_anchor_its_fields_and_a_test_that_exists() -> None:
    differences = DIFFERENCE.findall(DIFFERENCES.read_text())
    assert len(differences) > 50
    assert len({anchor for anchor, _, _ in differences}) == len(differences)
    for anchor, title, body in differences:
        fields = [(name, text.strip()) for name, text in FIELD.findall(body)]
        assert anchor, f"without an anchor: {title}"
        assert [name for name, text in fields if text] == ["Marquez", "Here", "Why", "Test"], title
        named = NAMED_TEST.findall(fields[-1][1])
        assert named, f"without a test: {title}"
        for module, test in named:
            assert test in _tests(PROJECT / (module or DEFAULT_MODULE)), title


def test_every_test_of_a_difference_stands_in_the_list() -> None:
    listed = {test for _, test in NAMED_TEST.findall(DIFFERENCES.read_text())}
    assert _tests(PROJECT / DEFAULT_MODULE) - listed == set()


@cache
def _tests(module: Path) -> set[str]:
    functions = (node for node in ast.walk(ast.parse(module.read_text())) if isinstance(node, ast.FunctionDef))
    return {function.name for function in functions if function.name.startswith("test_")}


def test_decisions_are_numbered_without_gaps() -> None:
    numbers = [int(path.name[:4]) for path in DECISIONS]
    titles = [path.read_text().partition(".")[0] for path in DECISIONS]
    assert numbers == list(range(1, len(DECISIONS) + 1))
    assert titles == [f"# {number}" for number in numbers]


def test_the_changelog_has_a_place_for_what_is_new() -> None:
    changelog = (PROJECT / "CHANGELOG.md").read_text()
    assert "\n## [Unreleased]\n" in changelog
    assert changelog.index("## [Unreleased]") == changelog.index("## ")


def test_a_release_gathers_every_file_of_changelog_d() -> None:
    files = [path for path in (PROJECT / "changelog.d").iterdir() if path.name != ".gitignore"]
    wrongly_named = [
        path.name for path in files if not re.fullmatch(r"\+[a-z0-9-]+\.(added|changed|fixed|removed)\.md", path.name)
    ]
    assert wrongly_named == []
    towncrier = [sys.executable, "-m", "towncrier", "build", "--draft", "--version", "0", "--dir", str(PROJECT)]
    release = subprocess.run(towncrier, check=True, capture_output=True, text=True).stdout
    missing = [path.name for path in files if _words(path.read_text()) not in _words(release)]
    assert missing == []


def _words(text: str) -> str:
    return " ".join(text.split())


def test_no_page_speaks_of_documents_that_its_reader_does_not_have() -> None:
    outside = [
        page
        for page in (*PAGES, *PROJECT.glob("sql/**/*.sql"), *PROJECT.glob("src/**/*.sql"), *PROJECT.glob("dags/*.py"))
        if page.parent != DECISIONS[0].parent
    ]
    found = [
        name(page) for page in outside if re.search(r"\b(?:seeds?|proposal) \d{3}", page.read_text(), re.IGNORECASE)
    ]
    assert found == []


def test_no_help_speaks_of_documents_that_its_reader_does_not_have() -> None:
    texts = {
        path: [command.help or "", *(getattr(each, "help", None) or "" for each in command.params)]
        for path, command in ALL_COMMANDS.items()
    }
    found = [path for path, shown in texts.items() if re.search(r"\b(?:seeds?|proposal) \d{3}", " ".join(shown))]
    assert found == []
