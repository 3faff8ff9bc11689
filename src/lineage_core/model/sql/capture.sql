-- name: capture/column_lineage_pairs
-- Rendered from model/tables/column_lineage_pairs.py by `lineage sql`: edit the declaration, not this file.
CREATE OR REPLACE FUNCTION capture_column_lineage_pairs() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.streams WHERE name IN ('column_lineage')) THEN
        RETURN NULL;
    END IF;
    IF tg_op = 'DELETE' THEN
        INSERT INTO changes.column_lineage_pairs (change_xid, change_number, copies, pairs_uuid, output_dataset_field_uuid, input_dataset_field_uuid, transformation_description, transformation_type, created_at)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, pairs_uuid, output_dataset_field_uuid, input_dataset_field_uuid, transformation_description, transformation_type, created_at
        FROM old_rows;
    ELSE
        INSERT INTO changes.column_lineage_pairs (change_xid, change_number, copies, pairs_uuid, output_dataset_field_uuid, input_dataset_field_uuid, transformation_description, transformation_type, created_at)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, pairs_uuid, output_dataset_field_uuid, input_dataset_field_uuid, transformation_description, transformation_type, created_at
        FROM public.column_lineage_pairs;
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER column_lineage_pairs_capture_delete AFTER DELETE ON column_lineage_pairs
REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_column_lineage_pairs();

CREATE OR REPLACE TRIGGER column_lineage_pairs_capture_truncate BEFORE TRUNCATE ON column_lineage_pairs
FOR EACH STATEMENT EXECUTE FUNCTION capture_column_lineage_pairs();

ALTER TABLE column_lineage_pairs
ENABLE ALWAYS TRIGGER column_lineage_pairs_capture_delete,
ENABLE ALWAYS TRIGGER column_lineage_pairs_capture_truncate;

-- name: capture/column_lineage_versions
-- Rendered from model/tables/column_lineage_versions.py by `lineage sql`: edit the declaration, not this file.
CREATE OR REPLACE FUNCTION capture_column_lineage_versions() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.streams WHERE name IN ('column_lineage')) THEN
        RETURN NULL;
    END IF;
    IF tg_op = 'INSERT' THEN
        INSERT INTO changes.column_lineage_versions (change_xid, change_number, copies, output_dataset_version_uuid, input_dataset_version_uuid, pairs_uuid, created_at)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), 1, output_dataset_version_uuid, input_dataset_version_uuid, pairs_uuid, created_at
        FROM new_rows;
    ELSIF tg_op = 'UPDATE' THEN
        INSERT INTO changes.column_lineage_versions (change_xid, change_number, copies, output_dataset_version_uuid, input_dataset_version_uuid, pairs_uuid, created_at)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), sum(copies), output_dataset_version_uuid, input_dataset_version_uuid, pairs_uuid, created_at
        FROM (
            SELECT -1 AS copies, output_dataset_version_uuid, input_dataset_version_uuid, pairs_uuid, created_at FROM old_rows
            UNION ALL
            SELECT 1, output_dataset_version_uuid, input_dataset_version_uuid, pairs_uuid, created_at FROM new_rows
        ) AS images
        GROUP BY output_dataset_version_uuid, input_dataset_version_uuid, pairs_uuid, created_at
        HAVING sum(copies) <> 0;
    ELSIF tg_op = 'DELETE' THEN
        INSERT INTO changes.column_lineage_versions (change_xid, change_number, copies, output_dataset_version_uuid, input_dataset_version_uuid, pairs_uuid, created_at)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, output_dataset_version_uuid, input_dataset_version_uuid, pairs_uuid, created_at
        FROM old_rows;
    ELSE
        INSERT INTO changes.column_lineage_versions (change_xid, change_number, copies, output_dataset_version_uuid, input_dataset_version_uuid, pairs_uuid, created_at)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, output_dataset_version_uuid, input_dataset_version_uuid, pairs_uuid, created_at
        FROM public.column_lineage_versions;
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER column_lineage_versions_capture_insert AFTER INSERT ON column_lineage_versions
REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_column_lineage_versions();

CREATE OR REPLACE TRIGGER column_lineage_versions_capture_update AFTER UPDATE ON column_lineage_versions
REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_column_lineage_versions();

CREATE OR REPLACE TRIGGER column_lineage_versions_capture_delete AFTER DELETE ON column_lineage_versions
REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_column_lineage_versions();

CREATE OR REPLACE TRIGGER column_lineage_versions_capture_truncate BEFORE TRUNCATE ON column_lineage_versions
FOR EACH STATEMENT EXECUTE FUNCTION capture_column_lineage_versions();

ALTER TABLE column_lineage_versions
ENABLE ALWAYS TRIGGER column_lineage_versions_capture_insert,
ENABLE ALWAYS TRIGGER column_lineage_versions_capture_update,
ENABLE ALWAYS TRIGGER column_lineage_versions_capture_delete,
ENABLE ALWAYS TRIGGER column_lineage_versions_capture_truncate;

-- name: capture/tags
-- Rendered from model/tables/tags.py by `lineage sql`: edit the declaration, not this file.
CREATE OR REPLACE FUNCTION capture_tags() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.streams WHERE name IN ('tags')) THEN
        RETURN NULL;
    END IF;
    IF tg_op = 'INSERT' THEN
        INSERT INTO changes.tags (change_xid, change_number, copies, uuid, created_at, name, description)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), 1, uuid, created_at, name, description
        FROM new_rows;
    ELSIF tg_op = 'UPDATE' THEN
        INSERT INTO changes.tags (change_xid, change_number, copies, uuid, created_at, name, description)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), sum(copies), uuid, created_at, name, description
        FROM (
            SELECT -1 AS copies, uuid, created_at, name, description FROM old_rows
            UNION ALL
            SELECT 1, uuid, created_at, name, description FROM new_rows
        ) AS images
        GROUP BY uuid, created_at, name, description
        HAVING sum(copies) <> 0;
    ELSIF tg_op = 'DELETE' THEN
        INSERT INTO changes.tags (change_xid, change_number, copies, uuid, created_at, name, description)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, uuid, created_at, name, description
        FROM old_rows;
    ELSE
        INSERT INTO changes.tags (change_xid, change_number, copies, uuid, created_at, name, description)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, uuid, created_at, name, description
        FROM public.tags;
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER tags_capture_insert AFTER INSERT ON tags
REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_tags();

CREATE OR REPLACE TRIGGER tags_capture_update AFTER UPDATE ON tags
REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_tags();

CREATE OR REPLACE TRIGGER tags_capture_delete AFTER DELETE ON tags
REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_tags();

CREATE OR REPLACE TRIGGER tags_capture_truncate BEFORE TRUNCATE ON tags
FOR EACH STATEMENT EXECUTE FUNCTION capture_tags();

ALTER TABLE tags
ENABLE ALWAYS TRIGGER tags_capture_insert,
ENABLE ALWAYS TRIGGER tags_capture_update,
ENABLE ALWAYS TRIGGER tags_capture_delete,
ENABLE ALWAYS TRIGGER tags_capture_truncate;

-- name: capture/owners
-- Rendered from model/tables/owners.py by `lineage sql`: edit the declaration, not this file.
CREATE OR REPLACE FUNCTION capture_owners() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.streams WHERE name IN ('owners')) THEN
        RETURN NULL;
    END IF;
    IF tg_op = 'INSERT' THEN
        INSERT INTO changes.owners (change_xid, change_number, copies, uuid, created_at, name)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), 1, uuid, created_at, name
        FROM new_rows;
    ELSIF tg_op = 'UPDATE' THEN
        INSERT INTO changes.owners (change_xid, change_number, copies, uuid, created_at, name)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), sum(copies), uuid, created_at, name
        FROM (
            SELECT -1 AS copies, uuid, created_at, name FROM old_rows
            UNION ALL
            SELECT 1, uuid, created_at, name FROM new_rows
        ) AS images
        GROUP BY uuid, created_at, name
        HAVING sum(copies) <> 0;
    ELSIF tg_op = 'DELETE' THEN
        INSERT INTO changes.owners (change_xid, change_number, copies, uuid, created_at, name)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, uuid, created_at, name
        FROM old_rows;
    ELSE
        INSERT INTO changes.owners (change_xid, change_number, copies, uuid, created_at, name)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, uuid, created_at, name
        FROM public.owners;
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER owners_capture_insert AFTER INSERT ON owners
REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_owners();

CREATE OR REPLACE TRIGGER owners_capture_update AFTER UPDATE ON owners
REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_owners();

CREATE OR REPLACE TRIGGER owners_capture_delete AFTER DELETE ON owners
REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_owners();

CREATE OR REPLACE TRIGGER owners_capture_truncate BEFORE TRUNCATE ON owners
FOR EACH STATEMENT EXECUTE FUNCTION capture_owners();

ALTER TABLE owners
ENABLE ALWAYS TRIGGER owners_capture_insert,
ENABLE ALWAYS TRIGGER owners_capture_update,
ENABLE ALWAYS TRIGGER owners_capture_delete,
ENABLE ALWAYS TRIGGER owners_capture_truncate;

-- name: capture/namespaces
-- Rendered from model/tables/namespaces.py by `lineage sql`: edit the declaration, not this file.
CREATE OR REPLACE FUNCTION capture_namespaces() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.streams WHERE name IN ('namespaces')) THEN
        RETURN NULL;
    END IF;
    IF tg_op = 'INSERT' THEN
        INSERT INTO changes.namespaces (change_xid, change_number, copies, uuid, created_at, name, description, current_owner_name, is_hidden)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), 1, uuid, created_at, name, description, current_owner_name, is_hidden
        FROM new_rows;
    ELSIF tg_op = 'UPDATE' THEN
        INSERT INTO changes.namespaces (change_xid, change_number, copies, uuid, created_at, name, description, current_owner_name, is_hidden)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), sum(copies), uuid, created_at, name, description, current_owner_name, is_hidden
        FROM (
            SELECT -1 AS copies, uuid, created_at, name, description, current_owner_name, is_hidden FROM old_rows
            UNION ALL
            SELECT 1, uuid, created_at, name, description, current_owner_name, is_hidden FROM new_rows
        ) AS images
        GROUP BY uuid, created_at, name, description, current_owner_name, is_hidden
        HAVING sum(copies) <> 0;
    ELSIF tg_op = 'DELETE' THEN
        INSERT INTO changes.namespaces (change_xid, change_number, copies, uuid, created_at, name, description, current_owner_name, is_hidden)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, uuid, created_at, name, description, current_owner_name, is_hidden
        FROM old_rows;
    ELSE
        INSERT INTO changes.namespaces (change_xid, change_number, copies, uuid, created_at, name, description, current_owner_name, is_hidden)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, uuid, created_at, name, description, current_owner_name, is_hidden
        FROM public.namespaces;
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER namespaces_capture_insert AFTER INSERT ON namespaces
REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_namespaces();

CREATE OR REPLACE TRIGGER namespaces_capture_update AFTER UPDATE ON namespaces
REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_namespaces();

CREATE OR REPLACE TRIGGER namespaces_capture_delete AFTER DELETE ON namespaces
REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_namespaces();

CREATE OR REPLACE TRIGGER namespaces_capture_truncate BEFORE TRUNCATE ON namespaces
FOR EACH STATEMENT EXECUTE FUNCTION capture_namespaces();

ALTER TABLE namespaces
ENABLE ALWAYS TRIGGER namespaces_capture_insert,
ENABLE ALWAYS TRIGGER namespaces_capture_update,
ENABLE ALWAYS TRIGGER namespaces_capture_delete,
ENABLE ALWAYS TRIGGER namespaces_capture_truncate;

