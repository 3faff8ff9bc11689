-- Lists of pairs of a chunk, which hold between no versions.
DELETE FROM column_lineage_pairs AS stored
USING leaving_column_lineage_pairs AS leaving
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s AND stored.pairs_uuid = leaving.uuid
