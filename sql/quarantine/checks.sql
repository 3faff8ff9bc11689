-- name: checks/quarantined
-- Documents in quarantine.
SELECT format('%s documents are in quarantine', count(*)) FROM quarantine HAVING count(*) > 0
