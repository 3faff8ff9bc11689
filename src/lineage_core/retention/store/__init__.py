"""What retention keeps in the store, and what it deletes there."""
