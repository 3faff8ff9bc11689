-- The keys of what goes of a kind.
SELECT {kind} AS kind, {planned} AS uuid FROM {leaving}
