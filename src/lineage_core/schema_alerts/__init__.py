"""Schemas of users' datasets that broke a rule, and what people have said of them. Normalization raises the alerts."""

from lineage_core.schema_alerts.store import SchemaAlert, acknowledge, alerts

__all__ = ["SchemaAlert", "acknowledge", "alerts"]
