"""The load test in its quick form: a handful of probands over real sockets, from log-in to questionnaire."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.load import PERSONS_PER_MATCH, Plan, is_clean, run

HANDFUL = Plan(matches=2, seconds=0.5, ramp=0.1, drain=400.0, pace=0.01, worker=False)


@pytest.mark.long
@pytest.mark.timeout(600)  # on a busy machine; it ends when everybody has played, which takes seconds otherwise
def test_simulated_probands_play_whole_matches_and_answer_without_an_error(database_url: str, tmp_path: Path) -> None:
    figures = run(HANDFUL, 1, tmp_path, database_url)
    assert is_clean(figures), (figures.errors, figures.total, figures.kept)
    assert figures.kept["questionnaires"] >= PERSONS_PER_MATCH * HANDFUL.matches, "everybody plays once at least"
    assert figures.kept["judgements"] == 2 * figures.kept["questionnaires"], "one about each of the others"
