-- Takes a document out of quarantine, as it is an event now.
DELETE FROM quarantine WHERE id = %(id)s
