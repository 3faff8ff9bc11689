"""What a normalization does in the database: choose, stage, merge, and write what is done."""
