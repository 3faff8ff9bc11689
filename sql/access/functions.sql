-- Who may call the functions that do what their owner may.
REVOKE EXECUTE ON FUNCTION
    public.create_event_partition, public.attach_event_partition, public.move_events, public.crowded_event_times,
    public.guard_event_partitions, public.renumber_foreign_events, public.delete_archived_events, public.drop_event_partition,
    public.restore_events, public.refresh_hourly_counts, public.keep_holds, public.names_something,
    public.create_receiver_token, public.revoke_receiver_token, public.judge_receiver_tokens, public.report_receiver,
    public.capture_changes
FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
    public.create_event_partition, public.attach_event_partition, public.move_events, public.crowded_event_times,
    public.guard_event_partitions, public.renumber_foreign_events, public.delete_archived_events, public.drop_event_partition,
    public.refresh_hourly_counts, public.keep_holds
TO lineage_jobs;
GRANT EXECUTE ON FUNCTION
    public.restore_events, public.names_something, public.create_receiver_token, public.revoke_receiver_token
TO lineage_operator;
GRANT EXECUTE ON FUNCTION public.judge_receiver_tokens, public.report_receiver TO lineage_ingest;
GRANT EXECUTE ON FUNCTION public.crowded_event_times TO lineage_reader;
