-- Reports what a process did since it reported last.
SELECT report_receiver(
    %(id)s, %(host)s, %(process)s, %(is_ending)s, %(outcomes)s::text[], %(documents)s::bigint[], %(requests)s::bigint[],
    %(microseconds)s::bigint[], %(longest)s::bigint[]
)
