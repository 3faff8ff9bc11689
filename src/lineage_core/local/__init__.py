"""What runs on one machine: the embedded Postgres, a Java, Airflow's processes, and the demo made of them."""
