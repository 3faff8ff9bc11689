-- name: types/dataset_name
-- A dataset's namespace and name as one value: Marquez' queries compare such pairs with those of datasets_view.
CREATE TYPE dataset_name AS (namespace varchar(255), name varchar(255));
