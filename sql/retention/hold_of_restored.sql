-- The legal hold in force that keeps the events of an archive, where it was restored before.
SELECT id FROM retention_holds_in_force WHERE manifest = %(manifest)s ORDER BY id LIMIT 1
