"""The quarantine: documents that could not become rows, kept with the reason and the place."""

from lineage_core.quarantine.store import QuarantinedDocument, entries, entry, no_such_document, put, raw

__all__ = ["QuarantinedDocument", "entries", "entry", "no_such_document", "put", "raw"]
