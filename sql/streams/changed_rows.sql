-- What came to a table, or went from it, in the transactions that are to be published.
SELECT commits.number AS commit_number, changed.copies, {columns}
FROM {changes} AS changed
JOIN commits ON commits.xid = changed.change_xid
