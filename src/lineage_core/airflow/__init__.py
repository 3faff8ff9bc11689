"""The adapter for Airflow: the only package that imports it and its OpenLineage client."""
