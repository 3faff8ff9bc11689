-- The numbers of all documents in quarantine, in order.
SELECT id FROM quarantine ORDER BY id
