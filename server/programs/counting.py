"""What /metrics tells about the processes in which programs think."""

from __future__ import annotations

from prometheus_client import Counter, Histogram

SECONDS = Histogram("grintu_programs_seconds", "Time from a question to a program until its answer", ["kind"])
RESTARTS = Counter("grintu_programs_restarts_total", "Processes of programs that were replaced", ["kind", "reason"])


class Counted:
    """The numbers of one kind of processes."""

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._seconds = SECONDS.labels(kind)  # looked up once: it costs as much as counting

    def answered(self, seconds: float) -> None:
        self._seconds.observe(seconds)

    def replaced(self, reason: str) -> None:
        RESTARTS.labels(self._kind, reason).inc()
