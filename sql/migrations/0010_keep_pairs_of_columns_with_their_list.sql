-- The pairs of a list of column lineage are arrays in its row. Those that are there stay where they are, under another name, until
-- the long migration `column-pairs` moves them: a view of the old name shows both.
CREATE TABLE column_lineage_lists (
    pairs_uuid uuid NOT NULL,
    output_dataset_uuid uuid NOT NULL,
    input_dataset_uuid uuid NOT NULL,
    output_field_uuids uuid[] NOT NULL,
    input_field_uuids uuid[] NOT NULL,
    transformation_descriptions text[],
    transformation_types text[],
    first_stated_at timestamptz[],
    last_stated_at timestamptz[],
    PRIMARY KEY (pairs_uuid)
);
CREATE INDEX column_lineage_lists_output_index ON column_lineage_lists (output_dataset_uuid);
CREATE INDEX column_lineage_lists_input_index ON column_lineage_lists (input_dataset_uuid);
COMMENT ON TABLE column_lineage_lists IS 'Lists of pairs of columns, each once for all versions between which it holds: column_lineage shows them. The arrays of a list have an element a pair, in the order of the columns written and read, or are null where no pair has any.';
COMMENT ON COLUMN column_lineage_lists.pairs_uuid IS 'The list: the first half of the SHA-256 of its pairs.';
COMMENT ON COLUMN column_lineage_lists.output_dataset_uuid IS 'The dataset of all columns that were written.';
COMMENT ON COLUMN column_lineage_lists.input_dataset_uuid IS 'The dataset of all columns that were read.';
COMMENT ON COLUMN column_lineage_lists.output_field_uuids IS 'Columns that were written.';
COMMENT ON COLUMN column_lineage_lists.input_field_uuids IS 'Columns that were read, one for each of these.';
COMMENT ON COLUMN column_lineage_lists.transformation_descriptions IS 'What was done to each, in the producer''s words.';
COMMENT ON COLUMN column_lineage_lists.transformation_types IS 'Kinds of transformation, such as IDENTITY or MASKED.';
COMMENT ON COLUMN column_lineage_lists.first_stated_at IS 'Times of the first events that say them, where not those of the versions.';
COMMENT ON COLUMN column_lineage_lists.last_stated_at IS 'Times of the last events that say them, where not those of the versions.';
COMMENT ON INDEX column_lineage_lists_output_index IS 'Lineage of one column, upstream, by its dataset.';
COMMENT ON INDEX column_lineage_lists_input_index IS 'Lineage of one column, downstream, by its dataset.';

CREATE TABLE changes.column_lineage_lists (
    change_xid xid8 NOT NULL,
    change_number bigint NOT NULL,
    copies integer NOT NULL,
    pairs_uuid uuid,
    output_field_uuids uuid[],
    input_field_uuids uuid[],
    transformation_descriptions text[],
    transformation_types text[],
    first_stated_at timestamptz[]
);
COMMENT ON TABLE changes.column_lineage_lists IS 'Changes of column_lineage_lists that wait for their publication.';
COMMENT ON COLUMN changes.column_lineage_lists.change_xid IS 'The transaction.';
COMMENT ON COLUMN changes.column_lineage_lists.change_number IS 'In the order in which statements ended.';
COMMENT ON COLUMN changes.column_lineage_lists.copies IS 'How many rows came, or, below 0, went.';

DROP TRIGGER IF EXISTS column_lineage_pairs_capture_delete ON column_lineage_pairs;
DROP TRIGGER IF EXISTS column_lineage_pairs_capture_truncate ON column_lineage_pairs;

ALTER TABLE column_lineage_pairs RENAME TO column_pairs_to_move;
ALTER TABLE changes.column_lineage_pairs RENAME TO column_pairs_to_move;
ALTER INDEX column_lineage_pairs_pkey RENAME TO column_pairs_to_move_pkey;
ALTER INDEX column_lineage_pairs_output_index RENAME TO column_pairs_to_move_output_index;
ALTER INDEX column_lineage_pairs_input_index RENAME TO column_pairs_to_move_input_index;

COMMENT ON COLUMN column_lineage_versions.pairs_uuid IS 'The list of pairs, of `column_lineage_pairs`.';
COMMENT ON TABLE column_pairs_to_move IS 'The pairs of lists that are not in `column_lineage_lists`: an earlier release has kept them one by one. Nothing is added, and the long migration `column-pairs` empties it.';
COMMENT ON TABLE changes.column_pairs_to_move IS 'Changes of column_pairs_to_move that wait for their publication.';
