-- A materialized view is filled when it is made.
INSERT INTO refreshed_views (name, refreshed_at) VALUES ('lineage_events_by_type_hourly_view', now());
