"""What the receiver does in the database."""
