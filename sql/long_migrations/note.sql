-- Writes what happened to a migration, or to one of its ranges.
INSERT INTO migration_transitions (migration, range_id, event, detail)
VALUES (%(migration)s, %(range_id)s, %(event)s, %(detail)s)
