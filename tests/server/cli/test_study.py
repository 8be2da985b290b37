"""`grintu study simulate` on the real command line's application."""

import json

import pytest
from typer.testing import CliRunner

from server.cli.main import app

SMALL = ("study", "simulate", "--persons", "40", "--judgements", "20")


def run(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, arguments)
    return result.exit_code, result.stdout, result.stderr


def test_json_is_one_line_that_tells_what_was_found() -> None:
    code, out, _ = run(*SMALL, "--planted", "Observing,Lingering", "--seed", "1", "--json")
    assert code == 0
    assert out.count("\n") == 1
    told = json.loads(out)
    assert isinstance(told["found"], bool)
    assert told["answer"] == (told["final"][0] if told["final"] else None)
    assert [generation["number"] for generation in told["generations"]] == list(range(len(told["generations"])))
    assert told["generations"][0]["size"] == 16


def test_the_table_has_a_line_per_generation_and_ends_with_the_answer() -> None:
    _, as_json, _ = run(*SMALL, "--seed", "2", "--json")
    told = json.loads(as_json)
    code, out, _ = run(*SMALL, "--seed", "2")
    assert code == 0
    lines = out.splitlines()
    assert len(lines) == 2 + len(told["generations"]) + 3
    assert lines[-3].startswith("P_final: ")
    assert lines[-1] == ("The planted set was found." if told["found"] else "The planted set was not found.")


def test_many_studies_give_the_same_lines_on_one_core_and_on_two() -> None:
    arguments = (*SMALL, "--generations", "3", "--seeds", "3", "--json")
    one, two = run(*arguments, "--workers", "1"), run(*arguments, "--workers", "2")
    assert one == two
    assert [json.loads(line)["seed"] for line in one[1].splitlines()] == [1, 2, 3]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--planted", "Sleeping"), "'Sleeping' is no element; the elements are RANDOMIZER"),
        (("--planted", "PALS,PALS"), "expected different elements of"),
        (("--settings", "best"), "one of recommended, decided, thesis, got best"),
        (("--selection", "mood"), "rating or random, got mood"),
    ],
)
def test_bad_input_is_refused_with_what_was_expected(arguments: tuple[str, ...], message: str) -> None:
    code, out, err = run("study", "simulate", *arguments)
    assert code == 2
    assert out == ""
    assert message in err
