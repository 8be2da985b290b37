"""`grintu games evolve`, called as a person calls it."""

import re
from pathlib import Path

from typer.testing import CliRunner

from server.cli.games import app

OPTIONS = ["games", "evolve", "--families", "1", "--iterations", "1", "--games", "1", "--workers", "1"]
runner = CliRunner()


def test_games_are_invented_and_kept(tmp_path: Path) -> None:
    archive = tmp_path / "games.jsonl"
    first = runner.invoke(app, [*OPTIONS, "--archive", str(archive)])
    assert first.exit_code == 0
    assert len(re.findall(r"evolved:[0-9a-f]{32} ", first.stdout)) == 8
    kept = archive.read_text(encoding="utf-8")
    assert len(kept.splitlines()) == 3
    other = runner.invoke(app, [*OPTIONS, "--seed", "2", "--archive", str(archive)])
    assert (other.exit_code, archive.read_text(encoding="utf-8")) == (2, kept)
    assert "is the archive of" in other.stderr