-- name: capture/sources
-- Rendered from model/tables/sources.py by `lineage sql`: edit the declaration, not this file.
CREATE OR REPLACE FUNCTION capture_sources() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.streams WHERE name IN ('sources')) THEN
        RETURN NULL;
    END IF;
    IF tg_op = 'INSERT' THEN
        INSERT INTO changes.sources (change_xid, change_number, copies, uuid, type, created_at, name, connection_url, description)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), 1, uuid, type, created_at, name, connection_url, description
        FROM new_rows;
    ELSIF tg_op = 'UPDATE' THEN
        INSERT INTO changes.sources (change_xid, change_number, copies, uuid, type, created_at, name, connection_url, description)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), sum(copies), uuid, type, created_at, name, connection_url, description
        FROM (
            SELECT -1 AS copies, uuid, type, created_at, name, connection_url, description FROM old_rows
            UNION ALL
            SELECT 1, uuid, type, created_at, name, connection_url, description FROM new_rows
        ) AS images
        GROUP BY uuid, type, created_at, name, connection_url, description
        HAVING sum(copies) <> 0;
    ELSIF tg_op = 'DELETE' THEN
        INSERT INTO changes.sources (change_xid, change_number, copies, uuid, type, created_at, name, connection_url, description)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, uuid, type, created_at, name, connection_url, description
        FROM old_rows;
    ELSE
        INSERT INTO changes.sources (change_xid, change_number, copies, uuid, type, created_at, name, connection_url, description)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, uuid, type, created_at, name, connection_url, description
        FROM public.sources;
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER sources_capture_insert AFTER INSERT ON sources
REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_sources();

CREATE OR REPLACE TRIGGER sources_capture_update AFTER UPDATE ON sources
REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_sources();

CREATE OR REPLACE TRIGGER sources_capture_delete AFTER DELETE ON sources
REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_sources();

CREATE OR REPLACE TRIGGER sources_capture_truncate BEFORE TRUNCATE ON sources
FOR EACH STATEMENT EXECUTE FUNCTION capture_sources();

ALTER TABLE sources
ENABLE ALWAYS TRIGGER sources_capture_insert,
ENABLE ALWAYS TRIGGER sources_capture_update,
ENABLE ALWAYS TRIGGER sources_capture_delete,
ENABLE ALWAYS TRIGGER sources_capture_truncate;

-- name: capture/event_ledger
-- Rendered from model/tables/event_ledger.py by `lineage sql`: edit the declaration, not this file.
CREATE OR REPLACE FUNCTION capture_event_ledger() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.streams WHERE name IN ('job_facets', 'run_facets')) THEN
        RETURN NULL;
    END IF;
    IF tg_op = 'INSERT' THEN
        INSERT INTO changes.event_ledger (change_xid, change_number, copies, event_time, run_uuid, job_uuid, lineage_event_type, run_facets_uuid, job_facets_uuid)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), 1, event_time, run_uuid, job_uuid, lineage_event_type, run_facets_uuid, job_facets_uuid
        FROM new_rows;
    ELSIF tg_op = 'UPDATE' THEN
        INSERT INTO changes.event_ledger (change_xid, change_number, copies, event_time, run_uuid, job_uuid, lineage_event_type, run_facets_uuid, job_facets_uuid)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), sum(copies), event_time, run_uuid, job_uuid, lineage_event_type, run_facets_uuid, job_facets_uuid
        FROM (
            SELECT -1 AS copies, event_time, run_uuid, job_uuid, lineage_event_type, run_facets_uuid, job_facets_uuid FROM old_rows
            UNION ALL
            SELECT 1, event_time, run_uuid, job_uuid, lineage_event_type, run_facets_uuid, job_facets_uuid FROM new_rows
        ) AS images
        GROUP BY event_time, run_uuid, job_uuid, lineage_event_type, run_facets_uuid, job_facets_uuid
        HAVING sum(copies) <> 0;
    ELSIF tg_op = 'DELETE' THEN
        INSERT INTO changes.event_ledger (change_xid, change_number, copies, event_time, run_uuid, job_uuid, lineage_event_type, run_facets_uuid, job_facets_uuid)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, event_time, run_uuid, job_uuid, lineage_event_type, run_facets_uuid, job_facets_uuid
        FROM old_rows;
    ELSE
        INSERT INTO changes.event_ledger (change_xid, change_number, copies, event_time, run_uuid, job_uuid, lineage_event_type, run_facets_uuid, job_facets_uuid)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, event_time, run_uuid, job_uuid, lineage_event_type, run_facets_uuid, job_facets_uuid
        FROM public.event_ledger;
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER event_ledger_capture_insert AFTER INSERT ON event_ledger
REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_event_ledger();

CREATE OR REPLACE TRIGGER event_ledger_capture_update AFTER UPDATE ON event_ledger
REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_event_ledger();

CREATE OR REPLACE TRIGGER event_ledger_capture_delete AFTER DELETE ON event_ledger
REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_event_ledger();

CREATE OR REPLACE TRIGGER event_ledger_capture_truncate BEFORE TRUNCATE ON event_ledger
FOR EACH STATEMENT EXECUTE FUNCTION capture_event_ledger();

ALTER TABLE event_ledger
ENABLE ALWAYS TRIGGER event_ledger_capture_insert,
ENABLE ALWAYS TRIGGER event_ledger_capture_update,
ENABLE ALWAYS TRIGGER event_ledger_capture_delete,
ENABLE ALWAYS TRIGGER event_ledger_capture_truncate;

-- name: capture/facet_sets
-- Rendered from model/tables/facet_sets.py by `lineage sql`: edit the declaration, not this file.
CREATE OR REPLACE FUNCTION capture_facet_sets() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.streams WHERE name IN ('dataset_facets', 'job_facets', 'run_facets')) THEN
        RETURN NULL;
    END IF;
    IF tg_op = 'DELETE' THEN
        INSERT INTO changes.facet_sets (change_xid, change_number, copies, uuid, facets)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, uuid, facets
        FROM old_rows;
    ELSE
        INSERT INTO changes.facet_sets (change_xid, change_number, copies, uuid, facets)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, uuid, facets
        FROM public.facet_sets;
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER facet_sets_capture_delete AFTER DELETE ON facet_sets
REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_facet_sets();

CREATE OR REPLACE TRIGGER facet_sets_capture_truncate BEFORE TRUNCATE ON facet_sets
FOR EACH STATEMENT EXECUTE FUNCTION capture_facet_sets();

ALTER TABLE facet_sets
ENABLE ALWAYS TRIGGER facet_sets_capture_delete,
ENABLE ALWAYS TRIGGER facet_sets_capture_truncate;

-- name: capture/facets
-- Rendered from model/tables/facets.py by `lineage sql`: edit the declaration, not this file.
CREATE OR REPLACE FUNCTION capture_facets() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.streams WHERE name IN ('dataset_facets', 'job_facets', 'run_facets')) THEN
        RETURN NULL;
    END IF;
    IF tg_op = 'DELETE' THEN
        INSERT INTO changes.facets (change_xid, change_number, copies, uuid, name, facet)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, uuid, name, facet::text AS facet
        FROM old_rows;
    ELSE
        INSERT INTO changes.facets (change_xid, change_number, copies, uuid, name, facet)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, uuid, name, facet::text AS facet
        FROM public.facets;
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER facets_capture_delete AFTER DELETE ON facets
REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_facets();

CREATE OR REPLACE TRIGGER facets_capture_truncate BEFORE TRUNCATE ON facets
FOR EACH STATEMENT EXECUTE FUNCTION capture_facets();

ALTER TABLE facets
ENABLE ALWAYS TRIGGER facets_capture_delete,
ENABLE ALWAYS TRIGGER facets_capture_truncate;

-- name: capture/jobs_fqn
-- Rendered from model/tables/jobs_fqn.py by `lineage sql`: edit the declaration, not this file.
CREATE OR REPLACE FUNCTION capture_jobs_fqn() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.streams WHERE name IN ('jobs_fqn')) THEN
        RETURN NULL;
    END IF;
    IF tg_op = 'INSERT' THEN
        INSERT INTO changes.jobs_fqn (change_xid, change_number, copies, uuid, namespace_uuid, namespace_name, parent_job_name, aliases, job_fqn)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), 1, uuid, namespace_uuid, namespace_name, parent_job_name, aliases, job_fqn
        FROM new_rows;
    ELSIF tg_op = 'UPDATE' THEN
        INSERT INTO changes.jobs_fqn (change_xid, change_number, copies, uuid, namespace_uuid, namespace_name, parent_job_name, aliases, job_fqn)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), sum(copies), uuid, namespace_uuid, namespace_name, parent_job_name, aliases, job_fqn
        FROM (
            SELECT -1 AS copies, uuid, namespace_uuid, namespace_name, parent_job_name, aliases, job_fqn FROM old_rows
            UNION ALL
            SELECT 1, uuid, namespace_uuid, namespace_name, parent_job_name, aliases, job_fqn FROM new_rows
        ) AS images
        GROUP BY uuid, namespace_uuid, namespace_name, parent_job_name, aliases, job_fqn
        HAVING sum(copies) <> 0;
    ELSIF tg_op = 'DELETE' THEN
        INSERT INTO changes.jobs_fqn (change_xid, change_number, copies, uuid, namespace_uuid, namespace_name, parent_job_name, aliases, job_fqn)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, uuid, namespace_uuid, namespace_name, parent_job_name, aliases, job_fqn
        FROM old_rows;
    ELSE
        INSERT INTO changes.jobs_fqn (change_xid, change_number, copies, uuid, namespace_uuid, namespace_name, parent_job_name, aliases, job_fqn)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, uuid, namespace_uuid, namespace_name, parent_job_name, aliases, job_fqn
        FROM public.jobs_fqn;
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER jobs_fqn_capture_insert AFTER INSERT ON jobs_fqn
REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_jobs_fqn();

CREATE OR REPLACE TRIGGER jobs_fqn_capture_update AFTER UPDATE ON jobs_fqn
REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_jobs_fqn();

CREATE OR REPLACE TRIGGER jobs_fqn_capture_delete AFTER DELETE ON jobs_fqn
REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_jobs_fqn();

CREATE OR REPLACE TRIGGER jobs_fqn_capture_truncate BEFORE TRUNCATE ON jobs_fqn
FOR EACH STATEMENT EXECUTE FUNCTION capture_jobs_fqn();

ALTER TABLE jobs_fqn
ENABLE ALWAYS TRIGGER jobs_fqn_capture_insert,
ENABLE ALWAYS TRIGGER jobs_fqn_capture_update,
ENABLE ALWAYS TRIGGER jobs_fqn_capture_delete,
ENABLE ALWAYS TRIGGER jobs_fqn_capture_truncate;

-- name: capture/run_args
-- Rendered from model/tables/run_args.py by `lineage sql`: edit the declaration, not this file.
CREATE OR REPLACE FUNCTION capture_run_args() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.streams WHERE name IN ('run_args')) THEN
        RETURN NULL;
    END IF;
    IF tg_op = 'INSERT' THEN
        INSERT INTO changes.run_args (change_xid, change_number, copies, uuid, created_at, args, checksum)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), 1, uuid, created_at, args, checksum
        FROM new_rows;
    ELSIF tg_op = 'UPDATE' THEN
        INSERT INTO changes.run_args (change_xid, change_number, copies, uuid, created_at, args, checksum)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), sum(copies), uuid, created_at, args, checksum
        FROM (
            SELECT -1 AS copies, uuid, created_at, args, checksum FROM old_rows
            UNION ALL
            SELECT 1, uuid, created_at, args, checksum FROM new_rows
        ) AS images
        GROUP BY uuid, created_at, args, checksum
        HAVING sum(copies) <> 0;
    ELSIF tg_op = 'DELETE' THEN
        INSERT INTO changes.run_args (change_xid, change_number, copies, uuid, created_at, args, checksum)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, uuid, created_at, args, checksum
        FROM old_rows;
    ELSE
        INSERT INTO changes.run_args (change_xid, change_number, copies, uuid, created_at, args, checksum)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, uuid, created_at, args, checksum
        FROM public.run_args;
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER run_args_capture_insert AFTER INSERT ON run_args
REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_run_args();

