"""Traces of other reasoners replay; a sample of those that lie beside the checkout, if there are any."""

import json
from pathlib import Path
from typing import Final

import pytest

from games.gdl.checks import checked
from games.gdl.reasoner import Reasoner
from games.gdl.traces import record
from tests.games.gdl.peers import main, pairs
from tests.games.gdl.sheets import COUNTING

BESIDE: Final = Path(__file__).resolve().parents[4] / "shared" / "data" / "gdl"
SAMPLE: Final = 60
"""The smallest ones; the command replays all."""


@pytest.mark.long
@pytest.mark.skipif(not BESIDE.is_dir(), reason="no traces of other reasoners lie beside this checkout")
def test_small_traces_of_other_reasoners_replay() -> None:
    small = sorted(pairs(BESIDE), key=lambda pair: pair.size)[:SAMPLE]
    assert len(small) == SAMPLE
    found = {pair.description.stem: pair.replayed() for pair in small}
    assert [f"{name}: {replay}" for name, replay in found.items() if not replay.agrees] == []


def test_a_folder_is_replayed_and_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(tmp_path) == 1  # nothing there
    lines = list(record(Reasoner(checked(COUNTING).rules), 1, "peers"))
    for name in ("right", "wrong"):
        (tmp_path / f"{name}.kif").write_text(COUNTING, encoding="utf-8")
        (tmp_path / f"{name}.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
        lines[1]["goals"] = ["1", "2"]
    (tmp_path / "alone.kif").write_text(COUNTING, encoding="utf-8")
    assert main(tmp_path) == 1
    told = capsys.readouterr().out
    assert "right: the same in every ply\nwrong: game 1, ply 3: the goals are" in told
    assert told.endswith("1 of 2 agree\n")
    (tmp_path / "wrong.kif").unlink()
    assert main(tmp_path) == 0
