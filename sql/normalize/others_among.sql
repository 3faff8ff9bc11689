-- Whether any of these events is not of the platform's own jobs, which are named after their DAGs: DAG, or DAG.TASK.
SELECT EXISTS (
    SELECT
    FROM unnest(%(xids)s::bigint[], %(seqs)s::bigint[]) AS waiting (arrived_xid, arrival_seq)
    JOIN lineage_events USING (arrived_xid, arrival_seq)
    WHERE NOT coalesce(job_namespace = %(namespace)s AND split_part(job_name, '.', 1) = ANY (%(dags)s), false)
)
