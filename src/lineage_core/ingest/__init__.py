"""Taking documents in: from files, from a producer's process, from the spool, into the raw events."""
