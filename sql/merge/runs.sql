-- Rendered from model/tables/runs.py by `lineage sql`: edit the declaration, not this file.
WITH folded AS (
    SELECT
        uuid,
        (array_agg(created_at ORDER BY first_event ASC NULLS LAST))[1] AS created_at,
        (array_agg(updated_at ORDER BY latest_event DESC NULLS LAST))[1] AS updated_at,
        (array_agg(run_args_uuid ORDER BY first_event ASC NULLS LAST))[1] AS run_args_uuid,
        (array_agg(nominal_start_time ORDER BY nominal_event ASC NULLS LAST))[1] AS nominal_start_time,
        (array_agg(nominal_end_time ORDER BY nominal_event ASC NULLS LAST))[1] AS nominal_end_time,
        (array_agg(current_run_state ORDER BY state_event DESC NULLS LAST))[1] AS current_run_state,
        (array_agg(start_run_state_uuid ORDER BY start_event ASC NULLS LAST))[1] AS start_run_state_uuid,
        (array_agg(end_run_state_uuid ORDER BY end_event DESC NULLS LAST))[1] AS end_run_state_uuid,
        (array_agg(external_id ORDER BY latest_event DESC NULLS LAST))[1] AS external_id,
        (array_agg(namespace_name ORDER BY first_event ASC NULLS LAST))[1] AS namespace_name,
        (array_agg(job_name ORDER BY first_event ASC NULLS LAST))[1] AS job_name,
        (array_agg(location ORDER BY latest_event DESC NULLS LAST))[1] AS location,
        (array_agg(transitioned_at ORDER BY state_event DESC NULLS LAST))[1] AS transitioned_at,
        (array_agg(started_at ORDER BY start_event ASC NULLS LAST))[1] AS started_at,
        (array_agg(ended_at ORDER BY end_event DESC NULLS LAST))[1] AS ended_at,
        (array_agg(parent_run_uuid ORDER BY parent_event ASC NULLS LAST))[1] AS parent_run_uuid,
        (array_agg(job_uuid ORDER BY first_event ASC NULLS LAST))[1] AS job_uuid,
        (array_agg(first_event ORDER BY first_event ASC NULLS LAST))[1] AS first_event,
        (array_agg(latest_event ORDER BY latest_event DESC NULLS LAST))[1] AS latest_event,
        (array_agg(nominal_event ORDER BY nominal_event ASC NULLS LAST))[1] AS nominal_event,
        (array_agg(state_event ORDER BY state_event DESC NULLS LAST))[1] AS state_event,
        (array_agg(start_event ORDER BY start_event ASC NULLS LAST))[1] AS start_event,
        (array_agg(end_event ORDER BY end_event DESC NULLS LAST))[1] AS end_event,
        (array_agg(parent_event ORDER BY parent_event ASC NULLS LAST))[1] AS parent_event
    FROM (
        SELECT
            staged.uuid AS uuid,
            staged.created_at AS created_at,
            staged.updated_at AS updated_at,
            coalesce(known_run_args_uuid.uuid, staged.run_args_uuid) AS run_args_uuid,
            staged.nominal_start_time AS nominal_start_time,
            staged.nominal_end_time AS nominal_end_time,
            staged.current_run_state AS current_run_state,
            staged.start_run_state_uuid AS start_run_state_uuid,
            staged.end_run_state_uuid AS end_run_state_uuid,
            staged.external_id AS external_id,
            staged.namespace_name AS namespace_name,
            staged.job_name AS job_name,
            staged.location AS location,
            staged.transitioned_at AS transitioned_at,
            staged.started_at AS started_at,
            staged.ended_at AS ended_at,
            staged.parent_run_uuid AS parent_run_uuid,
            coalesce(known_job_uuid.uuid, staged.job_uuid) AS job_uuid,
            staged.first_event AS first_event,
            staged.latest_event AS latest_event,
            staged.nominal_event AS nominal_event,
            staged.state_event AS state_event,
            staged.start_event AS start_event,
            staged.end_event AS end_event,
            staged.parent_event AS parent_event
        FROM {staging}.runs AS staged
        LEFT JOIN identity_map AS known_run_args_uuid
            ON known_run_args_uuid.entity = 'run_args' AND known_run_args_uuid.key_uuid = staged.run_args_uuid
        LEFT JOIN identity_map AS known_job_uuid
            ON known_job_uuid.entity = 'jobs' AND known_job_uuid.key_uuid = staged.job_uuid
        WHERE staged.part_id = ANY (%(parts)s)
    ) AS resolved
    GROUP BY uuid
)
INSERT INTO runs AS stored (uuid, created_at, updated_at, run_args_uuid, nominal_start_time, nominal_end_time, current_run_state, start_run_state_uuid, end_run_state_uuid, external_id, namespace_name, job_name, location, transitioned_at, started_at, ended_at, parent_run_uuid, job_uuid, first_event, latest_event, nominal_event, state_event, start_event, end_event, parent_event)
SELECT uuid, created_at, updated_at, run_args_uuid, nominal_start_time, nominal_end_time, current_run_state, start_run_state_uuid, end_run_state_uuid, external_id, namespace_name, job_name, location, transitioned_at, started_at, ended_at, parent_run_uuid, job_uuid, first_event, latest_event, nominal_event, state_event, start_event, end_event, parent_event
FROM folded
ORDER BY uuid
ON CONFLICT (uuid) DO UPDATE SET
    created_at = CASE WHEN is_earlier(excluded.first_event, stored.first_event) THEN excluded.created_at ELSE stored.created_at END,
    updated_at = CASE WHEN is_newer(excluded.latest_event, stored.latest_event) THEN excluded.updated_at ELSE stored.updated_at END,
    run_args_uuid = CASE WHEN is_earlier(excluded.first_event, stored.first_event) THEN excluded.run_args_uuid ELSE stored.run_args_uuid END,
    nominal_start_time = CASE WHEN is_earlier(excluded.nominal_event, stored.nominal_event) THEN excluded.nominal_start_time ELSE stored.nominal_start_time END,
    nominal_end_time = CASE WHEN is_earlier(excluded.nominal_event, stored.nominal_event) THEN excluded.nominal_end_time ELSE stored.nominal_end_time END,
    current_run_state = CASE WHEN is_newer(excluded.state_event, stored.state_event) THEN excluded.current_run_state ELSE stored.current_run_state END,
    start_run_state_uuid = CASE WHEN is_earlier(excluded.start_event, stored.start_event) THEN excluded.start_run_state_uuid ELSE stored.start_run_state_uuid END,
    end_run_state_uuid = CASE WHEN is_newer(excluded.end_event, stored.end_event) THEN excluded.end_run_state_uuid ELSE stored.end_run_state_uuid END,
    external_id = CASE WHEN is_newer(excluded.latest_event, stored.latest_event) THEN excluded.external_id ELSE stored.external_id END,
    namespace_name = CASE WHEN is_earlier(excluded.first_event, stored.first_event) THEN excluded.namespace_name ELSE stored.namespace_name END,
    job_name = CASE WHEN is_earlier(excluded.first_event, stored.first_event) THEN excluded.job_name ELSE stored.job_name END,
    location = CASE WHEN is_newer(excluded.latest_event, stored.latest_event) THEN excluded.location ELSE stored.location END,
    transitioned_at = CASE WHEN is_newer(excluded.state_event, stored.state_event) THEN excluded.transitioned_at ELSE stored.transitioned_at END,
    started_at = CASE WHEN is_earlier(excluded.start_event, stored.start_event) THEN excluded.started_at ELSE stored.started_at END,
    ended_at = CASE WHEN is_newer(excluded.end_event, stored.end_event) THEN excluded.ended_at ELSE stored.ended_at END,
    parent_run_uuid = CASE WHEN is_earlier(excluded.parent_event, stored.parent_event) THEN excluded.parent_run_uuid ELSE stored.parent_run_uuid END,
    job_uuid = CASE WHEN is_earlier(excluded.first_event, stored.first_event) THEN excluded.job_uuid ELSE stored.job_uuid END,
    first_event = CASE WHEN is_earlier(excluded.first_event, stored.first_event) THEN excluded.first_event ELSE stored.first_event END,
    latest_event = CASE WHEN is_newer(excluded.latest_event, stored.latest_event) THEN excluded.latest_event ELSE stored.latest_event END,
    nominal_event = CASE WHEN is_earlier(excluded.nominal_event, stored.nominal_event) THEN excluded.nominal_event ELSE stored.nominal_event END,
    state_event = CASE WHEN is_newer(excluded.state_event, stored.state_event) THEN excluded.state_event ELSE stored.state_event END,
    start_event = CASE WHEN is_earlier(excluded.start_event, stored.start_event) THEN excluded.start_event ELSE stored.start_event END,
    end_event = CASE WHEN is_newer(excluded.end_event, stored.end_event) THEN excluded.end_event ELSE stored.end_event END,
    parent_event = CASE WHEN is_earlier(excluded.parent_event, stored.parent_event) THEN excluded.parent_event ELSE stored.parent_event END
WHERE is_earlier(excluded.first_event, stored.first_event)
   OR is_newer(excluded.latest_event, stored.latest_event)
   OR is_earlier(excluded.nominal_event, stored.nominal_event)
   OR is_newer(excluded.state_event, stored.state_event)
   OR is_earlier(excluded.start_event, stored.start_event)
   OR is_newer(excluded.end_event, stored.end_event)
   OR is_earlier(excluded.parent_event, stored.parent_event);
