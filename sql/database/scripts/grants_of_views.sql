-- What others than the owner may do to the views of these names, as statements that grant it again.
SELECT format(
    'GRANT %%s ON %%s TO %%s%%s',
    granted.privilege_type,
    view.oid::regclass,
    CASE granted.grantee WHEN 0 THEN 'PUBLIC' ELSE granted.grantee::regrole::text END,
    CASE WHEN granted.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END
)
FROM pg_class AS view
CROSS JOIN LATERAL aclexplode(view.relacl) AS granted
WHERE view.relnamespace = current_schema()::regnamespace
  AND view.relkind IN ('v', 'm')
  AND view.relname = ANY(%(names)s)
  AND granted.grantee <> view.relowner
