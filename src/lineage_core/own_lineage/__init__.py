"""What the platform's own work reports of itself, as OpenLineage events in the store that it works on.

Airflow's provider reports DAG runs and tasks. Spark's listener is not loaded in our jobs, and would not see rows that
go by COPY, so a job reports the application itself.
"""
