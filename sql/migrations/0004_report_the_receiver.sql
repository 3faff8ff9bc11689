-- What the receiver reports of itself: the processes that receive, and what became of the documents that came.
CREATE TABLE receiver_processes (
    id uuid NOT NULL,
    host text NOT NULL,
    process integer NOT NULL,
    started_at timestamptz NOT NULL,
    reported_at timestamptz NOT NULL,
    ended_at timestamptz,
    PRIMARY KEY (id)
);
COMMENT ON TABLE receiver_processes IS 'The processes that receive events over HTTP. Each reports once a minute while it can write.';
COMMENT ON COLUMN receiver_processes.id IS 'Made anew by each process.';
COMMENT ON COLUMN receiver_processes.host IS 'The machine that it runs on.';
COMMENT ON COLUMN receiver_processes.process IS 'Its number there.';
COMMENT ON COLUMN receiver_processes.started_at IS 'When it reported first.';
COMMENT ON COLUMN receiver_processes.reported_at IS 'When it reported last.';
COMMENT ON COLUMN receiver_processes.ended_at IS 'When it ended as it was asked to; null before, and if it was killed.';

CREATE TABLE receiver_hours (
    hour timestamptz NOT NULL,
    outcome text NOT NULL,
    documents bigint NOT NULL,
    requests bigint NOT NULL,
    microseconds bigint NOT NULL,
    longest bigint NOT NULL,
    PRIMARY KEY (hour, outcome)
);
COMMENT ON TABLE receiver_hours IS 'What became of the documents that came over HTTP, for each hour of the last month.';
COMMENT ON COLUMN receiver_hours.hour IS 'Its beginning.';
COMMENT ON COLUMN receiver_hours.outcome IS '`accepted`, `spooled`, or the HTTP status with which they were refused.';
COMMENT ON COLUMN receiver_hours.documents IS 'How many. A request that was refused before it was read is one.';
COMMENT ON COLUMN receiver_hours.requests IS 'How many requests they came in.';
COMMENT ON COLUMN receiver_hours.microseconds IS 'How long these requests took, all together.';
COMMENT ON COLUMN receiver_hours.longest IS 'Microseconds that the slowest of them took.';
