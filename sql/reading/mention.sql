-- What the tables know of one mention of a dataset that is not normalized: the dataset, the version that the mention makes if
-- it makes one, and of an input the version that was current before.
SELECT
    dataset.uuid AS dataset,
    version.uuid AS own_version,
    CASE WHEN %(role)s = input_role() THEN version_before(dataset.uuid, %(event_order)s) END AS before
FROM (
    SELECT coalesce(
        (SELECT uuid FROM identity_map WHERE entity = 'datasets' AND key_uuid = %(name_uuid)s), %(name_uuid)s
    )
) AS dataset (uuid)
CROSS JOIN (
    SELECT coalesce(
        (SELECT uuid FROM identity_map WHERE entity = 'dataset_versions' AND key_uuid = %(own_version_uuid)s),
        %(own_version_uuid)s
    )
) AS version (uuid)
