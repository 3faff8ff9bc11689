-- What captures the changes of tables for changelog streams.

-- name: capture_changes
-- Writes what a statement has changed into the table of changes of its table, while a stream needs it: the images of all its rows, with
-- a number that is drawn when the statement has all its locks. So of two transactions that change a row, the second has the higher
-- one. It takes no lock that another writer waits for. Its arguments are the streams, the columns, and those of them that are
-- documents: a document is kept as its text, as two that are equal may be written otherwise.
CREATE OR REPLACE FUNCTION capture_changes() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    names text;
    images text;
    copies integer := CASE WHEN tg_op = 'INSERT' THEN 1 ELSE -1 END;
    changed text := CASE tg_op WHEN 'INSERT' THEN 'new_rows' WHEN 'DELETE' THEN 'old_rows' ELSE tg_relid::regclass::text END;
    target text;
BEGIN
    IF NOT EXISTS (SELECT FROM public.streams WHERE name = ANY (tg_argv[0]::text[])) THEN
        RETURN NULL;
    END IF;
    -- Most statements of a small merge change nothing. To find that out takes less than to plan what follows.
    IF tg_op = 'DELETE' THEN
        IF NOT EXISTS (SELECT FROM old_rows) THEN
            RETURN NULL;
        END IF;
    ELSIF tg_op <> 'TRUNCATE' THEN
        IF NOT EXISTS (SELECT FROM new_rows) THEN
            RETURN NULL;
        END IF;
    END IF;
    SELECT
        string_agg(quote_ident(name), ', ' ORDER BY place),
        string_agg(quote_ident(name) || CASE WHEN name = ANY (tg_argv[2]::text[]) THEN '::text' ELSE '' END, ', ' ORDER BY place)
    INTO names, images
    FROM unnest(tg_argv[1]::text[]) WITH ORDINALITY AS captured (name, place);
    target := format('INSERT INTO changes.%I (change_xid, change_number, copies, %s)', tg_table_name, names);
    IF tg_op = 'UPDATE' THEN
        -- Rows of which no captured column was changed cancel out: most updates only say when a row was last heard of.
        EXECUTE format(
            '%1$s
            SELECT pg_current_xact_id(), (SELECT nextval(''changes.change_numbers'')), sum(copies), %2$s
            FROM (SELECT -1 AS copies, %3$s FROM old_rows UNION ALL SELECT 1, %3$s FROM new_rows) AS images
            GROUP BY %2$s
            HAVING sum(copies) <> 0',
            target, names, images
        );
    ELSE
        EXECUTE format(
            '%s SELECT pg_current_xact_id(), (SELECT nextval(''changes.change_numbers'')), %s, %s FROM %s',
            target, copies, images, changed
        );
    END IF;
    RETURN NULL;
END
$$;

-- name: capture_table
-- Lets the changes of a table be captured for these streams; with `only_removed`, only the rows that go. The triggers are fired ALWAYS, so
-- that what logical replication brings is captured, too. To truncate a table is to remove all its rows: they are captured before.
-- It works in the first schema of the search path, as the rest of an upgrade does.
CREATE OR REPLACE FUNCTION capture_table(
    captured text, streams text[], columns text[], documents text[] DEFAULT '{}', only_removed boolean DEFAULT false
) RETURNS void
LANGUAGE plpgsql
AS $$
DECLARE
    made record;
BEGIN
    FOR made IN
        SELECT format('%s_capture_%s', captured, lower(event COLLATE "C")) AS name, occasion, event, transition
        FROM (
            VALUES
                ('AFTER', 'INSERT', 'REFERENCING NEW TABLE AS new_rows'),
                ('AFTER', 'UPDATE', 'REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows'),
                ('AFTER', 'DELETE', 'REFERENCING OLD TABLE AS old_rows'),
                ('BEFORE', 'TRUNCATE', '')
        ) AS events (occasion, event, transition)
        WHERE event IN ('DELETE', 'TRUNCATE') OR NOT only_removed
    LOOP
        EXECUTE format(
            'CREATE OR REPLACE TRIGGER %I %s %s ON %I %s FOR EACH STATEMENT EXECUTE FUNCTION capture_changes(%L, %L, %L)',
            made.name, made.occasion, made.event, captured, made.transition, streams, columns, documents
        );
        EXECUTE format('ALTER TABLE %I ENABLE ALWAYS TRIGGER %I', captured, made.name);
    END LOOP;
    -- A store of before has a function for each table, which no trigger calls any more.
    EXECUTE format('DROP FUNCTION IF EXISTS %I()', 'capture_' || captured);
END
$$;
