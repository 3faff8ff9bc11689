-- A process that receives events reports that it lives, and what it did since its last report. Who adds events writes no other
-- table, so the owner keeps it. What is older than a month goes.
CREATE OR REPLACE FUNCTION report_receiver(
    id uuid, host text, process integer, is_ending boolean,
    outcomes text[], documents bigint[], requests bigint[], microseconds bigint[], longest bigint[]
) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp
AS $$
#variable_conflict use_column
BEGIN
    INSERT INTO receiver_processes AS known (id, host, process, started_at, reported_at, ended_at)
    VALUES (
        report_receiver.id, report_receiver.host, report_receiver.process, now(), now(),
        CASE WHEN is_ending THEN now() END
    )
    ON CONFLICT (id) DO UPDATE SET reported_at = excluded.reported_at, ended_at = excluded.ended_at;

    INSERT INTO receiver_hours AS counted (hour, outcome, documents, requests, microseconds, longest)
    SELECT
        date_trunc('hour', now(), 'UTC'), reported.outcome, reported.documents, reported.requests, reported.microseconds,
        reported.longest
    FROM unnest(
        outcomes, report_receiver.documents, report_receiver.requests, report_receiver.microseconds, report_receiver.longest
    ) AS reported (outcome, documents, requests, microseconds, longest)
    ORDER BY reported.outcome COLLATE "C"
    ON CONFLICT (hour, outcome) DO UPDATE SET
        documents = counted.documents + excluded.documents,
        requests = counted.requests + excluded.requests,
        microseconds = counted.microseconds + excluded.microseconds,
        longest = greatest(counted.longest, excluded.longest);

    DELETE FROM receiver_processes WHERE reported_at < now() - interval '1 month';
    DELETE FROM receiver_hours WHERE hour < now() - interval '1 month';
END
$$;
