"""The quick form of fuzzing: everything that was ever found, and some fresh inputs for every target.

`python -m tests.fuzz --minutes 60 --keep` is the long form.
"""

from __future__ import annotations

import pytest

from server.base.settings import Settings
from server.storage.database import Database
from tests.fuzz.log import listening
from tests.fuzz.loop import Fault, Fuzzer, tried
from tests.fuzz.registry import TARGETS
from tests.fuzz.sockets import socket_fuzzer
from tests.fuzz.target import Target
from tests.fuzz.web import web_fuzzer

SEED = "tests"
FRESH = {"prolog-scripts": 12, "installation": 60, "questionnaires": 80, "answers": 60, "prolog-answers": 120}
"""Inputs for targets where each takes long; of the others so many:"""
USUALLY = 200
REQUESTS = 160
FRAMES = 60


def told(faults: list[Fault]) -> str:
    return "\n\n".join(f"{fault.where}\n{fault.text[:1000]!r}\n{fault.trace}" for fault in faults)


@pytest.mark.parametrize("name", TARGETS)
def test_what_was_found_once_stays_mended_and_fresh_inputs_find_nothing(name: str) -> None:
    target = TARGETS[name]
    broken = [result for text in target.kept() if isinstance(result := tried(target, text), Fault)]
    assert not broken, told(broken)
    outcome = Fuzzer(target, SEED).run(inputs=FRESH.get(name, USUALLY))
    assert not outcome.faults, told(list(outcome.faults.values()))
    assert outcome.tried >= FRESH.get(name, USUALLY)
    assert outcome.accepted, "not everything is refused, else little would have been tried"


def test_a_check_that_can_break_is_found_broken() -> None:
    """The fuzzer itself can fail: it finds a mistake that needs three right characters, and shortens its input."""

    def check(text: str) -> bool:
        if "p0" in text and "," in text:
            raise KeyError("a mistake")
        return True

    found = Fuzzer(Target("mistaken", check, lambda: ["p1", "again"], ("p", "0", ",")), SEED).run(inputs=3000)
    (fault,) = found.faults.values()
    assert len(fault.text) <= 4


async def test_no_request_causes_an_error_of_ours(settings: Settings, database: Database) -> None:
    with listening(settings) as complaints:
        async with web_fuzzer(settings, database, complaints, SEED) as web:
            outcome = await web.run(inputs=REQUESTS)
            assert len(web.requests.doors) > 100
            assert any(door.fields for door in web.requests.doors)
    assert not outcome.faults, told(list(outcome.faults.values()))
    assert outcome.accepted


@pytest.mark.usefixtures("live_environment")
async def test_no_frames_cause_an_error_or_an_advantage(settings: Settings, database: Database) -> None:
    with listening(settings) as complaints:
        async with socket_fuzzer(settings, database, complaints, SEED) as sockets:
            outcome = await sockets.run(inputs=FRAMES)
    assert not outcome.faults, told(list(outcome.faults.values()))
    assert outcome.accepted
