-- What people do to the store is recorded, with who they are.
CREATE TABLE operator_acts (
    id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
    acted_at timestamptz DEFAULT now() NOT NULL,
    login text DEFAULT session_user NOT NULL,
    person text,
    what text NOT NULL,
    subject text NOT NULL,
    outcome text NOT NULL,
    PRIMARY KEY (id),
    CHECK (btrim(what) <> '')
);
COMMENT ON TABLE operator_acts IS 'What people have done to the store, by commands and on pages. A row is written with what it tells of, in one transaction, and never changed.';
COMMENT ON COLUMN operator_acts.id IS 'Number of the act.';
COMMENT ON COLUMN operator_acts.acted_at IS 'When.';
COMMENT ON COLUMN operator_acts.login IS 'Login that did it.';
COMMENT ON COLUMN operator_acts.person IS 'Who asked for it, as that login says: the person as Airflow or a proxy knows him, or the user of a machine and the machine; null if it does not say.';
COMMENT ON COLUMN operator_acts.what IS 'The command that does the same, such as `stream stop`.';
COMMENT ON COLUMN operator_acts.subject IS 'What it was done to.';
COMMENT ON COLUMN operator_acts.outcome IS 'What became of it, and the reason that was given.';
