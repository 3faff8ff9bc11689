"""Retention: policies and legal holds, what they let go, and its deletion."""
