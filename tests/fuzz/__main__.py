"""`python -m tests.fuzz --minutes 60`: fuzz every parser, the HTTP interface and the websockets.

Faults are printed, and the inputs of parsers kept in the corpus, where the tests replay them.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from argon2 import PasswordHasher
from pydantic import SecretStr

from server.accounts import passwords
from server.base.settings import Settings
from server.storage.database import connect
from server.storage.migrate import migrate
from server.storage.postgres import Cluster
from tests.fuzz.log import listening
from tests.fuzz.loop import Fuzzer, Outcome
from tests.fuzz.registry import TARGETS
from tests.fuzz.sockets import socket_fuzzer
from tests.fuzz.target import CORPUS
from tests.fuzz.web import web_fuzzer

SLICE: Final = 10.0
"""Seconds that a target gets at a time, per unit of its share."""
PARSERS, WEB, SOCKETS = 0.5, 0.25, 0.25


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--seed", default=time.strftime("%Y-%m-%d"), help="the same seed draws the same inputs")
    parser.add_argument("--only", nargs="*", default=[], metavar="TARGET", help="parsers by name, web, sockets")
    parser.add_argument("--keep", action="store_true", help="keep inputs that broke something or reached new lines")
    chosen = parser.parse_args()
    wanted = set(chosen.only) or {*TARGETS, "web", "sockets"}
    outcomes = fuzz_parsers(wanted, chosen.seed, 60 * chosen.minutes * (PARSERS if not chosen.only else 1), chosen.keep)
    if wanted & {"web", "sockets"}:
        with installation() as settings:
            outcomes += asyncio.run(fuzz_server(wanted, settings, chosen.seed, 60 * chosen.minutes))
    return report(outcomes)


def fuzz_parsers(wanted: set[str], seed: str, seconds: float, keep: bool) -> list[Outcome]:
    """All of them in turns, so that a run that is stopped early has seen every one."""
    fuzzers = [Fuzzer(target, seed) for name, target in TARGETS.items() if name in wanted]
    whole = sum(fuzzer.target.share for fuzzer in fuzzers)
    rounds = max(1, round(seconds / (SLICE * whole))) if whole else 0
    for number in range(rounds):
        for fuzzer in fuzzers:
            fuzzer.run(seconds * fuzzer.target.share / whole / rounds)
            if keep and fuzzer.target.folder == CORPUS:
                fuzzer.keep()
        print(f"round {number + 1} of {rounds}: {sum(f.outcome.tried for f in fuzzers)} inputs", flush=True)
    return [fuzzer.outcome for fuzzer in fuzzers]


@contextmanager
def installation() -> Iterator[Settings]:
    """A server of our own: Postgres in a temporary folder, quick passwords, play fifty times faster than life."""
    os.environ |= {"GRINTU_LIVE_PACE": "0.02", "GRINTU_LIVE_ASK_TIME": "PT30M"}
    passwords._hasher = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    with tempfile.TemporaryDirectory(prefix="grintu-fuzz-") as folder:
        cluster = Cluster(Path(folder) / "postgres", throwaway=True)
        url = cluster.acquire()
        try:
            migrate(url)
            yield Settings(
                _env_file=None,
                secret_key=SecretStr("a secret for fuzzing that is long enough to be taken"),
                database_url=SecretStr(url),
                data_dir=Path(folder) / "data",
                base_url="http://fuzz.local",
            )
        finally:
            cluster.release()


async def fuzz_server(wanted: set[str], settings: Settings, seed: str, seconds: float) -> list[Outcome]:
    outcomes = []
    url = settings.database_url.get_secret_value() if settings.database_url else ""
    async with connect(url, size=5, raw_size=5) as database:
        with listening(settings) as complaints:
            if "web" in wanted:
                async with web_fuzzer(settings, database, complaints, seed) as web:
                    outcomes.append(await web.run(seconds * (WEB if len(wanted) > 1 else 1)))
            if "sockets" in wanted:
                async with socket_fuzzer(settings, database, complaints, seed) as sockets:
                    outcomes.append(await sockets.run(seconds * (SOCKETS if len(wanted) > 1 else 1)))
    return outcomes


def report(outcomes: list[Outcome]) -> int:
    print(f"\n{'target':<16}{'inputs':>10}{'accepted':>10}{'lines':>8}{'seconds':>9}{'faults':>8}")
    for one in outcomes:
        print(f"{one.target:<16}{one.tried:>10}{one.accepted:>10}{one.lines:>8}{one.seconds:>9.0f}{len(one.faults):>8}")
    faults = [fault for one in outcomes for fault in one.faults.values()]
    print(f"{'all':<16}{sum(one.tried for one in outcomes):>10}{'':>27}{len(faults):>8}")
    for fault in faults:
        print(f"\n--- {fault.target}: {fault.where}\n{fault.text[:1500]!r}\n{fault.trace}", flush=True)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