CREATE OR REPLACE TRIGGER run_args_capture_update AFTER UPDATE ON run_args
REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_run_args();

CREATE OR REPLACE TRIGGER run_args_capture_delete AFTER DELETE ON run_args
REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_run_args();

CREATE OR REPLACE TRIGGER run_args_capture_truncate BEFORE TRUNCATE ON run_args
FOR EACH STATEMENT EXECUTE FUNCTION capture_run_args();

ALTER TABLE run_args
ENABLE ALWAYS TRIGGER run_args_capture_insert,
ENABLE ALWAYS TRIGGER run_args_capture_update,
ENABLE ALWAYS TRIGGER run_args_capture_delete,
ENABLE ALWAYS TRIGGER run_args_capture_truncate;

-- name: capture/dataset_symlinks
-- Rendered from model/tables/dataset_symlinks.py by `lineage sql`: edit the declaration, not this file.
CREATE OR REPLACE FUNCTION capture_dataset_symlinks() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.streams WHERE name IN ('dataset_symlinks')) THEN
        RETURN NULL;
    END IF;
    IF tg_op = 'INSERT' THEN
        INSERT INTO changes.dataset_symlinks (change_xid, change_number, copies, dataset_uuid, name, namespace_uuid, type, is_primary, created_at)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), 1, dataset_uuid, name, namespace_uuid, type, is_primary, created_at
        FROM new_rows;
    ELSIF tg_op = 'UPDATE' THEN
        INSERT INTO changes.dataset_symlinks (change_xid, change_number, copies, dataset_uuid, name, namespace_uuid, type, is_primary, created_at)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), sum(copies), dataset_uuid, name, namespace_uuid, type, is_primary, created_at
        FROM (
            SELECT -1 AS copies, dataset_uuid, name, namespace_uuid, type, is_primary, created_at FROM old_rows
            UNION ALL
            SELECT 1, dataset_uuid, name, namespace_uuid, type, is_primary, created_at FROM new_rows
        ) AS images
        GROUP BY dataset_uuid, name, namespace_uuid, type, is_primary, created_at
        HAVING sum(copies) <> 0;
    ELSIF tg_op = 'DELETE' THEN
        INSERT INTO changes.dataset_symlinks (change_xid, change_number, copies, dataset_uuid, name, namespace_uuid, type, is_primary, created_at)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, dataset_uuid, name, namespace_uuid, type, is_primary, created_at
        FROM old_rows;
    ELSE
        INSERT INTO changes.dataset_symlinks (change_xid, change_number, copies, dataset_uuid, name, namespace_uuid, type, is_primary, created_at)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, dataset_uuid, name, namespace_uuid, type, is_primary, created_at
        FROM public.dataset_symlinks;
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER dataset_symlinks_capture_insert AFTER INSERT ON dataset_symlinks
REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_dataset_symlinks();

CREATE OR REPLACE TRIGGER dataset_symlinks_capture_update AFTER UPDATE ON dataset_symlinks
REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_dataset_symlinks();

CREATE OR REPLACE TRIGGER dataset_symlinks_capture_delete AFTER DELETE ON dataset_symlinks
REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_dataset_symlinks();

CREATE OR REPLACE TRIGGER dataset_symlinks_capture_truncate BEFORE TRUNCATE ON dataset_symlinks
FOR EACH STATEMENT EXECUTE FUNCTION capture_dataset_symlinks();

ALTER TABLE dataset_symlinks
ENABLE ALWAYS TRIGGER dataset_symlinks_capture_insert,
ENABLE ALWAYS TRIGGER dataset_symlinks_capture_update,
ENABLE ALWAYS TRIGGER dataset_symlinks_capture_delete,
ENABLE ALWAYS TRIGGER dataset_symlinks_capture_truncate;

-- name: capture/jobs
-- Rendered from model/tables/jobs.py by `lineage sql`: edit the declaration, not this file.
CREATE OR REPLACE FUNCTION capture_jobs() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.streams WHERE name IN ('jobs')) THEN
        RETURN NULL;
    END IF;
    IF tg_op = 'INSERT' THEN
        INSERT INTO changes.jobs (change_xid, change_number, copies, uuid, type, created_at, namespace_uuid, simple_name, description, current_version_uuid, namespace_name, current_job_context_uuid, current_location, current_inputs, symlink_target_uuid, parent_job_uuid, parent_job_uuid_string, is_hidden, name, aliases, current_run_uuid)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), 1, uuid, type, created_at, namespace_uuid, simple_name, description, current_version_uuid, namespace_name, current_job_context_uuid, current_location, current_inputs::text AS current_inputs, symlink_target_uuid, parent_job_uuid, parent_job_uuid_string, is_hidden, name, aliases, current_run_uuid
        FROM new_rows;
    ELSIF tg_op = 'UPDATE' THEN
        INSERT INTO changes.jobs (change_xid, change_number, copies, uuid, type, created_at, namespace_uuid, simple_name, description, current_version_uuid, namespace_name, current_job_context_uuid, current_location, current_inputs, symlink_target_uuid, parent_job_uuid, parent_job_uuid_string, is_hidden, name, aliases, current_run_uuid)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), sum(copies), uuid, type, created_at, namespace_uuid, simple_name, description, current_version_uuid, namespace_name, current_job_context_uuid, current_location, current_inputs, symlink_target_uuid, parent_job_uuid, parent_job_uuid_string, is_hidden, name, aliases, current_run_uuid
        FROM (
            SELECT -1 AS copies, uuid, type, created_at, namespace_uuid, simple_name, description, current_version_uuid, namespace_name, current_job_context_uuid, current_location, current_inputs::text AS current_inputs, symlink_target_uuid, parent_job_uuid, parent_job_uuid_string, is_hidden, name, aliases, current_run_uuid FROM old_rows
            UNION ALL
            SELECT 1, uuid, type, created_at, namespace_uuid, simple_name, description, current_version_uuid, namespace_name, current_job_context_uuid, current_location, current_inputs::text AS current_inputs, symlink_target_uuid, parent_job_uuid, parent_job_uuid_string, is_hidden, name, aliases, current_run_uuid FROM new_rows
        ) AS images
        GROUP BY uuid, type, created_at, namespace_uuid, simple_name, description, current_version_uuid, namespace_name, current_job_context_uuid, current_location, current_inputs, symlink_target_uuid, parent_job_uuid, parent_job_uuid_string, is_hidden, name, aliases, current_run_uuid
        HAVING sum(copies) <> 0;
    ELSIF tg_op = 'DELETE' THEN
        INSERT INTO changes.jobs (change_xid, change_number, copies, uuid, type, created_at, namespace_uuid, simple_name, description, current_version_uuid, namespace_name, current_job_context_uuid, current_location, current_inputs, symlink_target_uuid, parent_job_uuid, parent_job_uuid_string, is_hidden, name, aliases, current_run_uuid)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, uuid, type, created_at, namespace_uuid, simple_name, description, current_version_uuid, namespace_name, current_job_context_uuid, current_location, current_inputs::text AS current_inputs, symlink_target_uuid, parent_job_uuid, parent_job_uuid_string, is_hidden, name, aliases, current_run_uuid
        FROM old_rows;
    ELSE
        INSERT INTO changes.jobs (change_xid, change_number, copies, uuid, type, created_at, namespace_uuid, simple_name, description, current_version_uuid, namespace_name, current_job_context_uuid, current_location, current_inputs, symlink_target_uuid, parent_job_uuid, parent_job_uuid_string, is_hidden, name, aliases, current_run_uuid)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, uuid, type, created_at, namespace_uuid, simple_name, description, current_version_uuid, namespace_name, current_job_context_uuid, current_location, current_inputs::text AS current_inputs, symlink_target_uuid, parent_job_uuid, parent_job_uuid_string, is_hidden, name, aliases, current_run_uuid
        FROM public.jobs;
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER jobs_capture_insert AFTER INSERT ON jobs
REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_jobs();

CREATE OR REPLACE TRIGGER jobs_capture_update AFTER UPDATE ON jobs
REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_jobs();

CREATE OR REPLACE TRIGGER jobs_capture_delete AFTER DELETE ON jobs
REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_jobs();

CREATE OR REPLACE TRIGGER jobs_capture_truncate BEFORE TRUNCATE ON jobs
FOR EACH STATEMENT EXECUTE FUNCTION capture_jobs();

ALTER TABLE jobs
ENABLE ALWAYS TRIGGER jobs_capture_insert,
ENABLE ALWAYS TRIGGER jobs_capture_update,
ENABLE ALWAYS TRIGGER jobs_capture_delete,
ENABLE ALWAYS TRIGGER jobs_capture_truncate;

-- name: capture/namespace_ownerships
-- Rendered from model/tables/namespace_ownerships.py by `lineage sql`: edit the declaration, not this file.
CREATE OR REPLACE FUNCTION capture_namespace_ownerships() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.streams WHERE name IN ('namespace_ownerships')) THEN
        RETURN NULL;
    END IF;
    IF tg_op = 'INSERT' THEN
        INSERT INTO changes.namespace_ownerships (change_xid, change_number, copies, uuid, started_at, ended_at, namespace_uuid, owner_uuid)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), 1, uuid, started_at, ended_at, namespace_uuid, owner_uuid
        FROM new_rows;
    ELSIF tg_op = 'UPDATE' THEN
        INSERT INTO changes.namespace_ownerships (change_xid, change_number, copies, uuid, started_at, ended_at, namespace_uuid, owner_uuid)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), sum(copies), uuid, started_at, ended_at, namespace_uuid, owner_uuid
        FROM (
            SELECT -1 AS copies, uuid, started_at, ended_at, namespace_uuid, owner_uuid FROM old_rows
            UNION ALL
            SELECT 1, uuid, started_at, ended_at, namespace_uuid, owner_uuid FROM new_rows
        ) AS images
        GROUP BY uuid, started_at, ended_at, namespace_uuid, owner_uuid
        HAVING sum(copies) <> 0;
    ELSIF tg_op = 'DELETE' THEN
        INSERT INTO changes.namespace_ownerships (change_xid, change_number, copies, uuid, started_at, ended_at, namespace_uuid, owner_uuid)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, uuid, started_at, ended_at, namespace_uuid, owner_uuid
        FROM old_rows;
    ELSE
        INSERT INTO changes.namespace_ownerships (change_xid, change_number, copies, uuid, started_at, ended_at, namespace_uuid, owner_uuid)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, uuid, started_at, ended_at, namespace_uuid, owner_uuid
        FROM public.namespace_ownerships;
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER namespace_ownerships_capture_insert AFTER INSERT ON namespace_ownerships
REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_namespace_ownerships();

CREATE OR REPLACE TRIGGER namespace_ownerships_capture_update AFTER UPDATE ON namespace_ownerships
REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_namespace_ownerships();

CREATE OR REPLACE TRIGGER namespace_ownerships_capture_delete AFTER DELETE ON namespace_ownerships
REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_namespace_ownerships();

CREATE OR REPLACE TRIGGER namespace_ownerships_capture_truncate BEFORE TRUNCATE ON namespace_ownerships
FOR EACH STATEMENT EXECUTE FUNCTION capture_namespace_ownerships();

