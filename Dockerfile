ARG PYTHON_IMAGE=python:3.11.16-slim-bookworm@sha256:528257d48c1da0dcecc2e725d1ae34498d60c965f1241e39cd6a85a8859bdf84

# One image for Airflow's processes and for Spark's: the driver and the executors must have the same packages.
FROM ${PYTHON_IMAGE} AS build

WORKDIR /build
COPY pyproject.toml LICENSE ./
COPY src src
COPY sql sql
COPY dags dags
COPY plugins plugins
COPY spark_jobs spark_jobs
RUN pip wheel --no-cache-dir --no-deps --wheel-dir wheels .


FROM ${PYTHON_IMAGE}

RUN apt-get update \
    && apt-get install --yes --no-install-recommends openjdk-17-jre-headless procps \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --create-home lineage \
    && install --directory --owner=lineage /var/lib/lineage /var/lib/lineage/airflow /var/lib/lineage/airflow/logs /var/lib/lineage-streams

ENV PYTHONUNBUFFERED=1 \
    PYSPARK_PYTHON=/usr/local/bin/python3 \
    SPARK_HOME=/usr/local/lib/python3.11/site-packages/pyspark \
    LINEAGE_HOME=/var/lib/lineage \
    AIRFLOW_HOME=/var/lib/lineage/airflow \
    AIRFLOW__CORE__DAGS_FOLDER=/usr/local/lib/python3.11/site-packages/lineage_core/dags \
    AIRFLOW__CORE__PLUGINS_FOLDER=/usr/local/lib/python3.11/site-packages/lineage_core/plugins

WORKDIR /opt/lineage
COPY requirements.txt .
RUN pip install --no-cache-dir --requirement requirements.txt

COPY --from=build /build/wheels wheels
# Nothing tells Airflow later that a folder of the environment above is not there.
RUN pip install --no-cache-dir --no-deps wheels/*.whl \
    && rm -r wheels \
    && pip check \
    && test "$(lineage paths dags)" = "$AIRFLOW__CORE__DAGS_FOLDER" \
    && test "$(lineage paths plugins)" = "$AIRFLOW__CORE__PLUGINS_FOLDER"

COPY --chmod=755 docker/entrypoint /usr/local/bin/lineage-entrypoint
USER lineage
ENTRYPOINT ["lineage-entrypoint"]
CMD ["lineage", "--help"]
