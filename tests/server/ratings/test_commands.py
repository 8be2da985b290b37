"""`grintu rasch`, `grintu rate` and `grintu ratings` as a user calls them."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from server.base.settings import Settings
from server.cli.main import app
from server.storage.database import Database
from tests.lab.lsat6 import lsat6
from tests.lab.simulated import crowd
from tests.server.ratings.stored import store
from tests.servers import environment_of

HEADER = "time,match,person,seat_truth,verdict,sureness,enjoyment,challenge"


@pytest.fixture
def judgements(tmp_path: Path) -> Path:
    file = tmp_path / "judgements.csv"
    log = crowd(4, experts=4, yes_sayers=4, plain=12, strategies=6, matches=30)
    rows = [f"{one.time},{one.match},{one.person},{one.seat_truth},{one.verdict},70,4,somewhat" for one in log]
    file.write_text("\n".join([HEADER, *rows]))
    return file


def grintu(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(one) for one in arguments])


def test_rasch_gives_the_lsat6_figures_as_json(tmp_path: Path) -> None:
    responses = lsat6()
    cells = zip(responses.person.tolist(), responses.item.tolist(), responses.successes.tolist(), strict=True)
    file = tmp_path / "lsat6.csv"
    rows = [f"{responses.persons[who]},{responses.items[what]},{int(one)}" for who, what, one in cells]
    file.write_text("\n".join(["person,item,response", *rows]))
    record = json.loads(grintu("rasch", file, "--json").stdout)
    assert [item["item"] for item in record["items"]] == ["q1", "q2", "q3", "q4", "q5"]
    raw = [item["difficulty"] - record["ability_mean"] for item in record["items"]]
    assert raw == pytest.approx([-2.7300, -0.9986, -0.2399, -1.3065, -2.0994], abs=5e-5)
    assert all(set(item) >= {"item", "difficulty", "se", "infit", "outfit"} for item in record["items"])
    assert len(record["persons"]) == 1000
    assert all(set(one) >= {"person", "ability", "se", "infit", "outfit"} for one in record["persons"])


def test_rate_gives_weights_ratings_and_experts_as_json(judgements: Path) -> None:
    record = json.loads(grintu("rate", judgements, "--json").stdout)
    assert {one["person"][:3] for one in record["persons"]} == {"exp", "yes", "pla"}
    assert all(0 <= one["weight"] <= 1 for one in record["persons"])
    assert all({"detection", "fun", "challenge", "believability"} <= one.keys() for one in record["strategies"])
    assert record["experts"]
    assert all(name.startswith("expert") for name in record["experts"])


def test_without_json_tables_are_shown(judgements: Path) -> None:
    shown = grintu("rate", judgements)
    assert shown.exit_code == 0
    for word in ("Ratings", "Judged human", "Persons", "Super experts: expert", "Map of persons and items", "s5"):
        assert word in shown.stdout


def test_bad_rows_are_named_and_nothing_is_printed(tmp_path: Path) -> None:
    file = tmp_path / "bad.csv"
    file.write_text(f"{HEADER}\n1,m,ann,S,maybe,1,1,not\n1,m,ann,S,human,1,9,not\n")
    refused = grintu("rate", file, "--json")
    assert refused.exit_code == 2
    assert refused.stdout == ""
    assert refused.stderr.splitlines() == [
        f"{file}: line 2: verdict must be one of human, artificial, cannot tell, not 'maybe'",
        f"{file}: line 3: enjoyment must be a whole number from 1 to 5 or empty, not '9'",
    ]


def test_what_is_no_text_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "image.csv"
    file.write_bytes(b"person,item,response\n\xff\xfe")
    refused = grintu("rasch", file)
    assert refused.exit_code == 2
    assert "not UTF-8 text" in refused.stderr
    assert grintu("rasch", tmp_path / "missing.csv").exit_code == 2


async def test_ratings_computes_the_studys_own_log(
    database: Database, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in environment_of(settings).items():
        monkeypatch.setenv(name, value)
    nothing = await asyncio.to_thread(grintu, "ratings", "--json")
    assert nothing.exit_code == 1
    assert "nobody has judged" in nothing.stderr
    log = crowd(2, experts=2, yes_sayers=1, plain=4, strategies=4, matches=12)
    async with database.transaction() as session:
        await store(session, log)
    shown = await asyncio.to_thread(grintu, "ratings", "--json")
    record = json.loads(shown.stdout)
    assert record["log_position"] == record["judgements"] == len(log)
    assert len(record["persons"]) == 7