ALTER TABLE namespace_ownerships
ENABLE ALWAYS TRIGGER namespace_ownerships_capture_insert,
ENABLE ALWAYS TRIGGER namespace_ownerships_capture_update,
ENABLE ALWAYS TRIGGER namespace_ownerships_capture_delete,
ENABLE ALWAYS TRIGGER namespace_ownerships_capture_truncate;

-- name: capture/datasets
-- Rendered from model/tables/datasets.py by `lineage sql`: edit the declaration, not this file.
CREATE OR REPLACE FUNCTION capture_datasets() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.streams WHERE name IN ('datasets')) THEN
        RETURN NULL;
    END IF;
    IF tg_op = 'INSERT' THEN
        INSERT INTO changes.datasets (change_xid, change_number, copies, uuid, type, created_at, namespace_uuid, source_uuid, name, physical_name, description, current_version_uuid, last_modified_at, namespace_name, source_name, is_deleted, is_hidden)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), 1, uuid, type, created_at, namespace_uuid, source_uuid, name, physical_name, description, current_version_uuid, last_modified_at, namespace_name, source_name, is_deleted, is_hidden
        FROM new_rows;
    ELSIF tg_op = 'UPDATE' THEN
        INSERT INTO changes.datasets (change_xid, change_number, copies, uuid, type, created_at, namespace_uuid, source_uuid, name, physical_name, description, current_version_uuid, last_modified_at, namespace_name, source_name, is_deleted, is_hidden)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), sum(copies), uuid, type, created_at, namespace_uuid, source_uuid, name, physical_name, description, current_version_uuid, last_modified_at, namespace_name, source_name, is_deleted, is_hidden
        FROM (
            SELECT -1 AS copies, uuid, type, created_at, namespace_uuid, source_uuid, name, physical_name, description, current_version_uuid, last_modified_at, namespace_name, source_name, is_deleted, is_hidden FROM old_rows
            UNION ALL
            SELECT 1, uuid, type, created_at, namespace_uuid, source_uuid, name, physical_name, description, current_version_uuid, last_modified_at, namespace_name, source_name, is_deleted, is_hidden FROM new_rows
        ) AS images
        GROUP BY uuid, type, created_at, namespace_uuid, source_uuid, name, physical_name, description, current_version_uuid, last_modified_at, namespace_name, source_name, is_deleted, is_hidden
        HAVING sum(copies) <> 0;
    ELSIF tg_op = 'DELETE' THEN
        INSERT INTO changes.datasets (change_xid, change_number, copies, uuid, type, created_at, namespace_uuid, source_uuid, name, physical_name, description, current_version_uuid, last_modified_at, namespace_name, source_name, is_deleted, is_hidden)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, uuid, type, created_at, namespace_uuid, source_uuid, name, physical_name, description, current_version_uuid, last_modified_at, namespace_name, source_name, is_deleted, is_hidden
        FROM old_rows;
    ELSE
        INSERT INTO changes.datasets (change_xid, change_number, copies, uuid, type, created_at, namespace_uuid, source_uuid, name, physical_name, description, current_version_uuid, last_modified_at, namespace_name, source_name, is_deleted, is_hidden)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, uuid, type, created_at, namespace_uuid, source_uuid, name, physical_name, description, current_version_uuid, last_modified_at, namespace_name, source_name, is_deleted, is_hidden
        FROM public.datasets;
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER datasets_capture_insert AFTER INSERT ON datasets
REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_datasets();

CREATE OR REPLACE TRIGGER datasets_capture_update AFTER UPDATE ON datasets
REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_datasets();

CREATE OR REPLACE TRIGGER datasets_capture_delete AFTER DELETE ON datasets
REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_datasets();

CREATE OR REPLACE TRIGGER datasets_capture_truncate BEFORE TRUNCATE ON datasets
FOR EACH STATEMENT EXECUTE FUNCTION capture_datasets();

ALTER TABLE datasets
ENABLE ALWAYS TRIGGER datasets_capture_insert,
ENABLE ALWAYS TRIGGER datasets_capture_update,
ENABLE ALWAYS TRIGGER datasets_capture_delete,
ENABLE ALWAYS TRIGGER datasets_capture_truncate;

-- name: capture/job_ownerships
-- Rendered from model/tables/job_ownerships.py by `lineage sql`: edit the declaration, not this file.
CREATE OR REPLACE FUNCTION capture_job_ownerships() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.streams WHERE name IN ('job_ownerships')) THEN
        RETURN NULL;
    END IF;
    IF tg_op = 'INSERT' THEN
        INSERT INTO changes.job_ownerships (change_xid, change_number, copies, job_uuid, owner_uuid, type, reported_at)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), 1, job_uuid, owner_uuid, type, reported_at
        FROM new_rows;
    ELSIF tg_op = 'UPDATE' THEN
        INSERT INTO changes.job_ownerships (change_xid, change_number, copies, job_uuid, owner_uuid, type, reported_at)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), sum(copies), job_uuid, owner_uuid, type, reported_at
        FROM (
            SELECT -1 AS copies, job_uuid, owner_uuid, type, reported_at FROM old_rows
            UNION ALL
            SELECT 1, job_uuid, owner_uuid, type, reported_at FROM new_rows
        ) AS images
        GROUP BY job_uuid, owner_uuid, type, reported_at
        HAVING sum(copies) <> 0;
    ELSIF tg_op = 'DELETE' THEN
        INSERT INTO changes.job_ownerships (change_xid, change_number, copies, job_uuid, owner_uuid, type, reported_at)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, job_uuid, owner_uuid, type, reported_at
        FROM old_rows;
    ELSE
        INSERT INTO changes.job_ownerships (change_xid, change_number, copies, job_uuid, owner_uuid, type, reported_at)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, job_uuid, owner_uuid, type, reported_at
        FROM public.job_ownerships;
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER job_ownerships_capture_insert AFTER INSERT ON job_ownerships
REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_job_ownerships();

CREATE OR REPLACE TRIGGER job_ownerships_capture_update AFTER UPDATE ON job_ownerships
REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_job_ownerships();

CREATE OR REPLACE TRIGGER job_ownerships_capture_delete AFTER DELETE ON job_ownerships
REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_job_ownerships();

CREATE OR REPLACE TRIGGER job_ownerships_capture_truncate BEFORE TRUNCATE ON job_ownerships
FOR EACH STATEMENT EXECUTE FUNCTION capture_job_ownerships();

ALTER TABLE job_ownerships
ENABLE ALWAYS TRIGGER job_ownerships_capture_insert,
ENABLE ALWAYS TRIGGER job_ownerships_capture_update,
ENABLE ALWAYS TRIGGER job_ownerships_capture_delete,
ENABLE ALWAYS TRIGGER job_ownerships_capture_truncate;

-- name: capture/job_versions
-- Rendered from model/tables/job_versions.py by `lineage sql`: edit the declaration, not this file.
CREATE OR REPLACE FUNCTION capture_job_versions() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.streams WHERE name IN ('job_versions')) THEN
        RETURN NULL;
    END IF;
    IF tg_op = 'INSERT' THEN
        INSERT INTO changes.job_versions (change_xid, change_number, copies, uuid, created_at, job_uuid, version, location, latest_run_uuid, job_context_uuid, namespace_uuid, namespace_name, job_name)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), 1, uuid, created_at, job_uuid, version, location, latest_run_uuid, job_context_uuid, namespace_uuid, namespace_name, job_name
        FROM new_rows;
    ELSIF tg_op = 'UPDATE' THEN
        INSERT INTO changes.job_versions (change_xid, change_number, copies, uuid, created_at, job_uuid, version, location, latest_run_uuid, job_context_uuid, namespace_uuid, namespace_name, job_name)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), sum(copies), uuid, created_at, job_uuid, version, location, latest_run_uuid, job_context_uuid, namespace_uuid, namespace_name, job_name
        FROM (
            SELECT -1 AS copies, uuid, created_at, job_uuid, version, location, latest_run_uuid, job_context_uuid, namespace_uuid, namespace_name, job_name FROM old_rows
            UNION ALL
            SELECT 1, uuid, created_at, job_uuid, version, location, latest_run_uuid, job_context_uuid, namespace_uuid, namespace_name, job_name FROM new_rows
        ) AS images
        GROUP BY uuid, created_at, job_uuid, version, location, latest_run_uuid, job_context_uuid, namespace_uuid, namespace_name, job_name
        HAVING sum(copies) <> 0;
    ELSIF tg_op = 'DELETE' THEN
        INSERT INTO changes.job_versions (change_xid, change_number, copies, uuid, created_at, job_uuid, version, location, latest_run_uuid, job_context_uuid, namespace_uuid, namespace_name, job_name)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, uuid, created_at, job_uuid, version, location, latest_run_uuid, job_context_uuid, namespace_uuid, namespace_name, job_name
        FROM old_rows;
    ELSE
        INSERT INTO changes.job_versions (change_xid, change_number, copies, uuid, created_at, job_uuid, version, location, latest_run_uuid, job_context_uuid, namespace_uuid, namespace_name, job_name)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, uuid, created_at, job_uuid, version, location, latest_run_uuid, job_context_uuid, namespace_uuid, namespace_name, job_name
        FROM public.job_versions;
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER job_versions_capture_insert AFTER INSERT ON job_versions
REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_job_versions();

CREATE OR REPLACE TRIGGER job_versions_capture_update AFTER UPDATE ON job_versions
REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_job_versions();

CREATE OR REPLACE TRIGGER job_versions_capture_delete AFTER DELETE ON job_versions
REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_job_versions();

CREATE OR REPLACE TRIGGER job_versions_capture_truncate BEFORE TRUNCATE ON job_versions
FOR EACH STATEMENT EXECUTE FUNCTION capture_job_versions();

ALTER TABLE job_versions
ENABLE ALWAYS TRIGGER job_versions_capture_insert,
ENABLE ALWAYS TRIGGER job_versions_capture_update,
ENABLE ALWAYS TRIGGER job_versions_capture_delete,
ENABLE ALWAYS TRIGGER job_versions_capture_truncate;

-- name: capture/jobs_tag_mapping
-- Rendered from model/tables/jobs_tag_mapping.py by `lineage sql`: edit the declaration, not this file.
CREATE OR REPLACE FUNCTION capture_jobs_tag_mapping() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.streams WHERE name IN ('jobs_tag_mapping')) THEN
        RETURN NULL;
    END IF;
    IF tg_op = 'INSERT' THEN
        INSERT INTO changes.jobs_tag_mapping (change_xid, change_number, copies, job_uuid, tag_uuid, tagged_at, is_reported)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), 1, job_uuid, tag_uuid, tagged_at, is_reported
        FROM new_rows;
    ELSIF tg_op = 'UPDATE' THEN
        INSERT INTO changes.jobs_tag_mapping (change_xid, change_number, copies, job_uuid, tag_uuid, tagged_at, is_reported)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), sum(copies), job_uuid, tag_uuid, tagged_at, is_reported
        FROM (
            SELECT -1 AS copies, job_uuid, tag_uuid, tagged_at, is_reported FROM old_rows
            UNION ALL
            SELECT 1, job_uuid, tag_uuid, tagged_at, is_reported FROM new_rows
        ) AS images
        GROUP BY job_uuid, tag_uuid, tagged_at, is_reported
        HAVING sum(copies) <> 0;
    ELSIF tg_op = 'DELETE' THEN
        INSERT INTO changes.jobs_tag_mapping (change_xid, change_number, copies, job_uuid, tag_uuid, tagged_at, is_reported)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, job_uuid, tag_uuid, tagged_at, is_reported
        FROM old_rows;
    ELSE
        INSERT INTO changes.jobs_tag_mapping (change_xid, change_number, copies, job_uuid, tag_uuid, tagged_at, is_reported)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, job_uuid, tag_uuid, tagged_at, is_reported
        FROM public.jobs_tag_mapping;
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER jobs_tag_mapping_capture_insert AFTER INSERT ON jobs_tag_mapping
REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_jobs_tag_mapping();

