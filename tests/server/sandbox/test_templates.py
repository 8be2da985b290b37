"""Templates are translated and play whole games, in the sandbox and as their authors try them."""

import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from games.registry import game as find_game
from npc.players import read_player
from npc.program.host import LostError, use_programs
from npc.program.player import SESSIONS
from npc.simulation.play import play_game
from server.cli.main import app
from server.sandbox.host import SandboxHost
from server.sandbox.languages import LANGUAGES, missing
from server.sandbox.templates import HERE, NAMES, template
from tests.games.selection import VARIED

SERVER = Path(__file__).parents[3] / "server"
PLAYED = {"python": "tricks", "javascript": "tourality", "java": "tic-tac-toe", "cpp": "jostle"}


@pytest.mark.parametrize("language", NAMES)
def test_a_template_plays_in_the_sandbox(language: str, sandbox: SandboxHost) -> None:
    if lacking := missing(language):
        pytest.skip(f"this machine has no {', '.join(lacking)}")
    host = SandboxHost()
    use_programs(host)
    game = find_game(PLAYED[language])
    own = read_player(f"program:{language}\n{template(language, game)}", game)
    other = read_player("composed:PALS" if game.kind == "jostle" else "composed:RANDOMIZER", game)
    try:
        played = play_game(game, [own, *[other] * (len(game.seats) - 1)], "templates", 0)
        sessions = SESSIONS.forget(f"templates:0:{game.seats[0]}")
    finally:
        SESSIONS.clear()
        use_programs(None)
        host.close()
    assert [session.lost for session in sessions] == [None]
    assert played.seats[0].turns > 1 and played.seats[0].faults == 0


@pytest.mark.parametrize("reference", VARIED)
def test_every_game_has_templates_whose_comments_end_where_they_should(reference: str) -> None:
    game = find_game(reference)
    compile(template("python", game), "program.py", "exec")
    for language in ("javascript", "java", "cpp"):
        assert template(language, game).count("*/") == (HERE / f"{language}.txt").read_text().count("*/")
        about = template(language, game).partition("*/")[0]
        assert game.reference in about and "grintu program try" in about


def test_compile_errors_come_with_their_lines(sandbox: SandboxHost) -> None:
    with pytest.raises(LostError, match="line 2"):
        sandbox.translated("python", "pass\nthis is no python\n")


def test_a_script_says_itself_what_runs_it(sandbox: SandboxHost) -> None:
    running = sandbox.start("script", "#!/bin/sh\nread line; echo you said $line\n")
    assert running.ask("hello", 60) == "you said hello"
    running.close()


def test_the_local_runner_plays_tells_and_fails(tmp_path: Path) -> None:
    if lacking := [tool for tool in LANGUAGES["python"].needs if shutil.which(tool) is None]:
        pytest.skip(f"this machine has no {', '.join(lacking)}")
    runner, file = CliRunner(), tmp_path / "mine.py"
    made = runner.invoke(app, ["program", "template", "python", "--game", "tic-tac-toe", "--write", str(file)])
    assert made.exit_code == 0, made.output
    tried = ["program", "try", str(file), "--game", "tic-tac-toe"]
    played = runner.invoke(app, [*tried, "--games", "2"])
    assert played.exit_code == 0, played.output
    assert played.stdout.count("slowest answer") == 2
    file.write_text(file.read_text().replace("return random", "raise KeyError('mine')\n    return random"))
    crashed = runner.invoke(app, tried)
    assert crashed.exit_code == 1
    assert "lost the game" in crashed.stderr and "KeyError: 'mine'" in crashed.stderr
    assert runner.invoke(app, ["program", "try", str(tmp_path / "none.py")]).exit_code == 2
    assert runner.invoke(app, ["program", "template", "cobol"]).exit_code == 2
    assert runner.invoke(app, [*tried, "--seat", "2"]).exit_code == 2


def test_no_part_of_a_server_runs_programs_without_the_sandbox() -> None:
    users = [path for path in SERVER.rglob("*.py") if "sandbox.own" in path.read_text(encoding="utf-8")]
    assert [path.relative_to(SERVER).as_posix() for path in users] == ["cli/program.py"]


def test_where_there_is_no_sandbox_programs_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.sandbox.host.refusal", lambda: "no user namespaces")
    with pytest.raises(LostError, match="no user namespaces"):
        SandboxHost().start("python", "print(1)")
    monkeypatch.setattr("server.cli.program.refusal", lambda: "no user namespaces")
    asked = CliRunner().invoke(app, ["program", "sandbox"])
    assert asked.exit_code == 1 and "no user namespaces" in asked.stdout
