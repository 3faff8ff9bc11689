-- Refused documents that go.

-- leaving_quarantine: refused documents that are older than their cutoff.
CREATE TEMP TABLE leaving_quarantine AS
SELECT quarantine.id, row_number() OVER (ORDER BY quarantine.id) AS number
FROM quarantine
JOIN cutoffs AS cutoff ON cutoff.kind = 'quarantine'
WHERE quarantine.received_at < cutoff.before;
