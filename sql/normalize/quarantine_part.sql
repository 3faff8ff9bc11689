-- Puts the one event of a part, which the statement of the part reads, into quarantine.
INSERT INTO quarantine (reason, path, raw, source)
SELECT %(reason)s, '$', content, 'lineage_events'
FROM ({part}) AS found (content, is_ahead)
ON CONFLICT DO NOTHING