CREATE OR REPLACE TRIGGER jobs_tag_mapping_capture_update AFTER UPDATE ON jobs_tag_mapping
REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_jobs_tag_mapping();

CREATE OR REPLACE TRIGGER jobs_tag_mapping_capture_delete AFTER DELETE ON jobs_tag_mapping
REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_jobs_tag_mapping();

CREATE OR REPLACE TRIGGER jobs_tag_mapping_capture_truncate BEFORE TRUNCATE ON jobs_tag_mapping
FOR EACH STATEMENT EXECUTE FUNCTION capture_jobs_tag_mapping();

ALTER TABLE jobs_tag_mapping
ENABLE ALWAYS TRIGGER jobs_tag_mapping_capture_insert,
ENABLE ALWAYS TRIGGER jobs_tag_mapping_capture_update,
ENABLE ALWAYS TRIGGER jobs_tag_mapping_capture_delete,
ENABLE ALWAYS TRIGGER jobs_tag_mapping_capture_truncate;

-- name: capture/dataset_fields
-- Rendered from model/tables/dataset_fields.py by `lineage sql`: edit the declaration, not this file.
CREATE OR REPLACE FUNCTION capture_dataset_fields() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.streams WHERE name IN ('dataset_fields')) THEN
        RETURN NULL;
    END IF;
    IF tg_op = 'INSERT' THEN
        INSERT INTO changes.dataset_fields (change_xid, change_number, copies, uuid, type, created_at, dataset_uuid, name, description)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), 1, uuid, type, created_at, dataset_uuid, name, description
        FROM new_rows;
    ELSIF tg_op = 'UPDATE' THEN
        INSERT INTO changes.dataset_fields (change_xid, change_number, copies, uuid, type, created_at, dataset_uuid, name, description)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), sum(copies), uuid, type, created_at, dataset_uuid, name, description
        FROM (
            SELECT -1 AS copies, uuid, type, created_at, dataset_uuid, name, description FROM old_rows
            UNION ALL
            SELECT 1, uuid, type, created_at, dataset_uuid, name, description FROM new_rows
        ) AS images
        GROUP BY uuid, type, created_at, dataset_uuid, name, description
        HAVING sum(copies) <> 0;
    ELSIF tg_op = 'DELETE' THEN
        INSERT INTO changes.dataset_fields (change_xid, change_number, copies, uuid, type, created_at, dataset_uuid, name, description)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, uuid, type, created_at, dataset_uuid, name, description
        FROM old_rows;
    ELSE
        INSERT INTO changes.dataset_fields (change_xid, change_number, copies, uuid, type, created_at, dataset_uuid, name, description)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, uuid, type, created_at, dataset_uuid, name, description
        FROM public.dataset_fields;
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER dataset_fields_capture_insert AFTER INSERT ON dataset_fields
REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_dataset_fields();

CREATE OR REPLACE TRIGGER dataset_fields_capture_update AFTER UPDATE ON dataset_fields
REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_dataset_fields();

CREATE OR REPLACE TRIGGER dataset_fields_capture_delete AFTER DELETE ON dataset_fields
REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_dataset_fields();

CREATE OR REPLACE TRIGGER dataset_fields_capture_truncate BEFORE TRUNCATE ON dataset_fields
FOR EACH STATEMENT EXECUTE FUNCTION capture_dataset_fields();

ALTER TABLE dataset_fields
ENABLE ALWAYS TRIGGER dataset_fields_capture_insert,
ENABLE ALWAYS TRIGGER dataset_fields_capture_update,
ENABLE ALWAYS TRIGGER dataset_fields_capture_delete,
ENABLE ALWAYS TRIGGER dataset_fields_capture_truncate;

-- name: capture/dataset_mentions
-- Rendered from model/tables/dataset_mentions.py by `lineage sql`: edit the declaration, not this file.
CREATE OR REPLACE FUNCTION capture_dataset_mentions() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.streams WHERE name IN ('dataset_facets')) THEN
        RETURN NULL;
    END IF;
    IF tg_op = 'INSERT' THEN
        INSERT INTO changes.dataset_mentions (change_xid, change_number, copies, dataset_uuid, role, event_time, run_uuid, version_uuid, lineage_event_type, facets_uuid, io_facets_uuid, is_purged)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), 1, dataset_uuid, role, event_time, run_uuid, version_uuid, lineage_event_type, facets_uuid, io_facets_uuid, is_purged
        FROM new_rows;
    ELSIF tg_op = 'UPDATE' THEN
        INSERT INTO changes.dataset_mentions (change_xid, change_number, copies, dataset_uuid, role, event_time, run_uuid, version_uuid, lineage_event_type, facets_uuid, io_facets_uuid, is_purged)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), sum(copies), dataset_uuid, role, event_time, run_uuid, version_uuid, lineage_event_type, facets_uuid, io_facets_uuid, is_purged
        FROM (
            SELECT -1 AS copies, dataset_uuid, role, event_time, run_uuid, version_uuid, lineage_event_type, facets_uuid, io_facets_uuid, is_purged FROM old_rows
            UNION ALL
            SELECT 1, dataset_uuid, role, event_time, run_uuid, version_uuid, lineage_event_type, facets_uuid, io_facets_uuid, is_purged FROM new_rows
        ) AS images
        GROUP BY dataset_uuid, role, event_time, run_uuid, version_uuid, lineage_event_type, facets_uuid, io_facets_uuid, is_purged
        HAVING sum(copies) <> 0;
    ELSIF tg_op = 'DELETE' THEN
        INSERT INTO changes.dataset_mentions (change_xid, change_number, copies, dataset_uuid, role, event_time, run_uuid, version_uuid, lineage_event_type, facets_uuid, io_facets_uuid, is_purged)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, dataset_uuid, role, event_time, run_uuid, version_uuid, lineage_event_type, facets_uuid, io_facets_uuid, is_purged
        FROM old_rows;
    ELSE
        INSERT INTO changes.dataset_mentions (change_xid, change_number, copies, dataset_uuid, role, event_time, run_uuid, version_uuid, lineage_event_type, facets_uuid, io_facets_uuid, is_purged)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, dataset_uuid, role, event_time, run_uuid, version_uuid, lineage_event_type, facets_uuid, io_facets_uuid, is_purged
        FROM public.dataset_mentions;
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER dataset_mentions_capture_insert AFTER INSERT ON dataset_mentions
REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_dataset_mentions();

CREATE OR REPLACE TRIGGER dataset_mentions_capture_update AFTER UPDATE ON dataset_mentions
REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_dataset_mentions();

CREATE OR REPLACE TRIGGER dataset_mentions_capture_delete AFTER DELETE ON dataset_mentions
REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_dataset_mentions();

CREATE OR REPLACE TRIGGER dataset_mentions_capture_truncate BEFORE TRUNCATE ON dataset_mentions
FOR EACH STATEMENT EXECUTE FUNCTION capture_dataset_mentions();

ALTER TABLE dataset_mentions
ENABLE ALWAYS TRIGGER dataset_mentions_capture_insert,
ENABLE ALWAYS TRIGGER dataset_mentions_capture_update,
ENABLE ALWAYS TRIGGER dataset_mentions_capture_delete,
ENABLE ALWAYS TRIGGER dataset_mentions_capture_truncate;

-- name: capture/dataset_ownerships
-- Rendered from model/tables/dataset_ownerships.py by `lineage sql`: edit the declaration, not this file.
CREATE OR REPLACE FUNCTION capture_dataset_ownerships() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.streams WHERE name IN ('dataset_ownerships')) THEN
        RETURN NULL;
    END IF;
    IF tg_op = 'INSERT' THEN
        INSERT INTO changes.dataset_ownerships (change_xid, change_number, copies, dataset_uuid, owner_uuid, type, reported_at)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), 1, dataset_uuid, owner_uuid, type, reported_at
        FROM new_rows;
    ELSIF tg_op = 'UPDATE' THEN
        INSERT INTO changes.dataset_ownerships (change_xid, change_number, copies, dataset_uuid, owner_uuid, type, reported_at)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), sum(copies), dataset_uuid, owner_uuid, type, reported_at
        FROM (
            SELECT -1 AS copies, dataset_uuid, owner_uuid, type, reported_at FROM old_rows
            UNION ALL
            SELECT 1, dataset_uuid, owner_uuid, type, reported_at FROM new_rows
        ) AS images
        GROUP BY dataset_uuid, owner_uuid, type, reported_at
        HAVING sum(copies) <> 0;
    ELSIF tg_op = 'DELETE' THEN
        INSERT INTO changes.dataset_ownerships (change_xid, change_number, copies, dataset_uuid, owner_uuid, type, reported_at)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, dataset_uuid, owner_uuid, type, reported_at
        FROM old_rows;
    ELSE
        INSERT INTO changes.dataset_ownerships (change_xid, change_number, copies, dataset_uuid, owner_uuid, type, reported_at)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, dataset_uuid, owner_uuid, type, reported_at
        FROM public.dataset_ownerships;
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER dataset_ownerships_capture_insert AFTER INSERT ON dataset_ownerships
REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_dataset_ownerships();

CREATE OR REPLACE TRIGGER dataset_ownerships_capture_update AFTER UPDATE ON dataset_ownerships
REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_dataset_ownerships();

CREATE OR REPLACE TRIGGER dataset_ownerships_capture_delete AFTER DELETE ON dataset_ownerships
REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_dataset_ownerships();

CREATE OR REPLACE TRIGGER dataset_ownerships_capture_truncate BEFORE TRUNCATE ON dataset_ownerships
FOR EACH STATEMENT EXECUTE FUNCTION capture_dataset_ownerships();

ALTER TABLE dataset_ownerships
ENABLE ALWAYS TRIGGER dataset_ownerships_capture_insert,
ENABLE ALWAYS TRIGGER dataset_ownerships_capture_update,
ENABLE ALWAYS TRIGGER dataset_ownerships_capture_delete,
ENABLE ALWAYS TRIGGER dataset_ownerships_capture_truncate;

-- name: capture/dataset_schema_versions
-- Rendered from model/tables/dataset_schema_versions.py by `lineage sql`: edit the declaration, not this file.
CREATE OR REPLACE FUNCTION capture_dataset_schema_versions() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.streams WHERE name IN ('dataset_schema_versions')) THEN
        RETURN NULL;
    END IF;
    IF tg_op = 'INSERT' THEN
        INSERT INTO changes.dataset_schema_versions (change_xid, change_number, copies, uuid, dataset_uuid, created_at)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), 1, uuid, dataset_uuid, created_at
        FROM new_rows;
    ELSIF tg_op = 'UPDATE' THEN
        INSERT INTO changes.dataset_schema_versions (change_xid, change_number, copies, uuid, dataset_uuid, created_at)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), sum(copies), uuid, dataset_uuid, created_at
        FROM (
            SELECT -1 AS copies, uuid, dataset_uuid, created_at FROM old_rows
            UNION ALL
            SELECT 1, uuid, dataset_uuid, created_at FROM new_rows
        ) AS images
        GROUP BY uuid, dataset_uuid, created_at
        HAVING sum(copies) <> 0;
    ELSIF tg_op = 'DELETE' THEN
        INSERT INTO changes.dataset_schema_versions (change_xid, change_number, copies, uuid, dataset_uuid, created_at)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, uuid, dataset_uuid, created_at
        FROM old_rows;
    ELSE
        INSERT INTO changes.dataset_schema_versions (change_xid, change_number, copies, uuid, dataset_uuid, created_at)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, uuid, dataset_uuid, created_at
        FROM public.dataset_schema_versions;
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER dataset_schema_versions_capture_insert AFTER INSERT ON dataset_schema_versions
REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_dataset_schema_versions();

