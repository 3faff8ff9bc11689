-- Columns that the plan does not have stay.
DELETE FROM leaving_dataset_fields AS leaving
WHERE NOT EXISTS (SELECT FROM approved WHERE kind = 'dataset_fields' AND approved.uuid = leaving.uuid);
