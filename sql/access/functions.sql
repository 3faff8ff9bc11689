-- Who may call the functions that do what their owner may.
REVOKE EXECUTE ON FUNCTION
    public.create_event_partition, public.attach_event_partition, public.move_events, public.crowded_event_times,
    public.guard_event_partitions, public.renumber_foreign_events
FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
    public.create_event_partition, public.attach_event_partition, public.move_events, public.crowded_event_times,
    public.guard_event_partitions, public.renumber_foreign_events
TO lineage_jobs;
