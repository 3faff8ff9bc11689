-- What is in quarantine.
SELECT count(*) AS documents, max(received_at) AS last_at FROM quarantine
