"""The replay viewer: decisions computed again are the ones that were played, and nobody but researchers reads them."""

from __future__ import annotations

import random

from sqlalchemy.ext.asyncio import AsyncSession

from games.jostle import JOSTLE
from games.protocol import CHANCE, OVER
from npc.panel import seat_panel
from server.settings import Settings
from server.viewer.service import explain
from tests.server.exports.test_export import answered_match
from tests.server.questionnaires.conftest import as_person
from tests.servers import PageClient

MEMBERS = [("ADVANCER", "one"), ("Observing PALS", "two"), ("RANDOMIZER", "three")]


def played_by_the_panel(plies: int = 150) -> list[str]:
    """A game in which member n plays seat n."""
    panel, chance = seat_panel(JOSTLE, MEMBERS), random.Random(3)
    moves: list[str] = []
    while len(moves) < plies and panel.position.to_act != OVER:
        if panel.position.to_act == CHANCE:
            move = chance.choice([outcome for outcome, _ in panel.position.outcomes()])
        else:
            move = panel.decisions()[panel.position.seat].move
        moves.append(str(move))
        panel = panel.after(move)
    return moves


def test_every_decision_of_a_program_is_explained_and_was_really_played() -> None:
    explained, alternatives = explain("jostle", MEMBERS, {0: 0, 1: 1, 2: 2}, played_by_the_panel())
    assert len(explained) > 20
    assert all(decision.played for decision in explained)
    assert {decision.strategy for decision in explained} == {name for name, _ in MEMBERS}
    assert all(decision.words for decision in explained)
    by_ply: dict[int, list[str]] = {}
    for alternative in alternatives:
        by_ply.setdefault(alternative.ply, []).extend(alternative.strategies)
    assert all(sorted(names) == sorted(name for name, _ in MEMBERS) for names in by_ply.values())
    chosen = {(one.ply, name): one.move for one in alternatives for name in one.strategies}
    assert all(chosen[one.ply, one.strategy] == one.move for one in explained)


def test_a_person_is_not_explained() -> None:
    explained, alternatives = explain("jostle", MEMBERS, {1: 1}, played_by_the_panel())
    assert {decision.seat for decision in explained} == {1}
    assert alternatives, "but what the panel would have done is told for every choice"


def test_a_rule_base_is_called_by_its_name_and_not_by_its_script() -> None:
    members = (("% First come\nworth([Choice|_], Choice).\n", "s"), *MEMBERS[1:])
    explained, alternatives = explain("jostle", members, {0: 0}, played_by_the_panel())
    assert {decision.strategy for decision in explained} == {"First come"}
    assert {name for one in alternatives for name in one.strategies} >= {"First come"}


async def test_verdicts_are_told_to_researchers_alone(
    client: PageClient, session: AsyncSession, settings: Settings
) -> None:
    await answered_match(session, aim="to win")
    await as_person(client, session, settings, "researcher")
    notes = (await client.get("/api/research/matches/1/notes")).json()
    assert [(judged["seat"], judged["verdict"], judged["right"], judged["aim"]) for judged in notes["judged"]] == [
        (1, "artificial", True, "to win"),
        (2, "artificial", False, "to win"),
    ]
    assert "Observing PALS" in (await client.get("/research/matches")).text
    assert (await client.get("/research/matches?strategy=nobody")).text.count("<tr>") == 2
    page = await client.get("/research/matches/1")
    assert 'href="/research/strategies/Observing%20PALS"' in page.text
    assert 'href="/research/persons/' in page.text
    assert (await client.get("/api/research/matches/99/notes")).status_code == 404
    await as_person(client, session, settings)
    for path in ("/api/research/matches/1/notes", "/research/matches", "/research/matches/1", "/research/replay"):
        assert (await client.get(path)).status_code == 403, path
