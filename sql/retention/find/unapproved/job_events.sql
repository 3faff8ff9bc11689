-- A job event that is not in the plan stays.
DELETE FROM old_job_events AS old
WHERE NOT EXISTS (SELECT FROM approved WHERE kind = 'job_events' AND approved.uuid = event_key(old.event_order));
