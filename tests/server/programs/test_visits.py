"""What visitors practise with thinks in a process of its own: neither the server nor any program of a match waits."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import Callable

import pytest
from fastapi import FastAPI

from npc import practice, replays
from server.base.errors import Unavailable
from server.practice import answers
from server.programs import service
from server.programs.service import MOST_VISITS, Programs
from tests.server.programs.test_programs import ASK, computed_here, frozen
from tests.servers import PageClient

SMALL = "tic-tac-toe"


@pytest.mark.parametrize(
    ("path", "module", "function"), [("practice?seed=s", practice, "advance"), ("replay?moves=", replays, "of_moves")]
)
async def test_the_server_itself_computes_no_visitors_answer(
    client: PageClient, monkeypatch: pytest.MonkeyPatch, path: str, module: object, function: str
) -> None:
    computed: Callable[..., object] = getattr(module, function)
    expected = computed(SMALL, "s", []) if module is practice else computed(SMALL, [])

    def never(*_: object) -> None:
        raise AssertionError("this is the server")

    monkeypatch.setattr(module, function, never)
    answer = await client.get(f"/api/{path}&game={SMALL}")
    assert answer.json() == json.loads(json.dumps(expected))


async def test_visitors_delay_no_program_and_are_refused_when_they_are_many() -> None:
    async with Programs(heavy=1) as programs:
        asked = ("", SMALL, "s", ())
        expected = await programs.visit(answers.advance, *asked)
        process = frozen(programs._visits)
        visits = [asyncio.create_task(programs.visit(answers.advance, *asked)) for _ in range(MOST_VISITS)]
        assert await programs.decide(ASK) == computed_here(ASK)
        with pytest.raises(Unavailable):
            await programs.visit(answers.advance, *asked)
        assert not any(visit.done() for visit in visits)
        os.kill(process, signal.SIGCONT)
        assert await asyncio.gather(*visits) == [expected] * MOST_VISITS
        assert await programs.visit(answers.advance, *asked) == expected, "there is room again"


async def test_what_takes_too_long_is_left_to_the_browser(
    app: FastAPI, client: PageClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = f"/api/practice?seed=s&game={SMALL}"
    assert (await client.get(asked)).status_code == 200
    monkeypatch.setattr(service, "VISIT_SECONDS", 0.1)
    frozen(app.state.programs._visits)
    late = await client.get(asked, headers={"accept": "application/json"})
    assert late.status_code == 503
    monkeypatch.setattr(service, "VISIT_SECONDS", 60.0)
    assert (await client.get(asked)).status_code == 200, "another process has taken its place"
