"""Carrying an earlier store, which no upgrade fits, over into one of this release."""
