"""How this project talks to Postgres. It knows no capability."""
