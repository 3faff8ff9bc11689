-- Writes up to which event all is done, of those that the target sees.
UPDATE watermarks SET cursor_xid = %(xid)s, cursor_seq = %(seq)s, updated_at = now() WHERE name = %(name)s
