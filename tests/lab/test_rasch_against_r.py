"""The Rasch estimates against R (eRm, psychotools, lme4), where Debian's r-cran packages are installed."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from lab.rasch import Responses, fit_marginal
from tests.lab.conditional import fit_conditional
from tests.lab.lsat6 import lsat6
from tests.lab.simulated import answer

CONDITIONAL = {
    # eRm's beta.se belongs to its sum-zero easiness parameters
    "eRm": 'm <- RM(wide); cat(-m$betapar, "\\n"); cat(m$se.beta, "\\n")',
    "psychotools": "m <- raschmodel(wide); p <- itempar(m, ref = seq_len(ncol(wide))); "
    'cat(coef(p), "\\n"); cat(sqrt(diag(vcov(p))), "\\n")',
}
MARGINAL = (
    "m <- glmer(response ~ 0 + item + (1 | person), long, family = binomial, nAGQ = 21); "
    'cat(-fixef(m), "\\n"); cat(sqrt(unlist(VarCorr(m))), "\\n")'
)


def run_r(package: str, script: str, responses: Responses, folder: Path) -> list[list[float]]:
    """The lines of numbers that a script prints, given the responses as `long` and `wide`."""
    rscript = shutil.which("Rscript")
    if rscript is None:
        pytest.skip(f"NOT COMPARED with R's {package}: Rscript is not installed (Debian: r-base-core, r-cran-*)")
    probe = subprocess.run([rscript, "-e", f"library({package})"], capture_output=True, timeout=120, check=False)
    if probe.returncode != 0:
        pytest.skip(f"NOT COMPARED with R's {package}: the package is not installed (Debian: r-cran-{package.lower()})")
    table = folder / "responses.csv"
    cells = zip(responses.person.tolist(), responses.item.tolist(), responses.successes.tolist(), strict=True)
    lines = [f"{person},i{item:03d},{int(one)}" for person, item, one in cells]
    table.write_text("\n".join(["person,item,response", *lines]) + "\n")
    preamble = (
        f'suppressPackageStartupMessages(library({package})); long <- read.csv("{table}"); '
        "wide <- as.matrix(tapply(long$response, list(long$person, long$item), sum)); "
    )
    done = subprocess.run([rscript, "-e", preamble + script], capture_output=True, text=True, timeout=240, check=True)
    return [[float(number) for number in line.split()] for line in done.stdout.splitlines() if line.strip()]


def simulated() -> Responses:
    rng = np.random.default_rng(17)
    person, item = np.divmod(np.arange(250 * 12), 12)
    return answer(rng.normal(0, 1.2, 250), rng.normal(0, 1, 12), person, item, rng)


@pytest.mark.parametrize("package", CONDITIONAL)
@pytest.mark.parametrize("responses", [lsat6(), simulated()], ids=["lsat6", "simulated"])
def test_conditional_estimates_are_those_of_r(package: str, responses: Responses, tmp_path: Path) -> None:
    difficulty, se = run_r(package, CONDITIONAL[package], responses, tmp_path)
    ours = fit_conditional(responses)
    assert ours.difficulty == pytest.approx(np.array(difficulty) - np.mean(difficulty), abs=1e-3)
    assert ours.difficulty_se == pytest.approx(se, abs=2e-3)


@pytest.mark.parametrize("responses", [lsat6(), simulated()], ids=["lsat6", "simulated"])
def test_marginal_estimates_are_those_of_r(responses: Responses, tmp_path: Path) -> None:
    difficulty, sigma = run_r("lme4", MARGINAL, responses, tmp_path)
    ours = fit_marginal(responses)
    assert ours.difficulty == pytest.approx(difficulty, abs=5e-3)
    assert [ours.sigma] == pytest.approx(sigma, abs=5e-3)
