"""The one place that talks to Postgres."""
