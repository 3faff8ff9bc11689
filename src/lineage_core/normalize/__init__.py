"""Raw events become rows of all tables: slices are staged side by side, and each is merged in one transaction."""
