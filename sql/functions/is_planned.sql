-- Whether a plan of retention has a raw event, by the number of its arrival; each event is, where there is no plan.
CREATE OR REPLACE FUNCTION is_planned(plan bigint, arrival_seq bigint) RETURNS boolean
LANGUAGE plpgsql STABLE PARALLEL SAFE
SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
    RETURN plan IS NULL OR coalesce(
        (
            SELECT span.last_seq
            FROM retention_plan_events AS span
            WHERE span.plan = is_planned.plan AND span.first_seq <= is_planned.arrival_seq
            ORDER BY span.first_seq DESC
            LIMIT 1
        ) >= arrival_seq,
        false
    );
END
$$;
