"""The commands that answer questions about lineage: each is in the package of its question."""

from __future__ import annotations

import typer

from lineage_core.answers.affected import command as affected


def register(application: typer.Typer) -> None:
    for question in (affected,):
        question.register(application)
