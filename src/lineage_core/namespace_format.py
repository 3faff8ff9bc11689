"""How a namespace is written wherever it is compared: as Marquez stores it."""

from __future__ import annotations

import re

from lineage_core.remembered import remembered

_UNSAFE = re.compile(r"[^a-zA-Z0-9:/\-_.@+]")
_REMEMBERED = 1 << 20


@remembered(_REMEMBERED)
def formatted_namespace(namespace: str) -> str:
    """The namespace as Marquez stores it: every character that is not safe becomes `_` (marquez-model, section 2.2)."""
    return _UNSAFE.sub("_", namespace)
