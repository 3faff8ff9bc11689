-- Rendered from model/tables/retention_holds.py by `lineage sql`: edit the declaration, not this file.
CREATE OR REPLACE TRIGGER retention_holds_refuse_update BEFORE UPDATE OR DELETE ON retention_holds FOR EACH ROW EXECUTE FUNCTION refuse_changes();
CREATE OR REPLACE TRIGGER retention_holds_refuse_truncate BEFORE TRUNCATE ON retention_holds FOR EACH STATEMENT EXECUTE FUNCTION refuse_changes();
