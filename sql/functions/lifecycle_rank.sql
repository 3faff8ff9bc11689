-- Where events of this type stand among those of the same instant: START first, endings last.
-- Agrees with lineage_core.events.Event.order.
CREATE OR REPLACE FUNCTION lifecycle_rank(event_type text) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE upper(event_type)
    WHEN 'START' THEN 0
    WHEN 'COMPLETE' THEN 2
    WHEN 'FAIL' THEN 2
    WHEN 'ABORT' THEN 2
    ELSE 1
END;
