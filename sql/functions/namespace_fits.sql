-- Whether a formatted namespace is one of those that a pattern means, however the pattern spells it; `*` stands for any characters,
-- and for none. Agrees with lineage_core.retention.policies.matches.
CREATE OR REPLACE FUNCTION namespace_fits(pattern text, formatted text) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN formatted COLLATE "C" LIKE replace(
    replace(regexp_replace(pattern COLLATE "C", '[^-a-zA-Z0-9:/_.@+*]', '_', 'g'), '_', '!_'), '*', '%'
) ESCAPE '!';
