-- Rendered from tables/dataset_column_lineages.py by `lineage sql`: edit the declaration, not this file.
CREATE UNLOGGED TABLE staging.dataset_column_lineages (
    part_id bigint NOT NULL,
    uuid uuid,
    pairs jsonb
);
COMMENT ON TABLE staging.dataset_column_lineages IS 'Rows for dataset_column_lineages that wait for their merge; emptied by a crash.';
