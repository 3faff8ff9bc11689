"""The collector's side of OpenTelemetry: an HTTP server that receives metrics."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest


class Collector:
    """Listens on a free port of this machine, and keeps the last value of each metric."""

    def __init__(self) -> None:
        self.received: dict[str, float] = {}
        received = self.received

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                received.update(_values(self.rfile.read(int(self.headers["Content-Length"]))))
                self.send_response(200)
                self.end_headers()

            def log_message(self, *_: object) -> None:
                """Nothing to the test's output."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()

    @property
    def settings(self) -> dict[str, str]:
        """Airflow's, and those of the OpenTelemetry SDK, by which Airflow sends here."""
        return {
            "AIRFLOW__METRICS__OTEL_ON": "True",
            "OTEL_EXPORTER_OTLP_PROTOCOL": "http/protobuf",
            "OTEL_EXPORTER_OTLP_ENDPOINT": f"http://127.0.0.1:{self._server.server_port}",
        }

    def close(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


def _values(body: bytes) -> dict[str, float]:
    request = ExportMetricsServiceRequest.FromString(body)
    metrics = (
        metric for resource in request.resource_metrics for scope in resource.scope_metrics for metric in scope.metrics
    )
    found = dict[str, float]()
    for metric in metrics:
        if metric.HasField("exponential_histogram"):
            found[metric.name] = metric.exponential_histogram.data_points[-1].sum
        else:
            points = (metric.gauge if metric.HasField("gauge") else metric.sum).data_points
            found[metric.name] = points[-1].as_double or points[-1].as_int
    return found
