"""Changelog streams of our own tables: what is captured of their changes becomes the parts of a stream (seed 002)."""
