-- A document in quarantine, which nobody else may try again until the transaction ends.
SELECT raw, source FROM quarantine WHERE id = %(id)s FOR UPDATE
