-- How many events of each type happened in each hour. Normalization refreshes it hourly.
-- readers: Marquez' server
-- reads: lineage_events
--
-- For that no hour may be there twice.
CREATE MATERIALIZED VIEW lineage_events_by_type_hourly_view AS
SELECT
    date_trunc('hour', event_time) AS start_interval,
    count(*) FILTER (WHERE event_type = 'FAIL') AS fail,
    count(*) FILTER (WHERE event_type = 'START') AS start,
    count(*) FILTER (WHERE event_type = 'COMPLETE') AS complete,
    count(*) FILTER (WHERE event_type = 'ABORT') AS abort
FROM lineage_events
GROUP BY date_trunc('hour', event_time);

CREATE UNIQUE INDEX lineage_events_by_type_hourly_view_for_start_interval_idx
ON lineage_events_by_type_hourly_view (start_interval);

COMMENT ON MATERIALIZED VIEW lineage_events_by_type_hourly_view
IS 'How many events of each type happened in each hour. Marquez reads it, normalization refreshes it.';
