-- Rendered from openlineage/events.py by `lineage sql`: edit that file, not this one.
-- Where events of this type stand among those of the same instant: START first, endings last.
CREATE OR REPLACE FUNCTION lifecycle_rank(event_type text) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE lower(event_type COLLATE "C")
    WHEN 'start' THEN 0
    WHEN 'complete' THEN 2
    WHEN 'fail' THEN 2
    WHEN 'abort' THEN 2
    ELSE 1
END;
