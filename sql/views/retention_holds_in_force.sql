-- The legal holds that are not released and that have not ended by themselves.
-- readers: whoever plans retention, and normalization behind a horizon
-- reads: retention_hold_releases, retention_holds
-- open to operators: it shows people what they themselves have set
CREATE VIEW retention_holds_in_force AS
SELECT held.*
FROM retention_holds AS held
WHERE (held.until IS NULL OR held.until > now())
  AND NOT EXISTS (SELECT FROM retention_hold_releases AS released WHERE released.hold = held.id);

COMMENT ON VIEW retention_holds_in_force IS 'The legal holds that are not released and that have not ended.';
