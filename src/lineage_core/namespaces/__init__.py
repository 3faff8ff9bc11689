"""What people say of namespaces: who owns them."""

from lineage_core.namespaces.store import OwnedNamespace, disown, own, owned_namespaces

__all__ = ["OwnedNamespace", "disown", "own", "owned_namespaces"]
