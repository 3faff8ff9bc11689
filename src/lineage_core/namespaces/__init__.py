"""What people say of namespaces: who owns them."""

from __future__ import annotations

from lineage_core.capability import Capability, HasCommands
from lineage_core.namespaces.store import OwnedNamespace, disown, own, owned_namespaces

__all__ = ["CAPABILITY", "OwnedNamespace", "disown", "own", "owned_namespaces"]


def _commands() -> HasCommands:
    from lineage_core.namespaces import command

    return command


CAPABILITY = Capability(_commands)
