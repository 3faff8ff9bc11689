"""Long migrations: planned, run in short transactions at the pace that the server allows, verified, and ended."""
