-- By how many keys what goes is known.
SELECT count(*) FROM identity_map AS stored JOIN {leaving} AS leaving USING (uuid) WHERE stored.entity = %(entity)s
