-- Lets readers read what the migration made, or what it replaces.
UPDATE migrations SET reads_new = %(reads_new)s WHERE name = %(migration)s
