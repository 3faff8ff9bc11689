"""Changelog streams: the history of a table as records that append, retract and correct (seed 002, ODF RFC-015)."""
