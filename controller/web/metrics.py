"""Figures for Prometheus, one registry per application so that tests do not share them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.gc_collector import GCCollector
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector

LEDGER_ALARMS = ("ok", "low", "full")
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class Metrics:
    """What this web layer counts."""

    def __init__(
        self,
        clients: Callable[[], float],
        seq: Callable[[], float],
        machine: Callable[[], Mapping[str, int]] = dict,
        ledger: Callable[[], str] = lambda: "ok",
    ) -> None:
        """Start counting; `machine` returns counters of link and board, `ledger` one of `LEDGER_ALARMS`."""
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        GCCollector(registry=self.registry)
        self.registry.register(_Machine(machine))
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

        Gauge(
            "mjt_ledger_alarm",
            "Room for the ledger: 0 enough, 1 the disk is nearly full, 2 the table waits for room.",
            registry=self.registry,
        ).set_function(lambda: LEDGER_ALARMS.index(ledger()))

    def text(self) -> bytes:
        """Return all figures in the text form."""
        return generate_latest(self.registry)


class _Machine(Collector):
    """The counters of both ends of the serial line; what ends in `_ms` goes up and down."""

    def __init__(self, counters: Callable[[], Mapping[str, int]]) -> None:
        self._counters = counters

    def collect(self) -> Iterator[Metric]:
        """Yield a figure for each counter that is known now."""
        for name, value in sorted(self._counters().items()):
            end, _, what = name.partition("_")
            text = f"Serial line, {'host' if end == 'link' else end}: {what.replace('_', ' ')}."
            if name.endswith("_ms"):
                yield GaugeMetricFamily(f"mjt_{name}", text, value)
            else:
                yield CounterMetricFamily(f"mjt_{name}", text, value)
