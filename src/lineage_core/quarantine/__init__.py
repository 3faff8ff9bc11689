"""The quarantine: documents that could not become rows, kept with the reason and the place."""

from lineage_core.quarantine.store import Entry, entries, entry, put, raw, unknown

__all__ = ["Entry", "entries", "entry", "put", "raw", "unknown"]
