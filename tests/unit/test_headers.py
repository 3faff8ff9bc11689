"""The header of a SQL file is its declaration."""

from __future__ import annotations

from pathlib import Path

import pytest

from lineage_core import statements
from lineage_core.declare.headers import header
from lineage_core.declare.views import all_views
from lineage_core.declare.vocabulary import DeclarationError
from lineage_core.model.derivations import all_derivations


@pytest.fixture
def sql(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(statements, "ROOMS", tmp_path)
    _forget()
    for folder in ("stars/sql", "model/sql/derive"):
        (tmp_path / folder).mkdir(parents=True)
    return tmp_path


@pytest.fixture(autouse=True)
def forget() -> object:
    yield
    _forget()


def _forget() -> None:
    statements.named.cache_clear()
    statements._of_folder.cache_clear()


WHOLE = """-- The stars that can be seen
-- from here.
-- again: A cloud goes.
-- reads: planets, moons,
--     comets
--
-- At night: only then.
SELECT 1;
"""


def test_a_header_has_a_doc_and_properties_that_may_go_on_in_indented_lines(sql: Path) -> None:
    (sql / "stars" / "sql" / "near.sql").write_text(WHOLE)
    found = header("stars/near", ("again", "reads", "writes"))
    assert found.doc == "The stars that can be seen from here."
    assert found.text("again") == "A cloud goes."
    assert found.names("reads") == ("planets", "moons", "comets")
    assert found.names("writes") == ()


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("SELECT 1;\n", "does not begin with a comment"),
        ("-- again: A cloud goes.\nSELECT 1;\n", "does not begin with a comment"),
        ("-- Stars.\n-- raeds: moons\n", "says `raeds`"),
        ("-- Stars.\n-- reads: moons\n-- reads: comets\n", "says `reads`"),
        ("-- Stars.\n-- reads: moons\n-- And comets.\n", "goes on in its header with `And comets.`"),
    ],
)
def test_a_header_that_cannot_be_read_is_refused(sql: Path, text: str, complaint: str) -> None:
    (sql / "stars" / "sql" / "near.sql").write_text(text)
    with pytest.raises(DeclarationError, match=complaint):
        header("stars/near", ("again", "reads"))


def test_a_property_that_every_file_has_is_missed(sql: Path) -> None:
    (sql / "stars" / "sql" / "near.sql").write_text("-- Stars.\nSELECT 1;\n")
    with pytest.raises(DeclarationError, match="stars/near has no `-- again: …`"):
        header("stars/near", ("again",)).text("again")


def test_a_temporary_table_without_a_comment_of_its_name_is_refused(sql: Path) -> None:
    all_derivations.cache_clear()
    (sql / "model" / "sql" / "derive" / "seen.sql").write_text(
        "-- Stars.\n-- again: Always.\n\n-- dim_stars: few.\nCREATE TEMP TABLE stars ON COMMIT DROP AS\nSELECT 1;\n"
    )
    try:
        with pytest.raises(DeclarationError, match="does not say what stars is"):
            all_derivations()
    finally:
        all_derivations.cache_clear()


def test_a_stream_of_no_view_is_refused(sql: Path) -> None:
    all_views.cache_clear()
    try:
        with pytest.raises(DeclarationError, match=r"\['column_lineage', .*no statement views/… makes"):
            all_views()
    finally:
        all_views.cache_clear()
