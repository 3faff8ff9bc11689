-- A namespace as the tables hold it: every character that Marquez takes for unsafe becomes `_`. One that is formatted stays as it is.
-- Agrees with lineage_core.openlineage.identity.formatted_namespace.
CREATE OR REPLACE FUNCTION formatted_namespace(namespace text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN regexp_replace(namespace COLLATE "C", '[^-a-zA-Z0-9:/_.@+]', '_', 'g');
