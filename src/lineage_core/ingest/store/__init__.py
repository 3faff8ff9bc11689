"""What taking documents in does in the database."""
