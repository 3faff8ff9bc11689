"""The panels of `lineage --help`: what people do, in the order in which they come to need it."""

from __future__ import annotations

from enum import StrEnum


class Panel(StrEnum):
    """Each command names its own, as `rich_help_panel`."""

    START = "Get started"
    WATCH = "Watch and repair"
    READ = "Read"
    MANAGE = "Retain, migrate and publish"
    INSTALL = "Install and develop"
