"""Strategies and rule bases decide in chromium as they do here, and a rogue rule base cannot take the page hostage."""

from __future__ import annotations

import json
import threading
from collections.abc import AsyncIterator, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, Page

import npc
from games.protocol import CHANCE, Game
from games.registry import game
from npc import panel
from npc.composed.jostle import ELEMENTS
from npc.prolog.host import use_host
from npc.prolog.jostle.generate import script_of
from npc.prolog.memory import SESSIONS
from server.base.settings import ROOT
from server.prolog import start_engine
from tests.games.selection import VARIED
from tests.npc.prolog.scripts import HONEST, ROGUES, Rogue
from tests.npc.walks import some_of, walk

pytestmark = pytest.mark.browser

CLIENT = ROOT / "client_web"
START_MS = 120_000  # a busy machine compiles slowly
BASICS = [name for name in ELEMENTS if ELEMENTS[name].is_basic]
STRATEGIES = [
    *BASICS,
    *(f"{symbiont} {host}" for symbiont in ELEMENTS if symbiont not in BASICS for host in BASICS),
    "Lingering Revenging Observing Aggressive EQUALIZER RANDOMIZER PALS",
]
JOSTLE = game("jostle")
SCRIPTS = [*HONEST, script_of(npc.strategy("Lingering Revenging Observing PALS", JOSTLE))]
HANGING = [rogue for rogue in ROGUES if rogue.hangs]
DYING = [rogue for rogue in ROGUES if not rogue.hangs]
FIRST_QUESTION = ["5"]
LATER_QUESTION = ["5", "p0", "2", "p3", "4", "p6", "3"]  # the same seat's second one


class Handler(SimpleHTTPRequestHandler):
    """The built files under /assets/ and an empty page, isolated as our server's pages are."""

    def translate_path(self, path: str) -> str:
        return super().translate_path(path.removeprefix("/assets"))

    def do_GET(self) -> None:
        if self.path != "/":
            return super().do_GET()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>npc</title>")
        return None

    def end_headers(self) -> None:
        self.send_header("Cross-Origin-Opener-Policy", "same-origin")
        self.send_header("Cross-Origin-Embedder-Policy", "require-corp")
        super().end_headers()

    def log_message(self, *_: Any) -> None:
        """Tests are silent."""


@pytest.fixture(scope="module")
def files(built: None) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(CLIENT / "dist")))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


@pytest.fixture(scope="module")
async def page(chromium: Browser, files: str) -> AsyncIterator[Page]:
    """A page whose Python worker has started."""
    page = await chromium.new_page()
    page.set_default_timeout(START_MS)
    await page.goto(files)
    script = json.loads((CLIENT / "dist" / "manifest.json").read_text())["python.js"]
    await page.evaluate("async (url) => { globalThis.grintu = await import(url); }", f"/assets/{script}")
    await page.evaluate("grintu.python.start()")
    yield page
    await page.close()


@pytest.fixture(autouse=True)
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The server's engine, to compare with."""
    SESSIONS.clear()
    host = start_engine(Path(tmp_path_factory.getbasetemp()) / "engine")
    yield
    use_host(None)
    host.stop()


def histories(count: int, rules: Game = JOSTLE) -> Iterator[tuple[list[str], int]]:
    """Random histories up to a moment in which a seat decides, from early to late in the game, and that seat."""
    for number in range(count):
        moves = list(walk(f"browser {number}", rules))
        moments = [(ply, position.to_act) for ply, position, _ in moves if position.to_act != CHANCE]
        chosen, seat = moments[number * (len(moments) - 1) // max(count - 1, 1)]
        yield [str(move) for _, _, move in moves[:chosen]], seat


def composed(*names: str) -> list[str]:
    return [f"composed:{name}" for name in names]


def prolog(*scripts: str) -> list[str]:
    return [f"prolog:{script}" for script in scripts]


async def propose(
    page: Page, history: list[str], members: list[panel.Seeded], seat: int, reference: str = "jostle"
) -> list[panel.Proposal]:
    call = "(args) => grintu.python.call('npc.panel.propose', JSON.parse(args), 60_000)"
    # As JSON in ASCII, because half a character does not survive the way into the page otherwise.
    found: list[panel.Proposal] = await page.evaluate(call, json.dumps([reference, history, members, seat]))
    return found


async def test_every_element_and_script_decides_as_on_the_server(page: Page) -> None:
    texts = [*composed(*STRATEGIES), *prolog(*SCRIPTS)]
    members: list[panel.Seeded] = [(text, f"seed {n}") for n, text in enumerate(texts)]
    moves = set()
    for history, seat in histories(12):
        here = panel.propose("jostle", history, members, seat)
        assert await propose(page, history, members, seat) == here
        assert not any(proposal["fault"] for proposal in here)
        moves |= {proposal["move"] for proposal in here}
    assert len(moves) > 5


@pytest.mark.parametrize("reference", VARIED)
async def test_the_players_of_every_game_decide_as_on_the_server(page: Page, reference: str) -> None:
    rules = game(reference)
    names = some_of(npc.school_of(rules).population(rules), rules)
    members: list[panel.Seeded] = [(text, "everywhere") for text in composed(*names)]
    for history, seat in histories(2 if rules.kind == "gdl" else 6, rules):
        assert await propose(page, history, members, seat, reference) == panel.propose(
            reference, history, members, seat
        )


async def test_a_panel_that_follows_a_match_agrees_at_every_ply(page: Page) -> None:
    members: list[panel.Seeded] = [(text, "follow") for text in (*composed("Revenging EQUALIZER"), *prolog(*HONEST))]
    moves = list(walk("followed"))
    for ply, position, _ in moves[:60]:
        if position.to_act != CHANCE:
            history = [str(move) for _, _, move in moves[:ply]]
            here = panel.propose("jostle", history, members, position.to_act)
            assert await propose(page, history, members, position.to_act) == here


@pytest.mark.parametrize("rogue", DYING, ids=lambda rogue: rogue.name)
async def test_a_rogue_loses_its_decision_as_on_the_server(page: Page, rogue: Rogue) -> None:
    members: list[panel.Seeded] = [(f"prolog:{rogue.script}", "rogue"), ("composed:PALS", "honest")]
    here, there = panel.propose("jostle", LATER_QUESTION, members, 0), await propose(page, LATER_QUESTION, members, 0)
    assert [proposal["move"] for proposal in there] == [proposal["move"] for proposal in here]
    fault = there[0]["fault"]
    assert fault is not None
    assert any(fault.startswith(kind.value) for kind in rogue.kinds), fault
    assert there[1]["fault"] is None


async def test_rogues_that_hang_are_left_behind_and_the_panel_goes_on(page: Page) -> None:
    """All in one panel, because for each of them the worker is ended and started anew, which takes seconds."""
    honest: list[panel.Seeded] = [("composed:PALS", "honest"), (f"prolog:{HONEST[0]}", "honest")]
    hanging: list[panel.Seeded] = [(f"prolog:{rogue.script}", "rogue") for rogue in HANGING]
    for history, rogues in ((FIRST_QUESTION, hanging), (LATER_QUESTION, hanging[:1])):
        members = [*rogues, *honest]
        here, there = panel.propose("jostle", history, members, 0), await propose(page, history, members, 0)
        assert [proposal["move"] for proposal in there] == [proposal["move"] for proposal in here]
        faults = [str(proposal["fault"]) for proposal in there]
        for fault in faults[: len(rogues)]:
            assert fault.startswith("limit: "), fault
            assert fault.endswith("it took too much time"), fault
        assert faults[len(rogues) :] == ["None", "None"]
