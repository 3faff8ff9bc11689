"""An S3 on this machine: a server that can be stopped and started again with what it holds."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from moto.server import ThreadedMotoServer

HOST = "127.0.0.1"
BUCKET = "lineage-streams"
ACCESS_KEY, SECRET_KEY = "AKIAOFTESTS", "a-secret-of-tests"


class LocalS3:
    """What it holds is in the memory of this process."""

    def __init__(self) -> None:
        self._server = ThreadedMotoServer(HOST, port=0, verbose=False)
        self._server.start()
        _, self._port = self._server.get_host_and_port()

    @property
    def settings(self) -> dict[str, str]:
        """Variables that AWS' libraries read. One try is enough: nothing in between loses requests."""
        return {
            "AWS_ENDPOINT_URL": f"http://{HOST}:{self._port}",
            "AWS_ACCESS_KEY_ID": ACCESS_KEY,
            "AWS_SECRET_ACCESS_KEY": SECRET_KEY,
            "AWS_DEFAULT_REGION": "us-east-1",
            "AWS_MAX_ATTEMPTS": "1",
        }

    def stop(self) -> None:
        self._server.stop()

    def start(self) -> None:
        self._server = ThreadedMotoServer(HOST, port=self._port, verbose=False)
        self._server.start()


@contextmanager
def local_s3(environment: pytest.MonkeyPatch) -> Iterator[LocalS3]:
    """With an empty bucket, and the environment of this process set to it."""
    import boto3
    from s3fs import S3FileSystem

    logging.getLogger("werkzeug").setLevel(logging.ERROR)  # it tells of each request
    server = LocalS3()
    for name, value in server.settings.items():
        environment.setenv(name, value)
    S3FileSystem.clear_instance_cache()
    boto3.client("s3").create_bucket(Bucket=BUCKET)
    yield server
    S3FileSystem.clear_instance_cache()
    server.stop()
