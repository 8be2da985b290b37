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
from games.protocol import CHANCE
from npc import ELEMENTS, panel
from npc.prolog import rule_base
from npc.prolog.host import use_host
from npc.prolog.memory import SESSIONS
from server.prolog import start_engine
from server.settings import ROOT
from tests.npc.prolog.scripts import HONEST, ROGUES, Rogue
from tests.npc.walks import walk

pytestmark = pytest.mark.browser

CLIENT = ROOT / "client_web"
START_MS = 120_000  # a busy machine compiles slowly
BASICS = [name for name in ELEMENTS if ELEMENTS[name].is_basic]
STRATEGIES = [
    *BASICS,
    *(f"{symbiont} {host}" for symbiont in ELEMENTS if symbiont not in BASICS for host in BASICS),
    "Lingering Revenging Observing Aggressive EQUALIZER RANDOMIZER PALS",
]
SCRIPTS = [*HONEST, rule_base(npc.strategy("Lingering Revenging Observing PALS"))]
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


def histories(count: int) -> Iterator[list[str]]:
    """Random histories up to a moment in which a seat decides, from early to late in the game."""
    for number in range(count):
        game = list(walk(f"browser {number}"))
        moments = [ply for ply, position, _ in game if position.to_act != CHANCE]
        chosen = moments[number * (len(moments) - 1) // max(count - 1, 1)]
        yield [str(move) for _, _, move in game[:chosen]]


async def propose(page: Page, history: list[str], members: list[panel.Member]) -> list[panel.Proposal]:
    call = "(args) => grintu.python.call('npc.panel.propose', JSON.parse(args), 60_000)"
    # As JSON in ASCII, because half a character does not survive the way into the page otherwise.
    found: list[panel.Proposal] = await page.evaluate(call, json.dumps(["jostle", history, members]))
    return found


async def test_every_element_and_script_decides_as_on_the_server(page: Page) -> None:
    members: list[panel.Member] = [(text, f"seed {n}") for n, text in enumerate([*STRATEGIES, *SCRIPTS])]
    moves = set()
    for history in histories(12):
        here = panel.propose("jostle", history, members)
        assert await propose(page, history, members) == here
        assert not any(proposal["fault"] for proposal in here)
        moves |= {proposal["move"] for proposal in here}
    assert len(moves) > 5


async def test_a_panel_that_follows_a_match_agrees_at_every_ply(page: Page) -> None:
    members: list[panel.Member] = [(text, "follow") for text in ("Revenging EQUALIZER", *HONEST)]
    game = list(walk("followed"))
    for ply, position, _ in game[:60]:
        if position.to_act != CHANCE:
            history = [str(move) for _, _, move in game[:ply]]
            assert await propose(page, history, members) == panel.propose("jostle", history, members)


@pytest.mark.parametrize("rogue", DYING, ids=lambda rogue: rogue.name)
async def test_a_rogue_loses_its_decision_as_on_the_server(page: Page, rogue: Rogue) -> None:
    members: list[panel.Member] = [(rogue.script, "rogue"), ("PALS", "honest")]
    here, there = panel.propose("jostle", LATER_QUESTION, members), await propose(page, LATER_QUESTION, members)
    assert [proposal["move"] for proposal in there] == [proposal["move"] for proposal in here]
    fault = there[0]["fault"]
    assert fault is not None
    assert any(fault.startswith(kind.value) for kind in rogue.kinds), fault
    assert there[1]["fault"] is None


async def test_rogues_that_hang_are_left_behind_and_the_panel_goes_on(page: Page) -> None:
    """All in one panel, because for each of them the worker is ended and started anew, which takes seconds."""
    honest: list[panel.Member] = [("PALS", "honest"), (HONEST[0], "honest")]
    hanging: list[panel.Member] = [(rogue.script, "rogue") for rogue in HANGING]
    for history, rogues in ((FIRST_QUESTION, hanging), (LATER_QUESTION, hanging[:1])):
        members = [*rogues, *honest]
        here, there = panel.propose("jostle", history, members), await propose(page, history, members)
        assert [proposal["move"] for proposal in there] == [proposal["move"] for proposal in here]
        faults = [str(proposal["fault"]) for proposal in there]
        for fault in faults[: len(rogues)]:
            assert fault.startswith("limit: "), fault
            assert fault.endswith("it took too much time"), fault
        assert faults[len(rogues) :] == ["None", "None"]
