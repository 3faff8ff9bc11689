"""What a producer's document says: its text, its times, its events and their facets. No database."""
