-- No transaction: what is there is read where it is.
SELECT NULL::xid8 AS xid, NULL::bigint AS number
WHERE false
