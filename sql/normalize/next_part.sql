-- The id of a part that is to be staged.
SELECT nextval('staged_parts_id_seq')
