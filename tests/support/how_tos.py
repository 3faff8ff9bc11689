"""Lines of the how-tos, which tests run."""

from __future__ import annotations

import re

from lineage_core.settings import PROJECT

_SEND = PROJECT / "docs" / "how-to" / "send"


def page(client: str) -> str:
    """The page that says how this client sends events; `../NAME` is another how-to."""
    return (_SEND / f"{client}.md").read_text()


def blocks(client: str, language: str = "sh") -> list[str]:
    """The code blocks of that page."""
    return re.findall(rf"^```{language}\n(.*?)^```", page(client), re.MULTILINE | re.DOTALL)


def lines_for(client: str, url: str, token: str) -> str:
    """The shell's lines of that page, for a receiver and a token of the test."""
    script = "".join(blocks(client))
    assert "http://127.0.0.1:5000" in script
    assert "TOKEN" in script
    return script.replace("http://127.0.0.1:5000", url).replace("TOKEN", token)
