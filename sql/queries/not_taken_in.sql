-- What producers have sent that no table could take: facets that could not be read, and documents in quarantine.
SELECT lost.kind COLLATE "C" AS kind, lost.sent_by COLLATE "C" AS sent_by, lost.what COLLATE "C" AS what, lost.reason COLLATE "C" AS reason, count(*) AS times, max(lost.at) AS last_at
FROM (
    SELECT 'facet' AS kind, producer AS sent_by, name AS what, reason, event_time AS at
    FROM unreadable_facets
    UNION ALL
    SELECT 'document', source, coalesce(path, ''), reason, received_at
    FROM quarantine
) AS lost
GROUP BY 1, 2, 3, 4
ORDER BY 5 DESC, 1, 2, 3, 4;
