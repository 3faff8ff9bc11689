"""The commands that answer questions about lineage: each is in the package of its question."""

from __future__ import annotations

import typer

from lineage_core.answers.affected import command as affected
from lineage_core.answers.explain import command as explain
from lineage_core.answers.graph import command as graph
from lineage_core.answers.impact import command as impact
from lineage_core.answers.mcp import command as mcp
from lineage_core.answers.search import command as search


def register(application: typer.Typer) -> None:
    for question in (search, graph, impact, explain, affected, mcp):
        question.register(application)
