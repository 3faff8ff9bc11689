"""Answers about lineage: each package is one question."""
