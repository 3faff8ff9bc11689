-- Whether arrival numbers are those of this cluster: after a restore, normalization gives new ones to all events, which would count
-- as events that have come since.
SELECT NOT EXISTS (
    SELECT
    FROM watermarks
    CROSS JOIN pg_control_system() AS here
    WHERE name = 'normalize'
      AND (watermarks.system_identifier <> here.system_identifier OR done::text = %(nothing)s)
)
