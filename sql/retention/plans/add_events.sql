-- Keeps the numbers of the raw events that nothing keeps, as spans without a gap.
INSERT INTO retention_plan_events (plan, first_seq, last_seq)
SELECT %(plan)s, min(arrival_seq), max(arrival_seq)
FROM (
    SELECT arrival_seq, arrival_seq - row_number() OVER (ORDER BY arrival_seq) AS span
    FROM judged_raw_events(%(namespaces)s::text[], %(befores)s::timestamptz[], '-infinity', 'infinity')
    WHERE kept_by IS NULL
) AS going
GROUP BY span
