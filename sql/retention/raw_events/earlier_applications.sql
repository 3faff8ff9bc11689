-- The moments of all other applications of retention: each has named a folder of an archive.
SELECT DISTINCT as_of FROM retention_reports WHERE as_of <> %(as_of)s ORDER BY as_of
