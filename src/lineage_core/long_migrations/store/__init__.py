"""What a long migration keeps in the database, and does there."""
