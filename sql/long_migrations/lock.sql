-- A migration as commands need it, locked against other commands.
SELECT state, settings, verified_at FROM migrations WHERE name = %(migration)s FOR NO KEY UPDATE
