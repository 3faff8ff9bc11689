-- Rendered from model/tables/parent_mentions.py by `lineage sql`: edit that file, not this one.
-- What an event may say of the state of the run that it names as its parent, as parent_mentions.says has it.
CREATE OR REPLACE FUNCTION state_mentions()
RETURNS TABLE (says integer, is_running boolean, is_ending boolean, is_ahead boolean)
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
    VALUES
        (0, false, false, false),
        (1, true, false, false),
        (2, false, true, false),
        (3, false, false, true),
        (4, true, false, true),
        (5, false, true, true)
$$;
