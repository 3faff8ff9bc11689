-- The group roles: without login, so that an administrator grants them to whom they are meant for. Roles belong to the
-- whole cluster, so another database may have made them already, or be making them at this moment.
DO $$
DECLARE
    wanted text;
BEGIN
    FOREACH wanted IN ARRAY ARRAY['lineage_ingest', 'lineage_jobs', 'lineage_marquez', 'lineage_operator', 'lineage_reader'] LOOP
        BEGIN
            IF to_regrole(wanted) IS NULL THEN
                EXECUTE format('CREATE ROLE %I NOLOGIN', wanted);
            END IF;
        EXCEPTION WHEN duplicate_object OR unique_violation THEN
            RAISE DEBUG 'role % was made meanwhile', wanted;
        END;
        -- Whoever upgrades owns the tables, so membership adds nothing but the right to SET ROLE. A role that somebody
        -- else made may not be his to take.
        BEGIN
            IF NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
                EXECUTE format('GRANT %I TO CURRENT_USER', wanted);
            END IF;
        EXCEPTION WHEN insufficient_privilege THEN
            RAISE NOTICE '% is not a member of %, and may not make himself one', current_user, wanted;
        END;
    END LOOP;
    -- What holds a long migration is asked as a role that only reads, by workers whose role reads all of that anyway.
    BEGIN
        IF NOT pg_has_role('lineage_jobs', 'lineage_reader', 'MEMBER') THEN
            GRANT lineage_reader TO lineage_jobs;
        END IF;
    EXCEPTION WHEN insufficient_privilege THEN
        RAISE NOTICE '% may not make lineage_jobs a member of lineage_reader', current_user;
    END;
END
$$;

INSERT INTO public.group_roles (purpose, name)
VALUES
    ('ingest', 'lineage_ingest'), ('jobs', 'lineage_jobs'), ('marquez', 'lineage_marquez'), ('operator', 'lineage_operator'),
    ('reader', 'lineage_reader')
ON CONFLICT (purpose) DO UPDATE SET name = excluded.name;
