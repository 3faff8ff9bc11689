"""The name that the transport had when only Airflow used it: settings may still say it."""

from lineage_core.transport import PostgresConfig, PostgresTransport

__all__ = ["PostgresConfig", "PostgresTransport"]
