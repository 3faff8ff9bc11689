-- Forgets what an earlier look has found.
DISCARD TEMP
