-- Sequences that have used more than four fifths of their numbers.
SELECT format('The sequence %s is at %s of %s', sequencename, last_value, max_value)
FROM pg_sequences
WHERE schemaname = 'public' AND last_value > max_value / 5 * 4
ORDER BY sequencename COLLATE "C"
