"""# Match scores leaderboard

An example pipeline that has nothing to do with the lineage store but to be seen by it: after each round of matches it
writes the scores that have arrived to `example.match_scores`, and of these the two best to `example.leaderboard`. With
`bonuses` it reads `example.bonuses`, too: points that are added to the scores of a player.

How the leaderboard came to be is a changelog stream in the folder `games/leaderboard` below `LINEAGE_STREAMS_URL`: each
round appends what it has changed. In round 4 a score arrives late, and corrects a place. The job is an example of a
stream of your own.

1. `update_leaderboard`: a PySpark job with the openlineage-spark listener, which reports what was read and written,
   column by column, into a file. Of the stream the task itself states that it is written.
2. `ingest_events`: `lineage ingest` takes that file into `lineage_events`, also where the job has failed. Airflow's own
   events are there already.
3. `both_ended_well`: does nothing, and fails the run where one of them has failed.

## When it fails

1. `update_leaderboard`: the connection `games` must name a database with a schema `example` that its user may write,
   and the first run needs the network, to fetch the listener and the JDBC driver from Maven Central. It is not tried
   again by itself, as what fails here is mostly in the data: `lineage explain` says what.
2. `ingest_events`: run `lineage db upgrade`, then clear the task. To ingest a file twice changes nothing.

A run may be repeated: it writes the tables as they are after its round, and appends to the stream only what differs.
A run of an earlier round takes the stream back, by corrections and retractions.
"""

from __future__ import annotations

import sys
from datetime import timedelta

from airflow.providers.apache.spark.operators.spark_submit import SparkSubmitOperator
from airflow.providers.standard.operators.bash import BashOperator
from airflow.providers.standard.operators.empty import EmptyOperator
from airflow.sdk import DAG, Asset, Param, TriggerRule

from lineage_core.files import FileFolder
from lineage_core.settings import PROJECT, home_from_environment, streams_url_from_environment

HOME = home_from_environment()
STREAM = str(FileFolder(streams_url_from_environment()).below("games/leaderboard"))
"""Without a secret. Airflow's lineage has files; of other storage, such as S3, the provider must be installed."""
EVENTS = HOME / "spark-events" / "{{ run_id }}.ndjson"

with DAG(
    dag_id="match_scores_leaderboard",
    description="Example: a leaderboard of matches, by a Spark job that reports its lineage.",
    schedule=None,
    max_active_runs=1,
    default_args={"owner": "games", "retries": 1, "retry_delay": timedelta(seconds=10)},
    params={
        "round": Param(1, type=["null", "integer"], minimum=1, maximum=4, title="Round"),
        "bonuses": Param(False, type=["null", "boolean"], title="With bonuses"),
    },
    tags=["example"],
    doc_md=__doc__,
):
    update_leaderboard = SparkSubmitOperator(
        task_id="update_leaderboard",
        retries=0,
        name="match_scores_leaderboard",
        application=str(PROJECT / "spark_jobs" / "match_scores_leaderboard.py"),
        application_args=[
            "--database=jdbc:postgresql://{{ conn.games.host }}:{{ conn.games.port }}/{{ conn.games.schema }}",
            "--user={{ conn.games.login }}",
            "--round={{ params.round or 1 }}",
            "{{ '--bonuses' if params.bonuses else '--no-bonuses' }}",
        ],
        packages="io.openlineage:openlineage-spark_2.13:1.53.0,org.postgresql:postgresql:42.7.7",
        conf={
            "spark.extraListeners": "io.openlineage.spark.agent.OpenLineageSparkListener",
            "spark.openlineage.namespace": "games",
            # Not by environment variables: a Java whose locale is Turkish makes `locatıon` of LOCATION there.
            "spark.openlineage.transport.type": "file",
            "spark.openlineage.transport.location": str(EVENTS),
            "spark.jars.ivy": str(HOME / "ivy"),
            "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1",
            "spark.sql.shuffle.partitions": "2",  # one for each place is enough
            "spark.ui.enabled": "false",
            "spark.log.level": "WARN",
        },
        outlets=[Asset("games_leaderboard", uri=STREAM if "://" in STREAM else f"file://{STREAM}")],
        # The password stands in a file only: both libpq and pgjdbc find it there.
        env_vars={
            "PYSPARK_PYTHON": sys.executable,
            "PGPASSFILE": "{{ conn.games.extra_dejson.passfile }}",
        },
    )
    ingest_events = BashOperator(
        task_id="ingest_events",
        bash_command=f"lineage ingest '{EVENTS}'",
        trigger_rule=TriggerRule.ALL_DONE,
    )
    # The last task decides what becomes of the run: that the lineage of a failure was taken in does not make it good.
    update_leaderboard >> ingest_events
    [update_leaderboard, ingest_events] >> EmptyOperator(task_id="both_ended_well")
