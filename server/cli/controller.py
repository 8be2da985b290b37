"""`grintu gdl serve` and `grintu gdl match`: our players for foreign managers, and a manager for foreign players."""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Final, cast

import typer

from games.gdl.game import KEY, LIBRARY, GdlGame
from games.protocol import GameError
from games.registry import game as find_game
from npc.player import PlayerError
from npc.players import read_player, text_of
from server.base import logs
from server.base.settings import Settings
from server.cli.descriptions import opened_file, refuse
from server.controller.answering import OurPlayer, Ours
from server.controller.managing import MOST_TURNS, Manager, Terms, introductions
from server.controller.peers import Peer, Remote, address
from server.controller.serving import Reception

DEFAULT_PORT: Final = 9147
"""Where managers look for players if nobody tells them otherwise."""
DEFAULT_PLAYER: Final = "mcts:simulations=300"
MOST_MATCHES: Final = 64
MOST_GAMES: Final = 1_000

Seed = Annotated[str, typer.Option(help="The same seed draws the same lots; without one, nobody can foresee them.")]


def serve(
    player: Annotated[
        str, typer.Option(help="Who plays: kind:body, such as mcts:simulations=300, or a list of elements.")
    ] = DEFAULT_PLAYER,
    port: Annotated[int, typer.Option(min=0, max=65_535, help="0 takes any that is free.")] = DEFAULT_PORT,
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    matches: Annotated[int, typer.Option(min=1, max=MOST_MATCHES, help="How many at once; more find it busy.")] = 2,
    seed: Seed = "",
) -> None:
    """Play for a foreign game manager: answers INFO, START, PLAY, STOP and ABORT until it is interrupted."""
    first = find_game(f"{KEY}:{LIBRARY[0]}")
    try:
        text = read_player(text_of(player), first).text
    except PlayerError as error:
        refuse(str(error))
    logs.configure(Settings.model_construct())  # no installation is needed, so its settings are not read
    asyncio.run(_serve(OurPlayer(text, seed or secrets.token_hex(8), matches), host, port, text))


def match(
    game: Annotated[str, typer.Option(help="A file with a description (KIF), or a reference such as gdl:bids.")],
    player: Annotated[
        list[str],
        typer.Option(help="By role, in the order of the roles: http://HOST:PORT, or a player of ours (kind:body)."),
    ],
    start_clock: Annotated[int, typer.Option(min=1, max=3600, help="Seconds to get ready.")] = 10,
    play_clock: Annotated[int, typer.Option(min=1, max=3600, help="Seconds for every move.")] = 5,
    games: Annotated[int, typer.Option(min=1, max=MOST_GAMES, help="How many are played, one after another.")] = 1,
    turns: Annotated[int, typer.Option(min=1, max=100_000, help="A match that takes more is aborted.")] = MOST_TURNS,
    seed: Seed = "",
    out: Annotated[
        Path | None, typer.Option(help="Write every match as JSON into this folder.", file_okay=False)
    ] = None,
) -> None:
    """Let foreign players and ours play a described game. Status 1 if a match did not come to its end."""
    rules = _rules(game)
    chosen = seed or secrets.token_hex(8)
    if len(player) != len(rules.seats):
        refuse(f"{len(rules.seats)} players are needed ({' '.join(rules.seats)}), not {len(player)}")
    makers = [_peer_maker(each, rules, f"{chosen}:{seat}") for seat, each in enumerate(player)]
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
    terms = Terms(start_clock, play_clock, chosen, turns)
    logs.configure(Settings.model_construct())
    try:
        with _only_warnings("server.controller", "server.programs"):
            ended = asyncio.run(_matches(rules, makers, terms, games, out))
    except KeyboardInterrupt:
        ended = False
    if not ended:
        raise typer.Exit(1)


@contextmanager
def _only_warnings(*names: str) -> Iterator[None]:
    """The lines of a match are its result; of our own players only what went wrong is told besides."""
    loggers = [logging.getLogger(name) for name in names]
    before = [each.level for each in loggers]
    for each in loggers:
        each.setLevel(logging.WARNING)
    try:
        yield
    finally:
        for each, level in zip(loggers, before, strict=True):
            each.setLevel(level)


async def _serve(player: OurPlayer, host: str, port: int, text: str) -> None:
    stopped = asyncio.Event()
    for each in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(each, stopped.set)
    try:
        listening = await Reception(player).open(host, port)
    except OSError as error:
        refuse(f"cannot listen on {host}:{port}: {error.strerror or error}")
    taken = listening.sockets[0].getsockname()[1]
    typer.echo(f"{text} waits for game managers at http://{host}:{taken}; Ctrl-C ends it")
    try:
        await stopped.wait()
    finally:
        listening.close()
        await player.close()


async def _matches(
    rules: GdlGame, makers: list[Callable[[int], Peer]], terms: Terms, games: int, out: Path | None
) -> bool:
    ended = True
    for number in range(games):
        peers = [make(number) for make in makers]
        try:
            if number == 0:
                for role, words in zip(rules.seats, await introductions(peers), strict=True):
                    typer.echo(f"{role}: {peers[rules.seats.index(role)].name} {words}")
            seed = terms.seed if games == 1 else f"{terms.seed}.{number + 1}"
            manager = Manager(rules, peers, f"grintu.{secrets.token_hex(6)}", terms._replace(seed=seed))
            try:
                await manager.run()
            finally:
                for line in manager.record.told():
                    typer.echo(line)
                if out is not None:
                    file = out / f"{manager.record.match}.json"
                    file.write_text(json.dumps(manager.record.as_json(), indent=1) + "\n", encoding="utf-8")
        finally:
            await asyncio.gather(*(peer.close() for peer in peers))
        ended = ended and manager.record.goals is not None
    return ended


def _rules(game: str) -> GdlGame:
    file = Path(game)
    if file.is_file():
        return opened_file(file)
    try:
        found = find_game(game)
    except GameError as error:
        refuse(f"there is no file {game}, and {error}")
    if found.kind != KEY:
        refuse(f"{found.reference} is not described in the Game Description Language, so no manager can hand it over")
    return cast("GdlGame", found)


def _peer_maker(written: str, rules: GdlGame, seed: str) -> Callable[[int], Peer]:
    """Makes whoever is written for a match of this number."""
    try:
        if "://" in written:
            where = address(written)
            return lambda _: Remote(where)
        text = read_player(text_of(written), rules).text
    except (ValueError, PlayerError) as error:
        refuse(str(error))
    return lambda number: Ours(text, f"{seed}:{number}")