CREATE OR REPLACE TRIGGER dataset_schema_versions_capture_update AFTER UPDATE ON dataset_schema_versions
REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_dataset_schema_versions();

CREATE OR REPLACE TRIGGER dataset_schema_versions_capture_delete AFTER DELETE ON dataset_schema_versions
REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_dataset_schema_versions();

CREATE OR REPLACE TRIGGER dataset_schema_versions_capture_truncate BEFORE TRUNCATE ON dataset_schema_versions
FOR EACH STATEMENT EXECUTE FUNCTION capture_dataset_schema_versions();

ALTER TABLE dataset_schema_versions
ENABLE ALWAYS TRIGGER dataset_schema_versions_capture_insert,
ENABLE ALWAYS TRIGGER dataset_schema_versions_capture_update,
ENABLE ALWAYS TRIGGER dataset_schema_versions_capture_delete,
ENABLE ALWAYS TRIGGER dataset_schema_versions_capture_truncate;

-- name: capture/datasets_tag_mapping
-- Rendered from model/tables/datasets_tag_mapping.py by `lineage sql`: edit the declaration, not this file.
CREATE OR REPLACE FUNCTION capture_datasets_tag_mapping() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.streams WHERE name IN ('datasets_tag_mapping')) THEN
        RETURN NULL;
    END IF;
    IF tg_op = 'INSERT' THEN
        INSERT INTO changes.datasets_tag_mapping (change_xid, change_number, copies, dataset_uuid, tag_uuid, tagged_at, is_reported)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), 1, dataset_uuid, tag_uuid, tagged_at, is_reported
        FROM new_rows;
    ELSIF tg_op = 'UPDATE' THEN
        INSERT INTO changes.datasets_tag_mapping (change_xid, change_number, copies, dataset_uuid, tag_uuid, tagged_at, is_reported)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), sum(copies), dataset_uuid, tag_uuid, tagged_at, is_reported
        FROM (
            SELECT -1 AS copies, dataset_uuid, tag_uuid, tagged_at, is_reported FROM old_rows
            UNION ALL
            SELECT 1, dataset_uuid, tag_uuid, tagged_at, is_reported FROM new_rows
        ) AS images
        GROUP BY dataset_uuid, tag_uuid, tagged_at, is_reported
        HAVING sum(copies) <> 0;
    ELSIF tg_op = 'DELETE' THEN
        INSERT INTO changes.datasets_tag_mapping (change_xid, change_number, copies, dataset_uuid, tag_uuid, tagged_at, is_reported)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, dataset_uuid, tag_uuid, tagged_at, is_reported
        FROM old_rows;
    ELSE
        INSERT INTO changes.datasets_tag_mapping (change_xid, change_number, copies, dataset_uuid, tag_uuid, tagged_at, is_reported)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, dataset_uuid, tag_uuid, tagged_at, is_reported
        FROM public.datasets_tag_mapping;
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER datasets_tag_mapping_capture_insert AFTER INSERT ON datasets_tag_mapping
REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_datasets_tag_mapping();

CREATE OR REPLACE TRIGGER datasets_tag_mapping_capture_update AFTER UPDATE ON datasets_tag_mapping
REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_datasets_tag_mapping();

CREATE OR REPLACE TRIGGER datasets_tag_mapping_capture_delete AFTER DELETE ON datasets_tag_mapping
REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_datasets_tag_mapping();

CREATE OR REPLACE TRIGGER datasets_tag_mapping_capture_truncate BEFORE TRUNCATE ON datasets_tag_mapping
FOR EACH STATEMENT EXECUTE FUNCTION capture_datasets_tag_mapping();

ALTER TABLE datasets_tag_mapping
ENABLE ALWAYS TRIGGER datasets_tag_mapping_capture_insert,
ENABLE ALWAYS TRIGGER datasets_tag_mapping_capture_update,
ENABLE ALWAYS TRIGGER datasets_tag_mapping_capture_delete,
ENABLE ALWAYS TRIGGER datasets_tag_mapping_capture_truncate;

-- name: capture/job_versions_io_mapping
-- Rendered from model/tables/job_versions_io_mapping.py by `lineage sql`: edit the declaration, not this file.
CREATE OR REPLACE FUNCTION capture_job_versions_io_mapping() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.streams WHERE name IN ('job_versions_io_mapping')) THEN
        RETURN NULL;
    END IF;
    IF tg_op = 'INSERT' THEN
        INSERT INTO changes.job_versions_io_mapping (change_xid, change_number, copies, job_version_uuid, dataset_uuid, io_type, job_uuid, job_symlink_target_uuid, is_current_job_version, made_current_at)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), 1, job_version_uuid, dataset_uuid, io_type, job_uuid, job_symlink_target_uuid, is_current_job_version, made_current_at
        FROM new_rows;
    ELSIF tg_op = 'UPDATE' THEN
        INSERT INTO changes.job_versions_io_mapping (change_xid, change_number, copies, job_version_uuid, dataset_uuid, io_type, job_uuid, job_symlink_target_uuid, is_current_job_version, made_current_at)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), sum(copies), job_version_uuid, dataset_uuid, io_type, job_uuid, job_symlink_target_uuid, is_current_job_version, made_current_at
        FROM (
            SELECT -1 AS copies, job_version_uuid, dataset_uuid, io_type, job_uuid, job_symlink_target_uuid, is_current_job_version, made_current_at FROM old_rows
            UNION ALL
            SELECT 1, job_version_uuid, dataset_uuid, io_type, job_uuid, job_symlink_target_uuid, is_current_job_version, made_current_at FROM new_rows
        ) AS images
        GROUP BY job_version_uuid, dataset_uuid, io_type, job_uuid, job_symlink_target_uuid, is_current_job_version, made_current_at
        HAVING sum(copies) <> 0;
    ELSIF tg_op = 'DELETE' THEN
        INSERT INTO changes.job_versions_io_mapping (change_xid, change_number, copies, job_version_uuid, dataset_uuid, io_type, job_uuid, job_symlink_target_uuid, is_current_job_version, made_current_at)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, job_version_uuid, dataset_uuid, io_type, job_uuid, job_symlink_target_uuid, is_current_job_version, made_current_at
        FROM old_rows;
    ELSE
        INSERT INTO changes.job_versions_io_mapping (change_xid, change_number, copies, job_version_uuid, dataset_uuid, io_type, job_uuid, job_symlink_target_uuid, is_current_job_version, made_current_at)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, job_version_uuid, dataset_uuid, io_type, job_uuid, job_symlink_target_uuid, is_current_job_version, made_current_at
        FROM public.job_versions_io_mapping;
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER job_versions_io_mapping_capture_insert AFTER INSERT ON job_versions_io_mapping
REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_job_versions_io_mapping();

CREATE OR REPLACE TRIGGER job_versions_io_mapping_capture_update AFTER UPDATE ON job_versions_io_mapping
REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_job_versions_io_mapping();

CREATE OR REPLACE TRIGGER job_versions_io_mapping_capture_delete AFTER DELETE ON job_versions_io_mapping
REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_job_versions_io_mapping();

CREATE OR REPLACE TRIGGER job_versions_io_mapping_capture_truncate BEFORE TRUNCATE ON job_versions_io_mapping
FOR EACH STATEMENT EXECUTE FUNCTION capture_job_versions_io_mapping();

ALTER TABLE job_versions_io_mapping
ENABLE ALWAYS TRIGGER job_versions_io_mapping_capture_insert,
ENABLE ALWAYS TRIGGER job_versions_io_mapping_capture_update,
ENABLE ALWAYS TRIGGER job_versions_io_mapping_capture_delete,
ENABLE ALWAYS TRIGGER job_versions_io_mapping_capture_truncate;

-- name: capture/runs
-- Rendered from model/tables/runs.py by `lineage sql`: edit the declaration, not this file.
CREATE OR REPLACE FUNCTION capture_runs() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.streams WHERE name IN ('runs')) THEN
        RETURN NULL;
    END IF;
    IF tg_op = 'INSERT' THEN
        INSERT INTO changes.runs (change_xid, change_number, copies, uuid, created_at, job_version_uuid, run_args_uuid, nominal_start_time, nominal_end_time, current_run_state, start_run_state_uuid, end_run_state_uuid, external_id, namespace_name, job_name, location, transitioned_at, started_at, ended_at, job_context_uuid, parent_run_uuid, job_uuid)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), 1, uuid, created_at, job_version_uuid, run_args_uuid, nominal_start_time, nominal_end_time, current_run_state, start_run_state_uuid, end_run_state_uuid, external_id, namespace_name, job_name, location, transitioned_at, started_at, ended_at, job_context_uuid, parent_run_uuid, job_uuid
        FROM new_rows;
    ELSIF tg_op = 'UPDATE' THEN
        INSERT INTO changes.runs (change_xid, change_number, copies, uuid, created_at, job_version_uuid, run_args_uuid, nominal_start_time, nominal_end_time, current_run_state, start_run_state_uuid, end_run_state_uuid, external_id, namespace_name, job_name, location, transitioned_at, started_at, ended_at, job_context_uuid, parent_run_uuid, job_uuid)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), sum(copies), uuid, created_at, job_version_uuid, run_args_uuid, nominal_start_time, nominal_end_time, current_run_state, start_run_state_uuid, end_run_state_uuid, external_id, namespace_name, job_name, location, transitioned_at, started_at, ended_at, job_context_uuid, parent_run_uuid, job_uuid
        FROM (
            SELECT -1 AS copies, uuid, created_at, job_version_uuid, run_args_uuid, nominal_start_time, nominal_end_time, current_run_state, start_run_state_uuid, end_run_state_uuid, external_id, namespace_name, job_name, location, transitioned_at, started_at, ended_at, job_context_uuid, parent_run_uuid, job_uuid FROM old_rows
            UNION ALL
            SELECT 1, uuid, created_at, job_version_uuid, run_args_uuid, nominal_start_time, nominal_end_time, current_run_state, start_run_state_uuid, end_run_state_uuid, external_id, namespace_name, job_name, location, transitioned_at, started_at, ended_at, job_context_uuid, parent_run_uuid, job_uuid FROM new_rows
        ) AS images
        GROUP BY uuid, created_at, job_version_uuid, run_args_uuid, nominal_start_time, nominal_end_time, current_run_state, start_run_state_uuid, end_run_state_uuid, external_id, namespace_name, job_name, location, transitioned_at, started_at, ended_at, job_context_uuid, parent_run_uuid, job_uuid
        HAVING sum(copies) <> 0;
    ELSIF tg_op = 'DELETE' THEN
        INSERT INTO changes.runs (change_xid, change_number, copies, uuid, created_at, job_version_uuid, run_args_uuid, nominal_start_time, nominal_end_time, current_run_state, start_run_state_uuid, end_run_state_uuid, external_id, namespace_name, job_name, location, transitioned_at, started_at, ended_at, job_context_uuid, parent_run_uuid, job_uuid)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, uuid, created_at, job_version_uuid, run_args_uuid, nominal_start_time, nominal_end_time, current_run_state, start_run_state_uuid, end_run_state_uuid, external_id, namespace_name, job_name, location, transitioned_at, started_at, ended_at, job_context_uuid, parent_run_uuid, job_uuid
        FROM old_rows;
    ELSE
        INSERT INTO changes.runs (change_xid, change_number, copies, uuid, created_at, job_version_uuid, run_args_uuid, nominal_start_time, nominal_end_time, current_run_state, start_run_state_uuid, end_run_state_uuid, external_id, namespace_name, job_name, location, transitioned_at, started_at, ended_at, job_context_uuid, parent_run_uuid, job_uuid)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, uuid, created_at, job_version_uuid, run_args_uuid, nominal_start_time, nominal_end_time, current_run_state, start_run_state_uuid, end_run_state_uuid, external_id, namespace_name, job_name, location, transitioned_at, started_at, ended_at, job_context_uuid, parent_run_uuid, job_uuid
        FROM public.runs;
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER runs_capture_insert AFTER INSERT ON runs
REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_runs();

