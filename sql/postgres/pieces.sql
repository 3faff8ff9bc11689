-- The rows of a statement, each a content and a mark, in pieces. `OFFSET 0` keeps Postgres from writing the content anew for
-- each of them.
COPY (
    SELECT substr(content, first + 1, {piece}), first + {piece} >= octet_length(content), mark
    FROM (SELECT content, mark FROM ({statement}) AS found (content, mark) OFFSET 0) AS whole
    CROSS JOIN LATERAL generate_series(0, octet_length(content) - 1, {piece}) AS first
) TO STDOUT (FORMAT BINARY)
