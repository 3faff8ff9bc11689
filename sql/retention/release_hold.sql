-- Ends a legal hold.
INSERT INTO retention_hold_releases (hold, why) VALUES (%(hold)s, %(why)s)
