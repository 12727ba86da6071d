"""Figures for Prometheus, one registry per application so that tests do not share them."""

from __future__ import annotations

from collections.abc import Callable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.gc_collector import GCCollector
from prometheus_client.process_collector import ProcessCollector

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class Metrics:
    """What this web layer counts."""

    def __init__(self, clients: Callable[[], float], seq: Callable[[], float]) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        GCCollector(registry=self.registry)
        self.commands = Counter(
            "mjt_commands",
            "Commands posted, by name and outcome.",
            ("name", "outcome"),
            registry=self.registry,
        )
        self.command_seconds = Histogram(
            "mjt_command_seconds",
            "From a command's arrival to the brain's answer.",
            buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0),
            registry=self.registry,
        )
        Gauge("mjt_browsers", "Browsers that listen to events.", registry=self.registry).set_function(clients)
        Gauge("mjt_journal_seq", "Number of the last journal row.", registry=self.registry).set_function(seq)

    def text(self) -> bytes:
        """Return all figures in the text form."""
        return generate_latest(self.registry)
