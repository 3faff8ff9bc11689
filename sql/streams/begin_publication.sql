-- Gives a publication its number, before it moves a head.
UPDATE stream_roots
SET publication = pg_current_xact_id()::text::bigint,
    url = %(url)s,
    updated_at = now()
WHERE name = 'streams'
RETURNING publication
