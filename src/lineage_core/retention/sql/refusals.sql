-- name: refusals/retention_holds
-- Rendered from retention/tables.py by `lineage sql`: edit the declaration, not this file.
CREATE OR REPLACE TRIGGER retention_holds_refuse_update BEFORE UPDATE OR DELETE ON retention_holds FOR EACH ROW EXECUTE FUNCTION refuse_changes();
CREATE OR REPLACE TRIGGER retention_holds_refuse_truncate BEFORE TRUNCATE ON retention_holds FOR EACH STATEMENT EXECUTE FUNCTION refuse_changes();

-- name: refusals/retention_policies
-- Rendered from retention/tables.py by `lineage sql`: edit the declaration, not this file.
CREATE OR REPLACE TRIGGER retention_policies_refuse_update BEFORE UPDATE OR DELETE ON retention_policies FOR EACH ROW EXECUTE FUNCTION refuse_changes();
CREATE OR REPLACE TRIGGER retention_policies_refuse_truncate BEFORE TRUNCATE ON retention_policies FOR EACH STATEMENT EXECUTE FUNCTION refuse_changes();

-- name: refusals/retention_hold_releases
-- Rendered from retention/tables.py by `lineage sql`: edit the declaration, not this file.
CREATE OR REPLACE TRIGGER retention_hold_releases_refuse_update BEFORE UPDATE OR DELETE ON retention_hold_releases FOR EACH ROW EXECUTE FUNCTION refuse_changes();
CREATE OR REPLACE TRIGGER retention_hold_releases_refuse_truncate BEFORE TRUNCATE ON retention_hold_releases FOR EACH STATEMENT EXECUTE FUNCTION refuse_changes();
