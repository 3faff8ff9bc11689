"""What will be done, as values."""
