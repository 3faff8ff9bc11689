-- Writes why a document is still refused.
UPDATE quarantine SET reason = %(reason)s, path = %(path)s WHERE id = %(id)s
