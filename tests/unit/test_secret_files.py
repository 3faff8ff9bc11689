"""Files of secrets: closed to others, made up once, never half written."""

from __future__ import annotations

import stat
from pathlib import Path

from lineage_core.local.home import Passfile, kept_secret, write_secret


def _mode(file: Path) -> int:
    return stat.S_IMODE(file.stat().st_mode)


def test_a_secret_is_made_up_once(tmp_path: Path) -> None:
    first = kept_secret(tmp_path / "deep" / "key")
    assert kept_secret(tmp_path / "deep" / "key") == first
    assert kept_secret(tmp_path / "other") != first
    assert len(first) >= 64


def test_a_secret_is_closed_even_where_an_open_file_stood(tmp_path: Path) -> None:
    file = tmp_path / "key"
    file.write_text("old")
    file.chmod(0o644)
    write_secret(file, "new")
    assert (file.read_text(), _mode(file)) == ("new", 0o600)
    assert list(tmp_path.iterdir()) == [file]


def test_each_role_keeps_its_password(tmp_path: Path) -> None:
    passfile = Passfile(tmp_path / "pgpass")
    lineage, airflow = passfile.password("127.0.0.1", "lineage"), passfile.password("127.0.0.1", "airflow")
    assert lineage != airflow
    assert passfile.password("127.0.0.1", "lineage") == lineage
    assert passfile.path.read_text() == f"127.0.0.1:*:*:lineage:{lineage}\n127.0.0.1:*:*:airflow:{airflow}\n"
    assert _mode(passfile.path) == 0o600


def test_a_role_is_not_taken_for_one_that_begins_alike(tmp_path: Path) -> None:
    passfile = Passfile(tmp_path / "pgpass")
    longer = passfile.password("127.0.0.1", "lineage_jobs")
    assert passfile.password("127.0.0.1", "lineage") != longer
