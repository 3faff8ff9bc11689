-- Keeps the digest of the release that has upgraded the store.
COMMENT ON TABLE public.lineage_schema_version IS {digest}
