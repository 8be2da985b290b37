"""The sandbox: what it adds to the start of a program and to each of its answers, beside a plain process."""

from __future__ import annotations

from statistics import median
from time import perf_counter

from rich.console import Console
from rich.table import Table

from server.sandbox.host import SandboxHost, refusal
from server.sandbox.own import OwnHost

STARTS = 20
ANSWERS = 2000


def measured(host: SandboxHost | OwnHost) -> tuple[list[float], list[float]]:
    """Seconds of each start until the first answer, and of each answer."""
    source = "#!/bin/sh\nexec cat\n"
    host.start("script", source).close()  # translated, which is done once
    starts, answers = [], []
    for _ in range(STARTS):
        began = perf_counter()
        running = host.start("script", source)
        running.ask("ready?", 10)
        starts.append(perf_counter() - began)
        for number in range(ANSWERS // STARTS):
            began = perf_counter()
            assert running.ask(f"question {number}", 10) == f"question {number}"
            answers.append(perf_counter() - began)
        running.close()
    return starts, answers


def main() -> None:
    if reason := refusal():
        print(f"not measured: {reason}")
        return
    table = Table(title=f"medians and 95th percentiles of {STARTS} starts and {ANSWERS} answers, in ms")
    for name in ("", "start", "", "answer", ""):
        table.add_column(name, justify="right")
    medians: list[tuple[float, float]] = []
    for name, host in (("plain process", OwnHost()), ("sandbox", SandboxHost())):
        starts, answers = measured(host)
        host.close()
        cells = [
            f"{1000 * each:.3f}"
            for times in (starts, answers)
            for each in (median(times), sorted(times)[-len(times) // 20])
        ]
        table.add_row(name, *cells)
        medians.append((median(starts), median(answers)))
    (plain_start, plain_answer), (start, answer) = medians
    table.add_row("added", f"{1000 * (start - plain_start):.3f}", "", f"{1000 * (answer - plain_answer):.3f}", "")
    Console().print(table)


if __name__ == "__main__":
    main()
