"""The tables, what an event means for each, and how rows of one key fold into one. No database."""
