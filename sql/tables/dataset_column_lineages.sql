-- Rendered from tables/dataset_column_lineages.py by `lineage sql`: edit the declaration, not this file.
CREATE TABLE dataset_column_lineages (
    uuid uuid NOT NULL,
    pairs jsonb NOT NULL,
    PRIMARY KEY (uuid)
);
COMMENT ON TABLE dataset_column_lineages IS 'Every description of where the columns of an output come from; runs that say the same share it. column_lineage follows from it.';
COMMENT ON COLUMN dataset_column_lineages.uuid IS 'Follows from the pairs.';
COMMENT ON COLUMN dataset_column_lineages.pairs IS 'A list of: name and type of the output column, key of the input dataset, name of its column, and type and description of the transformation.';
