-- Places a legal hold.
INSERT INTO retention_holds (namespace_pattern, dataset, job, run, events_since, events_until, manifest, why, until)
VALUES (
    %(namespace_pattern)s, %(dataset)s, %(job)s, %(run)s, %(events_since)s, %(events_until)s, %(manifest)s, %(why)s, %(until)s
)
RETURNING id
