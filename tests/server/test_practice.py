"""The practice pages and their answers: for everybody, without a record, and never a crash."""

from __future__ import annotations

import json
from html import escape
from urllib.parse import urlencode

import pytest

from games.protocol import CHANCE
from games.registry import game
from npc import practice, replays
from server.practice.routes import EXAMPLE_DECISIONS
from tests.games.selection import VARIED
from tests.servers import PageClient


async def test_only_a_game_of_the_study_leads_to_its_own_lobby(client: PageClient) -> None:
    in_study = (await client.get("/practice")).text
    elsewhere = (await client.get("/practice", params={"game": "ten"})).text
    assert 'data-lobby="/register?next=/lobby%3Fgame%3Djostle%253Astandard"' in in_study, "visitors register first"
    assert 'data-lobby="/register?next=/lobby"' in elsewhere


@pytest.mark.parametrize("path", ["/practice", "/rules"])
async def test_the_pages_need_no_account(client: PageClient, path: str) -> None:
    answer = await client.get(path)
    assert answer.status_code == 200
    assert "Jostle" in answer.text


@pytest.mark.parametrize("game", VARIED)
async def test_the_server_answers_exactly_what_the_browser_would_compute(client: PageClient, game: str) -> None:
    first = (await client.get("/api/practice", params={"game": game, "seed": "s"})).json()
    assert first == _as_json(practice.advance(game, "s", []))
    moves = [*(move for update in first["updates"] for move in update["moves"]), first["legal"][0]]
    asked = {"game": game, "seed": "s", "moves": "\n".join(moves)}
    second = (await client.get("/api/practice", params=asked)).json()
    assert second == _as_json(practice.advance(game, "s", moves))


async def test_without_a_name_it_is_the_first_game_of_the_study(client: PageClient) -> None:
    first = (await client.get("/api/practice", params={"seed": "s"})).json()
    assert first == _as_json(practice.advance("jostle:standard", "s", []))


async def test_every_game_can_be_practised_and_its_rules_be_read(client: PageClient) -> None:
    for reference in VARIED:
        title = escape(game(reference).texts("en").title)
        for path in (f"/practice?game={reference}", f"/rules?game={reference}", f"/games/{reference}/rules"):
            answer = await client.get(path)
            assert answer.status_code == 200
            assert title in answer.text


@pytest.mark.parametrize("reference", VARIED)
async def test_an_example_to_watch_is_short_legal_and_always_the_same(client: PageClient, reference: str) -> None:
    moves = (await client.get("/api/practice/example", params={"game": reference})).json()["moves"]
    assert moves == practice.example(reference, EXAMPLE_DECISIONS)
    decisions = sum(frame["seat"] != CHANCE for frame in replays.of_moves(reference, moves)["frames"])
    assert 0 < decisions <= EXAMPLE_DECISIONS


async def test_frames_for_a_replay(client: PageClient) -> None:
    answer = await client.get("/api/replay", params={"moves": "4\np0\n1\np3"})
    assert answer.json() == _as_json(replays.of_moves("jostle:standard", ["4", "p0", "1", "p3"]))


@pytest.mark.parametrize(
    ("path", "params"),
    [
        ("/api/practice", {"seed": "s", "moves": "nonsense"}),
        ("/api/practice", {"seed": "s", "moves": "p0\np0"}),
        ("/api/practice", {"seed": "s" * 65}),
        ("/api/practice", {}),
        ("/api/replay", {"moves": "4\np8"}),
        ("/api/replay", {"moves": "1\n" * 9_000}),
    ],
)
async def test_nonsense_is_refused_with_a_reason(client: PageClient, path: str, params: dict[str, str]) -> None:
    answer = await client.get(path, params=params, headers={"accept": "application/json"})
    assert answer.status_code == 422
    assert answer.json()


@pytest.mark.parametrize("game", ["chess", "jostle:" + "0" * 32, "jostle:\u0000", "x" * 300])
@pytest.mark.parametrize("path", ["/api/replay?moves=4&", "/api/practice?seed=s&", "/practice?", "/rules?", "/lobby?"])
async def test_what_is_no_game_is_refused(client: PageClient, path: str, game: str) -> None:
    answer = await client.get(f"{path}{urlencode({'game': game})}", headers={"accept": "application/json"})
    assert answer.status_code in (401, 404, 422)


def _as_json(value: object) -> object:
    """Tuples travel as lists."""
    return json.loads(json.dumps(value))
