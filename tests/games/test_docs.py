"""What the documents show must run, and the game that they teach must pass what every game must pass."""

import re
from pathlib import Path
from typing import Any

import pytest

from games.book import record, replay, write_book
from games.jostle import JOSTLE
from games.jostle.drawing import draw_svg
from games.protocol import NotationError
from tests.games import test_conformance as conformance
from tests.games.playthrough import play_out

DOCS = Path(__file__).parents[2] / "docs"


def python_in(name: str) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```", (DOCS / name).read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


def run(source: str) -> dict[str, Any]:
    names: dict[str, Any] = {"__name__": "docs"}
    exec(compile(source, "docs", "exec"), names)  # noqa: S102  # our own documents
    return names


@pytest.mark.parametrize("number", range(len(python_in("jostle.md"))))
def test_the_examples_of_jostle_run(number: int) -> None:
    run(python_in("jostle.md")[number])


def test_the_steps_are_printed_as_shown(capsys: pytest.CaptureFixture[str]) -> None:
    run(python_in("jostle.md")[0])
    shown = (DOCS / "jostle.md").read_text(encoding="utf-8")
    assert all(f"    {line}\n" in shown for line in capsys.readouterr().out.splitlines())


def test_the_picture_is_the_board_as_it_is_drawn_now() -> None:
    """If the drawing was changed on purpose: `grintu show --svg docs/images/jostle.svg POSITION`."""
    position = JOSTLE.position("4,-1,-1/1,-1,-1/3,-1,-1 r")
    assert (DOCS / "images/jostle.svg").read_text(encoding="utf-8") == draw_svg(position)


def test_the_game_with_simultaneous_moves_conforms() -> None:
    (source,) = python_in("adding-a-game.md")
    names = run(source)
    game = names["Hands"]()
    played = [play_out(game, f"{seed}") for seed in range(30)]
    positions = {position for each in played for position, _ in each} | {p[-1][0].play(p[-1][1]) for p in played}
    conformance.test_exactly_one_of_seat_chance_and_end_is_at_work(game, positions)
    conformance.test_every_move_that_is_offered_can_be_played(positions)
    conformance.test_every_other_move_is_refused(game, positions)
    conformance.test_playing_changes_nothing_but_gives_something_new(positions)
    conformance.test_texts_of_positions_read_back_and_tell_positions_apart(game, positions)
    conformance.test_texts_of_moves_read_back(game, positions)
    conformance.test_there_are_as_many_scores_as_seats_and_winners_only_at_the_end(game, positions)
    conformance.test_every_seat_may_see_a_position_of_the_game(game, positions)
    with pytest.raises(NotationError):
        game.position("./rock")
    book = record(game, (move for _, move in played[0]))
    assert write_book(replay(book, game).book) == write_book(book)


def test_a_seat_does_not_see_what_the_other_has_chosen_at_the_same_time() -> None:
    (source,) = python_in("adding-a-game.md")
    game = run(source)["Hands"]()
    rock, paper = (game.start().play(game.move(name)) for name in ("rock", "paper"))
    assert rock.view(1) == paper.view(1) != rock
    assert rock.view(0) == rock
    end = rock.play(game.move("paper"))
    assert (end.view(0), end.view(1), end.winners()) == (end, end, (1,))
