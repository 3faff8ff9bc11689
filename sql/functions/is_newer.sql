-- Whether a staged event takes the place of the stored one in a group that the newest event fills. Never null: where no
-- stored event took part yet, any staged one does.
CREATE OR REPLACE FUNCTION is_newer(staged bytea, stored bytea) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN coalesce(staged > stored, staged IS NOT NULL AND stored IS NULL);