CREATE OR REPLACE TRIGGER runs_capture_update AFTER UPDATE ON runs
REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_runs();

CREATE OR REPLACE TRIGGER runs_capture_delete AFTER DELETE ON runs
REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_runs();

CREATE OR REPLACE TRIGGER runs_capture_truncate BEFORE TRUNCATE ON runs
FOR EACH STATEMENT EXECUTE FUNCTION capture_runs();

ALTER TABLE runs
ENABLE ALWAYS TRIGGER runs_capture_insert,
ENABLE ALWAYS TRIGGER runs_capture_update,
ENABLE ALWAYS TRIGGER runs_capture_delete,
ENABLE ALWAYS TRIGGER runs_capture_truncate;

-- name: capture/dataset_fields_tag_mapping
-- Rendered from model/tables/dataset_fields_tag_mapping.py by `lineage sql`: edit the declaration, not this file.
CREATE OR REPLACE FUNCTION capture_dataset_fields_tag_mapping() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.streams WHERE name IN ('dataset_fields_tag_mapping')) THEN
        RETURN NULL;
    END IF;
    IF tg_op = 'INSERT' THEN
        INSERT INTO changes.dataset_fields_tag_mapping (change_xid, change_number, copies, dataset_field_uuid, tag_uuid, tagged_at, is_reported)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), 1, dataset_field_uuid, tag_uuid, tagged_at, is_reported
        FROM new_rows;
    ELSIF tg_op = 'UPDATE' THEN
        INSERT INTO changes.dataset_fields_tag_mapping (change_xid, change_number, copies, dataset_field_uuid, tag_uuid, tagged_at, is_reported)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), sum(copies), dataset_field_uuid, tag_uuid, tagged_at, is_reported
        FROM (
            SELECT -1 AS copies, dataset_field_uuid, tag_uuid, tagged_at, is_reported FROM old_rows
            UNION ALL
            SELECT 1, dataset_field_uuid, tag_uuid, tagged_at, is_reported FROM new_rows
        ) AS images
        GROUP BY dataset_field_uuid, tag_uuid, tagged_at, is_reported
        HAVING sum(copies) <> 0;
    ELSIF tg_op = 'DELETE' THEN
        INSERT INTO changes.dataset_fields_tag_mapping (change_xid, change_number, copies, dataset_field_uuid, tag_uuid, tagged_at, is_reported)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, dataset_field_uuid, tag_uuid, tagged_at, is_reported
        FROM old_rows;
    ELSE
        INSERT INTO changes.dataset_fields_tag_mapping (change_xid, change_number, copies, dataset_field_uuid, tag_uuid, tagged_at, is_reported)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, dataset_field_uuid, tag_uuid, tagged_at, is_reported
        FROM public.dataset_fields_tag_mapping;
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER dataset_fields_tag_mapping_capture_insert AFTER INSERT ON dataset_fields_tag_mapping
REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_dataset_fields_tag_mapping();

CREATE OR REPLACE TRIGGER dataset_fields_tag_mapping_capture_update AFTER UPDATE ON dataset_fields_tag_mapping
REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_dataset_fields_tag_mapping();

CREATE OR REPLACE TRIGGER dataset_fields_tag_mapping_capture_delete AFTER DELETE ON dataset_fields_tag_mapping
REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_dataset_fields_tag_mapping();

CREATE OR REPLACE TRIGGER dataset_fields_tag_mapping_capture_truncate BEFORE TRUNCATE ON dataset_fields_tag_mapping
FOR EACH STATEMENT EXECUTE FUNCTION capture_dataset_fields_tag_mapping();

ALTER TABLE dataset_fields_tag_mapping
ENABLE ALWAYS TRIGGER dataset_fields_tag_mapping_capture_insert,
ENABLE ALWAYS TRIGGER dataset_fields_tag_mapping_capture_update,
ENABLE ALWAYS TRIGGER dataset_fields_tag_mapping_capture_delete,
ENABLE ALWAYS TRIGGER dataset_fields_tag_mapping_capture_truncate;

-- name: capture/dataset_schema_verdicts
-- Rendered from model/tables/dataset_schema_verdicts.py by `lineage sql`: edit the declaration, not this file.
CREATE OR REPLACE FUNCTION capture_dataset_schema_verdicts() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.streams WHERE name IN ('dataset_schema_verdicts')) THEN
        RETURN NULL;
    END IF;
    IF tg_op = 'INSERT' THEN
        INSERT INTO changes.dataset_schema_verdicts (change_xid, change_number, copies, dataset_uuid, event_order, version_uuid, current_from, verdict, changes, refusals, fencing)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), 1, dataset_uuid, event_order, version_uuid, current_from, verdict, changes::text AS changes, refusals::text AS refusals, fencing::text AS fencing
        FROM new_rows;
    ELSIF tg_op = 'UPDATE' THEN
        INSERT INTO changes.dataset_schema_verdicts (change_xid, change_number, copies, dataset_uuid, event_order, version_uuid, current_from, verdict, changes, refusals, fencing)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), sum(copies), dataset_uuid, event_order, version_uuid, current_from, verdict, changes, refusals, fencing
        FROM (
            SELECT -1 AS copies, dataset_uuid, event_order, version_uuid, current_from, verdict, changes::text AS changes, refusals::text AS refusals, fencing::text AS fencing FROM old_rows
            UNION ALL
            SELECT 1, dataset_uuid, event_order, version_uuid, current_from, verdict, changes::text AS changes, refusals::text AS refusals, fencing::text AS fencing FROM new_rows
        ) AS images
        GROUP BY dataset_uuid, event_order, version_uuid, current_from, verdict, changes, refusals, fencing
        HAVING sum(copies) <> 0;
    ELSIF tg_op = 'DELETE' THEN
        INSERT INTO changes.dataset_schema_verdicts (change_xid, change_number, copies, dataset_uuid, event_order, version_uuid, current_from, verdict, changes, refusals, fencing)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, dataset_uuid, event_order, version_uuid, current_from, verdict, changes::text AS changes, refusals::text AS refusals, fencing::text AS fencing
        FROM old_rows;
    ELSE
        INSERT INTO changes.dataset_schema_verdicts (change_xid, change_number, copies, dataset_uuid, event_order, version_uuid, current_from, verdict, changes, refusals, fencing)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, dataset_uuid, event_order, version_uuid, current_from, verdict, changes::text AS changes, refusals::text AS refusals, fencing::text AS fencing
        FROM public.dataset_schema_verdicts;
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER dataset_schema_verdicts_capture_insert AFTER INSERT ON dataset_schema_verdicts
REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_dataset_schema_verdicts();

CREATE OR REPLACE TRIGGER dataset_schema_verdicts_capture_update AFTER UPDATE ON dataset_schema_verdicts
REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_dataset_schema_verdicts();

CREATE OR REPLACE TRIGGER dataset_schema_verdicts_capture_delete AFTER DELETE ON dataset_schema_verdicts
REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_dataset_schema_verdicts();

CREATE OR REPLACE TRIGGER dataset_schema_verdicts_capture_truncate BEFORE TRUNCATE ON dataset_schema_verdicts
FOR EACH STATEMENT EXECUTE FUNCTION capture_dataset_schema_verdicts();

ALTER TABLE dataset_schema_verdicts
ENABLE ALWAYS TRIGGER dataset_schema_verdicts_capture_insert,
ENABLE ALWAYS TRIGGER dataset_schema_verdicts_capture_update,
ENABLE ALWAYS TRIGGER dataset_schema_verdicts_capture_delete,
ENABLE ALWAYS TRIGGER dataset_schema_verdicts_capture_truncate;

-- name: capture/dataset_schema_versions_field_mapping
-- Rendered from model/tables/dataset_schema_versions_field_mapping.py by `lineage sql`: edit the declaration, not this file.
CREATE OR REPLACE FUNCTION capture_dataset_schema_versions_field_mapping() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.streams WHERE name IN ('dataset_schema_versions_field_mapping')) THEN
        RETURN NULL;
    END IF;
    IF tg_op = 'INSERT' THEN
        INSERT INTO changes.dataset_schema_versions_field_mapping (change_xid, change_number, copies, dataset_schema_version_uuid, dataset_field_uuid)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), 1, dataset_schema_version_uuid, dataset_field_uuid
        FROM new_rows;
    ELSIF tg_op = 'UPDATE' THEN
        INSERT INTO changes.dataset_schema_versions_field_mapping (change_xid, change_number, copies, dataset_schema_version_uuid, dataset_field_uuid)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), sum(copies), dataset_schema_version_uuid, dataset_field_uuid
        FROM (
            SELECT -1 AS copies, dataset_schema_version_uuid, dataset_field_uuid FROM old_rows
            UNION ALL
            SELECT 1, dataset_schema_version_uuid, dataset_field_uuid FROM new_rows
        ) AS images
        GROUP BY dataset_schema_version_uuid, dataset_field_uuid
        HAVING sum(copies) <> 0;
    ELSIF tg_op = 'DELETE' THEN
        INSERT INTO changes.dataset_schema_versions_field_mapping (change_xid, change_number, copies, dataset_schema_version_uuid, dataset_field_uuid)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, dataset_schema_version_uuid, dataset_field_uuid
        FROM old_rows;
    ELSE
        INSERT INTO changes.dataset_schema_versions_field_mapping (change_xid, change_number, copies, dataset_schema_version_uuid, dataset_field_uuid)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, dataset_schema_version_uuid, dataset_field_uuid
        FROM public.dataset_schema_versions_field_mapping;
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER dataset_schema_versions_field_mapping_capture_insert AFTER INSERT ON dataset_schema_versions_field_mapping
REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_dataset_schema_versions_field_mapping();

CREATE OR REPLACE TRIGGER dataset_schema_versions_field_mapping_capture_update AFTER UPDATE ON dataset_schema_versions_field_mapping
REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_dataset_schema_versions_field_mapping();

CREATE OR REPLACE TRIGGER dataset_schema_versions_field_mapping_capture_delete AFTER DELETE ON dataset_schema_versions_field_mapping
REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_dataset_schema_versions_field_mapping();

CREATE OR REPLACE TRIGGER dataset_schema_versions_field_mapping_capture_truncate BEFORE TRUNCATE ON dataset_schema_versions_field_mapping
FOR EACH STATEMENT EXECUTE FUNCTION capture_dataset_schema_versions_field_mapping();

ALTER TABLE dataset_schema_versions_field_mapping
ENABLE ALWAYS TRIGGER dataset_schema_versions_field_mapping_capture_insert,
ENABLE ALWAYS TRIGGER dataset_schema_versions_field_mapping_capture_update,
ENABLE ALWAYS TRIGGER dataset_schema_versions_field_mapping_capture_delete,
ENABLE ALWAYS TRIGGER dataset_schema_versions_field_mapping_capture_truncate;

