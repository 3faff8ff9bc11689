-- Rendered from model/tables/retention_policies.py by `lineage sql`: edit the declaration, not this file.
CREATE OR REPLACE TRIGGER retention_policies_refuse_update BEFORE UPDATE OR DELETE ON retention_policies FOR EACH ROW EXECUTE FUNCTION refuse_changes();
CREATE OR REPLACE TRIGGER retention_policies_refuse_truncate BEFORE TRUNCATE ON retention_policies FOR EACH STATEMENT EXECUTE FUNCTION refuse_changes();
