-- Who may call the functions that do what their owner may.
REVOKE EXECUTE ON FUNCTION public.ensure_event_partition, public.ensure_event_partitions FROM PUBLIC;
GRANT EXECUTE ON FUNCTION public.ensure_event_partitions TO lineage_jobs;