-- name: capture/dataset_versions
-- Rendered from model/tables/dataset_versions.py by `lineage sql`: edit the declaration, not this file.
CREATE OR REPLACE FUNCTION capture_dataset_versions() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.streams WHERE name IN ('dataset_versions')) THEN
        RETURN NULL;
    END IF;
    IF tg_op = 'INSERT' THEN
        INSERT INTO changes.dataset_versions (change_xid, change_number, copies, uuid, created_at, dataset_uuid, version, run_uuid, fields, namespace_name, dataset_name, lifecycle_state, dataset_schema_version_uuid)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), 1, uuid, created_at, dataset_uuid, version, run_uuid, fields::text AS fields, namespace_name, dataset_name, lifecycle_state, dataset_schema_version_uuid
        FROM new_rows;
    ELSIF tg_op = 'UPDATE' THEN
        INSERT INTO changes.dataset_versions (change_xid, change_number, copies, uuid, created_at, dataset_uuid, version, run_uuid, fields, namespace_name, dataset_name, lifecycle_state, dataset_schema_version_uuid)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), sum(copies), uuid, created_at, dataset_uuid, version, run_uuid, fields, namespace_name, dataset_name, lifecycle_state, dataset_schema_version_uuid
        FROM (
            SELECT -1 AS copies, uuid, created_at, dataset_uuid, version, run_uuid, fields::text AS fields, namespace_name, dataset_name, lifecycle_state, dataset_schema_version_uuid FROM old_rows
            UNION ALL
            SELECT 1, uuid, created_at, dataset_uuid, version, run_uuid, fields::text AS fields, namespace_name, dataset_name, lifecycle_state, dataset_schema_version_uuid FROM new_rows
        ) AS images
        GROUP BY uuid, created_at, dataset_uuid, version, run_uuid, fields, namespace_name, dataset_name, lifecycle_state, dataset_schema_version_uuid
        HAVING sum(copies) <> 0;
    ELSIF tg_op = 'DELETE' THEN
        INSERT INTO changes.dataset_versions (change_xid, change_number, copies, uuid, created_at, dataset_uuid, version, run_uuid, fields, namespace_name, dataset_name, lifecycle_state, dataset_schema_version_uuid)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, uuid, created_at, dataset_uuid, version, run_uuid, fields::text AS fields, namespace_name, dataset_name, lifecycle_state, dataset_schema_version_uuid
        FROM old_rows;
    ELSE
        INSERT INTO changes.dataset_versions (change_xid, change_number, copies, uuid, created_at, dataset_uuid, version, run_uuid, fields, namespace_name, dataset_name, lifecycle_state, dataset_schema_version_uuid)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, uuid, created_at, dataset_uuid, version, run_uuid, fields::text AS fields, namespace_name, dataset_name, lifecycle_state, dataset_schema_version_uuid
        FROM public.dataset_versions;
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER dataset_versions_capture_insert AFTER INSERT ON dataset_versions
REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_dataset_versions();

CREATE OR REPLACE TRIGGER dataset_versions_capture_update AFTER UPDATE ON dataset_versions
REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_dataset_versions();

CREATE OR REPLACE TRIGGER dataset_versions_capture_delete AFTER DELETE ON dataset_versions
REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_dataset_versions();

CREATE OR REPLACE TRIGGER dataset_versions_capture_truncate BEFORE TRUNCATE ON dataset_versions
FOR EACH STATEMENT EXECUTE FUNCTION capture_dataset_versions();

ALTER TABLE dataset_versions
ENABLE ALWAYS TRIGGER dataset_versions_capture_insert,
ENABLE ALWAYS TRIGGER dataset_versions_capture_update,
ENABLE ALWAYS TRIGGER dataset_versions_capture_delete,
ENABLE ALWAYS TRIGGER dataset_versions_capture_truncate;

-- name: capture/run_facets_kept_once
-- Rendered from model/tables/run_facets_kept_once.py by `lineage sql`: edit the declaration, not this file.
CREATE OR REPLACE FUNCTION capture_run_facets_kept_once() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.streams WHERE name IN ('run_facets')) THEN
        RETURN NULL;
    END IF;
    IF tg_op = 'INSERT' THEN
        INSERT INTO changes.run_facets_kept_once (change_xid, change_number, copies, run_uuid, facet_uuid, event_time, lineage_event_type)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), 1, run_uuid, facet_uuid, event_time, lineage_event_type
        FROM new_rows;
    ELSIF tg_op = 'UPDATE' THEN
        INSERT INTO changes.run_facets_kept_once (change_xid, change_number, copies, run_uuid, facet_uuid, event_time, lineage_event_type)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), sum(copies), run_uuid, facet_uuid, event_time, lineage_event_type
        FROM (
            SELECT -1 AS copies, run_uuid, facet_uuid, event_time, lineage_event_type FROM old_rows
            UNION ALL
            SELECT 1, run_uuid, facet_uuid, event_time, lineage_event_type FROM new_rows
        ) AS images
        GROUP BY run_uuid, facet_uuid, event_time, lineage_event_type
        HAVING sum(copies) <> 0;
    ELSIF tg_op = 'DELETE' THEN
        INSERT INTO changes.run_facets_kept_once (change_xid, change_number, copies, run_uuid, facet_uuid, event_time, lineage_event_type)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, run_uuid, facet_uuid, event_time, lineage_event_type
        FROM old_rows;
    ELSE
        INSERT INTO changes.run_facets_kept_once (change_xid, change_number, copies, run_uuid, facet_uuid, event_time, lineage_event_type)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, run_uuid, facet_uuid, event_time, lineage_event_type
        FROM public.run_facets_kept_once;
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER run_facets_kept_once_capture_insert AFTER INSERT ON run_facets_kept_once
REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_run_facets_kept_once();

CREATE OR REPLACE TRIGGER run_facets_kept_once_capture_update AFTER UPDATE ON run_facets_kept_once
REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_run_facets_kept_once();

CREATE OR REPLACE TRIGGER run_facets_kept_once_capture_delete AFTER DELETE ON run_facets_kept_once
REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_run_facets_kept_once();

CREATE OR REPLACE TRIGGER run_facets_kept_once_capture_truncate BEFORE TRUNCATE ON run_facets_kept_once
FOR EACH STATEMENT EXECUTE FUNCTION capture_run_facets_kept_once();

ALTER TABLE run_facets_kept_once
ENABLE ALWAYS TRIGGER run_facets_kept_once_capture_insert,
ENABLE ALWAYS TRIGGER run_facets_kept_once_capture_update,
ENABLE ALWAYS TRIGGER run_facets_kept_once_capture_delete,
ENABLE ALWAYS TRIGGER run_facets_kept_once_capture_truncate;

-- name: capture/run_states
-- Rendered from model/tables/run_states.py by `lineage sql`: edit the declaration, not this file.
CREATE OR REPLACE FUNCTION capture_run_states() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.streams WHERE name IN ('run_states')) THEN
        RETURN NULL;
    END IF;
    IF tg_op = 'INSERT' THEN
        INSERT INTO changes.run_states (change_xid, change_number, copies, uuid, transitioned_at, run_uuid, state)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), 1, uuid, transitioned_at, run_uuid, state
        FROM new_rows;
    ELSIF tg_op = 'UPDATE' THEN
        INSERT INTO changes.run_states (change_xid, change_number, copies, uuid, transitioned_at, run_uuid, state)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), sum(copies), uuid, transitioned_at, run_uuid, state
        FROM (
            SELECT -1 AS copies, uuid, transitioned_at, run_uuid, state FROM old_rows
            UNION ALL
            SELECT 1, uuid, transitioned_at, run_uuid, state FROM new_rows
        ) AS images
        GROUP BY uuid, transitioned_at, run_uuid, state
        HAVING sum(copies) <> 0;
    ELSIF tg_op = 'DELETE' THEN
        INSERT INTO changes.run_states (change_xid, change_number, copies, uuid, transitioned_at, run_uuid, state)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, uuid, transitioned_at, run_uuid, state
        FROM old_rows;
    ELSE
        INSERT INTO changes.run_states (change_xid, change_number, copies, uuid, transitioned_at, run_uuid, state)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, uuid, transitioned_at, run_uuid, state
        FROM public.run_states;
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER run_states_capture_insert AFTER INSERT ON run_states
REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_run_states();

CREATE OR REPLACE TRIGGER run_states_capture_update AFTER UPDATE ON run_states
REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_run_states();

CREATE OR REPLACE TRIGGER run_states_capture_delete AFTER DELETE ON run_states
REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_run_states();

CREATE OR REPLACE TRIGGER run_states_capture_truncate BEFORE TRUNCATE ON run_states
FOR EACH STATEMENT EXECUTE FUNCTION capture_run_states();

ALTER TABLE run_states
ENABLE ALWAYS TRIGGER run_states_capture_insert,
ENABLE ALWAYS TRIGGER run_states_capture_update,
ENABLE ALWAYS TRIGGER run_states_capture_delete,
ENABLE ALWAYS TRIGGER run_states_capture_truncate;

-- name: capture/runs_input_mapping
-- Rendered from model/tables/runs_input_mapping.py by `lineage sql`: edit the declaration, not this file.
CREATE OR REPLACE FUNCTION capture_runs_input_mapping() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.streams WHERE name IN ('runs_input_mapping')) THEN
        RETURN NULL;
    END IF;
    IF tg_op = 'INSERT' THEN
        INSERT INTO changes.runs_input_mapping (change_xid, change_number, copies, run_uuid, dataset_version_uuid)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), 1, run_uuid, dataset_version_uuid
        FROM new_rows;
    ELSIF tg_op = 'UPDATE' THEN
        INSERT INTO changes.runs_input_mapping (change_xid, change_number, copies, run_uuid, dataset_version_uuid)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), sum(copies), run_uuid, dataset_version_uuid
        FROM (
            SELECT -1 AS copies, run_uuid, dataset_version_uuid FROM old_rows
            UNION ALL
            SELECT 1, run_uuid, dataset_version_uuid FROM new_rows
        ) AS images
        GROUP BY run_uuid, dataset_version_uuid
        HAVING sum(copies) <> 0;
    ELSIF tg_op = 'DELETE' THEN
        INSERT INTO changes.runs_input_mapping (change_xid, change_number, copies, run_uuid, dataset_version_uuid)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, run_uuid, dataset_version_uuid
        FROM old_rows;
    ELSE
        INSERT INTO changes.runs_input_mapping (change_xid, change_number, copies, run_uuid, dataset_version_uuid)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, run_uuid, dataset_version_uuid
        FROM public.runs_input_mapping;
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER runs_input_mapping_capture_insert AFTER INSERT ON runs_input_mapping
REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_runs_input_mapping();

CREATE OR REPLACE TRIGGER runs_input_mapping_capture_update AFTER UPDATE ON runs_input_mapping
REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_runs_input_mapping();

CREATE OR REPLACE TRIGGER runs_input_mapping_capture_delete AFTER DELETE ON runs_input_mapping
REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_runs_input_mapping();

CREATE OR REPLACE TRIGGER runs_input_mapping_capture_truncate BEFORE TRUNCATE ON runs_input_mapping
FOR EACH STATEMENT EXECUTE FUNCTION capture_runs_input_mapping();

ALTER TABLE runs_input_mapping
ENABLE ALWAYS TRIGGER runs_input_mapping_capture_insert,
ENABLE ALWAYS TRIGGER runs_input_mapping_capture_update,
ENABLE ALWAYS TRIGGER runs_input_mapping_capture_delete,
ENABLE ALWAYS TRIGGER runs_input_mapping_capture_truncate;
