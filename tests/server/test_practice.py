"""The practice pages and their answers: for everybody, without a record, and never a crash."""

from __future__ import annotations

import json

import pytest

from npc import practice, replays
from tests.servers import PageClient


@pytest.mark.parametrize("path", ["/practice", "/rules"])
async def test_the_pages_need_no_account(client: PageClient, path: str) -> None:
    answer = await client.get(path)
    assert answer.status_code == 200
    assert "Jostle" in answer.text


async def test_the_server_answers_exactly_what_the_browser_would_compute(client: PageClient) -> None:
    first = (await client.get("/api/practice", params={"seed": "s"})).json()
    assert first == _as_json(practice.advance("s", []))
    moves = [*first["updates"][0]["moves"], first["legal"][0]]
    second = (await client.get("/api/practice", params={"seed": "s", "moves": ",".join(moves)})).json()
    assert second == _as_json(practice.advance("s", moves))


async def test_frames_for_a_replay(client: PageClient) -> None:
    answer = await client.get("/api/replay", params={"moves": "4,p0,1,p3"})
    assert answer.json() == _as_json(replays.of_moves("jostle", ["4", "p0", "1", "p3"]))


@pytest.mark.parametrize(
    ("path", "params"),
    [
        ("/api/practice", {"seed": "s", "moves": "nonsense"}),
        ("/api/practice", {"seed": "s", "moves": "p0,p0"}),
        ("/api/practice", {"seed": "s" * 65}),
        ("/api/practice", {}),
        ("/api/replay", {"moves": "4,p8"}),
        ("/api/replay", {"moves": "4", "game": "chess"}),
        ("/api/replay", {"moves": "1," * 5_000}),
    ],
)
async def test_nonsense_is_refused_with_a_reason(client: PageClient, path: str, params: dict[str, str]) -> None:
    answer = await client.get(path, params=params, headers={"accept": "application/json"})
    assert answer.status_code == 422
    assert answer.json()


def _as_json(value: object) -> object:
    """Tuples travel as lists."""
    return json.loads(json.dumps(value))
