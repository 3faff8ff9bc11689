"""Free ports, and the same one again while it is free."""

from __future__ import annotations

import socket
from pathlib import Path

from lineage_core.local.ports import answers, is_free, remembered_port


def test_a_port_is_kept_while_it_is_free(tmp_path: Path) -> None:
    port = remembered_port(tmp_path / "port")
    assert is_free(port)
    assert remembered_port(tmp_path / "port") == port


def test_a_taken_port_gives_way_to_another(tmp_path: Path) -> None:
    file = tmp_path / "port"
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        file.write_text(f"{port}\n")
        assert not is_free(port)
        assert answers(port)
        assert remembered_port(file) != port
        assert int(file.read_text()) != port


def test_a_spoilt_note_of_a_port_is_replaced(tmp_path: Path) -> None:
    file = tmp_path / "port"
    file.write_text("none\n")
    assert remembered_port(file) == int(file.read_text())


def test_a_port_without_server_does_not_answer(tmp_path: Path) -> None:
    assert not answers(remembered_port(tmp_path / "port"))
