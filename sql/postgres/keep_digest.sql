-- Keeps the digest of the migrations that made the store.
COMMENT ON TABLE public.lineage_schema_version IS {digest}
