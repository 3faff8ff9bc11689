"""Carrying a store from before the landed states over into one of this release."""
