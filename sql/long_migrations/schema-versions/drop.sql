-- Phase 3: readers of the old mapping, Marquez' API among them, find a view of its name.
CREATE OR REPLACE VIEW dataset_version_fields AS
SELECT dataset_versions.uuid AS dataset_version_uuid, mapping.dataset_field_uuid
FROM dataset_versions
JOIN dataset_schema_versions_field_mapping AS mapping USING (dataset_schema_version_uuid)
JOIN dataset_fields AS field
    ON field.uuid = mapping.dataset_field_uuid AND field.dataset_uuid = dataset_versions.dataset_uuid;

DROP TABLE dataset_versions_field_mapping;

CREATE VIEW dataset_versions_field_mapping AS
SELECT dataset_version_uuid, dataset_field_uuid FROM dataset_version_fields;

CREATE TRIGGER dataset_versions_field_mapping_refuse_writing
INSTEAD OF INSERT OR UPDATE OR DELETE ON dataset_versions_field_mapping
FOR EACH ROW EXECUTE FUNCTION refuse_writing();
