-- What a new store keeps: raw events and runs for 30 days, versions for 30 days but always the last 10, quarantine for 90 days.
-- Jobs and datasets stay. Contents go when nothing names them. Nothing is deleted before somebody applies this.
INSERT INTO retention_policies (kind, namespace_pattern, older_than, keep_last)
VALUES
    ('raw-events', '*', '30 days', NULL),
    ('runs', '*', '30 days', NULL),
    ('versions', '*', '30 days', 10),
    ('quarantine', '*', '90 days', NULL),
    ('contents', '*', '1 day', NULL);
