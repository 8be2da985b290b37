"""What R says about the same data, recorded; and, with R installed, whether it still says so.

    python -m tests.lab.oracles        (make oracles installs R's packages from Debian first)

`test_against_r.py` holds our figures against the recorded ones wherever tests run, with or without R. This command asks
R itself and fails if a package is missing: then nothing has been compared.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import pytest

from lab.judgements import HUMAN, Judgement, Verdict
from lab.learning import learning
from lab.rasch import Responses, fit_marginal, report
from lab.rasch.dependence import dependences
from lab.shrinkage import shrink
from lab.simulation.verdicts import World, verdicts
from lab.turing import judge_quality, mixed_model
from lab.turing.judges import probability_artificial, roc
from tests.lab.conditional import fit_conditional
from tests.lab.lsat6 import lsat6
from tests.lab.simulated import answer
from tests.lab.test_learning import stopping

SECONDS: Final = 1200


@dataclass(frozen=True)
class Oracle:
    """`script` reads the table `data` and prints the numbers that `ours` gives, in the same order.

    `said` is what it printed with the version of the package that is named.
    """

    package: str
    table: Callable[[], str]
    script: str
    ours: Callable[[], Iterable[float]]
    said: str
    within: float

    @property
    def recorded(self) -> list[float]:
        return [float(number) for number in self.said.split()]

    def asked(self, folder: Path) -> list[float]:
        """What R says now. Raises RuntimeError with R's own words if it says nothing."""
        file = folder / "data.csv"
        file.write_text(self.table())
        library = f"suppressPackageStartupMessages(library({self.package.split()[0]}))"
        whole = f'{library}; data <- read.csv("{file}"); {self.script}'
        done = subprocess.run(["Rscript", "-e", whole], capture_output=True, text=True, timeout=SECONDS, check=False)
        if done.returncode:
            raise RuntimeError(done.stderr.strip())
        return [float(number) for number in done.stdout.split()]


def csv(head: str, rows: Iterable[Iterable[object]]) -> str:
    return "\n".join([head, *(",".join(map(str, row)) for row in rows)]) + "\n"


def simulated() -> Responses:
    rng = np.random.default_rng(17)
    person, item = np.divmod(np.arange(250 * 12), 12)
    return answer(rng.normal(0, 1.2, 250), rng.normal(0, 1, 12), person, item, rng)


def responses_table(responses: Responses) -> str:
    cells = zip(responses.person.tolist(), responses.item.tolist(), responses.successes.tolist(), strict=True)
    return csv("person,item,response", ((person, f"i{item:03d}", int(one)) for person, item, one in cells))


WIDE: Final = "wide <- as.matrix(tapply(data$response, list(data$person, data$item), sum)); "
ERM: Final = WIDE + "m <- RM(wide); cat(-m$betapar, m$se.beta)"
GLMER: Final = (
    "m <- glmer(response ~ 0 + item + (1 | person), data, family = binomial, nAGQ = 21, "
    "control = glmerControl(calc.derivs = FALSE)); cat(-fixef(m), sqrt(unlist(VarCorr(m))))"
)


def conditional(responses: Responses) -> list[float]:
    found = fit_conditional(responses)
    return [*found.difficulty.tolist(), *found.difficulty_se.tolist()]


def marginal(responses: Responses) -> list[float]:
    found = fit_marginal(responses)
    return [*found.difficulty.tolist(), found.sigma]


def graded() -> list[Judgement]:
    """Two hundred judges of one seat each, who are surer of programs than of people."""
    rng = np.random.default_rng(11)
    log = []
    for number in range(200):
        feeling = rng.normal(0.7 * (number % 2), 1)
        verdict = Verdict.ARTIFICIAL if feeling > 0 else Verdict.HUMAN
        sureness = min(100, 10 * round(4 * abs(feeling)))
        log.append(Judgement(number, f"m{number}", f"j{number}", "S" if number % 2 else HUMAN, verdict, sureness))
    return log


def graded_table() -> str:
    return csv("said,program", ((probability_artificial(one), int(not one.of_human)) for one in graded()))


def curve() -> list[float]:
    """The area, and the points of the curve from the largest stated probability on."""
    points = roc(graded())[1:]
    area = judge_quality(graded()).auc
    assert area is not None
    return [area, *(one.hits for one in points), *(one.false_alarms for one in points)]


def q3_of_lsat6() -> list[float]:
    told = report(lsat6())
    ability = np.array([one.ability for one in told.persons])
    found = dependences(lsat6(), ability, np.array([one.difficulty for one in told.items]))
    return [one.q3 for one in sorted(found, key=lambda one: (one.first, one.second))]


def residuals_table() -> str:
    told, responses = report(lsat6()), lsat6()
    ability = np.array([one.ability for one in told.persons])[responses.person]
    difficulty = np.array([one.difficulty for one in told.items])[responses.item]
    cells = zip(responses.person, responses.item, responses.successes, ability, difficulty, strict=True)
    return csv("person,item,response,ability,difficulty", cells)


def stopping_table() -> str:
    return csv("person,number,right", ((one.person, int(one.time) + 1, int(one.right)) for one in stopping(1)))


def learnt() -> list[float]:
    points = learning(stopping(1))
    return [*(point.right for point in points), *(point.se for point in points)]


CROSSED: Final = World(persons=30, matches=16, people=0.7, sensitivities=0.5, criteria=0.5, views=0.8)


def crossed_table() -> str:
    rows = (
        (
            int(one.judged_human), one.seat_truth, one.person, -0.5 if one.of_human else 0.5, int(one.of_human),
            one.judged or "nobody", int(not one.of_human), f"{one.person}-{one.seat_truth}",
        )
        for one in verdicts(CROSSED, 4)
    )  # fmt: skip
    return csv("y,truth,judge,z,human,person,program,view", rows)


def crossed_model() -> list[float]:
    model = mixed_model(verdicts(CROSSED, 4))
    assert model is not None
    spreads = (model.spreads[name] for name in ("criterion", "sensitivity", "person", "view"))
    return [*spreads, *(model.strategies[name].latent for name in sorted(model.strategies))]


PEOPLE_GLMER: Final = (
    "m <- glmer(y ~ 0 + truth + (1 | judge) + (0 + z | judge) + (0 + human | person) + (0 + program | view), data, "
    'family = binomial("probit"), nAGQ = 0, control = glmerControl(optimizer = "bobyqa")); '
    'v <- as.data.frame(VarCorr(m)); s <- function(g, n) v$sdcor[sub("[.].*", "", v$grp) == g & v$var1 == n]; '
    'b <- fixef(m); cat(s("judge", "(Intercept)"), s("judge", "z"), s("person", "human"), s("view", "program"), '
    'b[-1] - b[["truthhuman"]])'
)

SEEN, ERRORS = np.array([0.1, 1.2, -0.4, 0.9, 1.8]), np.array([0.3, 0.5, 0.4, 0.2, 0.6])


def shrunken() -> list[float]:
    found = shrink(SEEN, ERRORS)
    return [found.spread**2, found.mean, found.mean_se, *found.estimate.tolist(), *found.se.tolist()]


ORACLES: Final[dict[str, Oracle]] = {
    "Rasch, conditional, LSAT 6": Oracle(
        "eRm 1.0-2", lambda: responses_table(lsat6()), ERM, lambda: conditional(lsat6()),
        "-1.256128 0.4749071 1.235981 0.1684101 -0.6231699 0.1044057 0.06991707 0.06877769 0.07261944 "
        "0.08591741",
        1e-4,
    ),
    "Rasch, conditional, simulated": Oracle(
        "eRm 1.0-2", lambda: responses_table(simulated()), ERM, lambda: conditional(simulated()),
        "0.5980147 0.5773551 -0.4238267 -0.1123385 -0.03094756 -0.4026433 1.47874 0.85082 -2.119808 "
        "-0.5962293 0.1106167 0.07024687 0.1387764 0.1385964 0.1401926 0.1375882 0.1372178 0.1399559 "
        "0.1549646 0.1416746 0.1919571 0.1424458 0.1368818 0.1369376",
        2e-4,
    ),
    "Rasch, marginal, LSAT 6": Oracle(
        "lme4 1.1-31", lambda: responses_table(lsat6()), GLMER, lambda: marginal(lsat6()),
        "-2.730017 -0.9986084 -0.2398516 -1.306446 -2.0994 0.7551348",
        2e-4,
    ),
    "Rasch, marginal, simulated": Oracle(
        "lme4 1.1-31", lambda: responses_table(simulated()), GLMER, lambda: marginal(simulated()),
        "0.4269231 0.4062168 -0.5952576 -0.2841082 -0.2027211 -0.5741877 1.304593 0.6795412 -2.302314 "
        "-0.7674337 -0.061051 -0.1014882 1.137906",
        2e-4,
    ),
    "shrinkage": Oracle(
        "metafor 3.8-1", lambda: csv("y,s", zip(SEEN, ERRORS, strict=True)),
        'm <- rma(yi = y, sei = s, data = data, method = "PM"); b <- blup(m); '
        "cat(m$tau2, m$b, m$se, b$pred, b$se)",
        shrunken,
        "0.5428548 0.6547085 0.375625 0.1788866 1.028061 -0.1599029 0.8831662 1.343332 0.2829389 "
        "0.4303477 0.3617856 0.1947291 0.4887615",
        1e-4,
    ),
    "ROC curve": Oracle(
        "pROC 1.18.0", graded_table,
        'r <- roc(data$program, data$said, direction = "<", quiet = TRUE); '
        "k <- rev(seq_along(r$thresholds))[-1]; cat(as.numeric(r$auc), r$sensitivities[k], 1 - r$specificities[k])",
        curve,
        "0.69595 0.05 0.06 0.09 0.12 0.2 0.32 0.42 0.53 "
        "0.66 0.73 0.83 0.87 0.92 0.97 0.99 1.0 1.0 "
        "1.0 1.0 1.0 0.0 0.01 0.03 0.03 0.06 0.13 "
        "0.18 0.26 0.39 0.49 0.53 0.63 0.75 0.85 0.87 "
        "0.9 0.95 0.97 0.99 1.0",
        1e-6,
    ),
    "local dependence (Q3)": Oracle(
        "stats 4.2", residuals_table,
        "d <- data$response - plogis(data$ability - data$difficulty); "
        "q <- cor(tapply(d, list(data$person, data$item), sum)); cat(q[lower.tri(q)])",
        q3_of_lsat6,
        "-0.03809753 -0.01336894 -0.06616968 -0.06808086 -0.08992599 -0.1215651 -0.05290632 -0.08035581 -0.1002084 "
        "-0.03047734",
        1e-5,
    ),
    "learning": Oracle(
        "lme4 1.1-31", stopping_table,
        "m <- lmer(right ~ 0 + factor(number) + (1 | person), data, REML = FALSE); "
        "cat(fixef(m), sqrt(diag(as.matrix(vcov(m)))))",
        learnt,
        "0.54 0.5296377 0.544872 0.5646521 0.5572799 0.5585244 0.5635946 0.5508009 0.4681718 "
        "0.5487949 0.5387628 0.5204086 0.02454168 0.02665196 0.02950246 0.03176231 0.03414772 0.03656917 "
        "0.03936075 0.04168631 0.04378305 0.04709738 0.04997403 0.05348059",
        2e-4,
    ),
    "crossed mixed model": Oracle(
        "lme4 1.1-31", crossed_table, PEOPLE_GLMER, crossed_model,
        "0.5704657 0.4874507 0.529916 0.7522025 -0.06896045 -0.5938192 -0.9997857 -0.7097513",
        4e-3,
    ),
}  # fmt: skip


def differences(oracle: Oracle, said: list[float]) -> list[str]:
    """What is not as it should be: R against the recorded figures, and we against R."""
    compared = {"recorded": oracle.recorded, "ours": list(oracle.ours())}
    return [
        f"{name}: {numbers}, but R says {said}"
        for name, numbers in compared.items()
        if said != pytest.approx(numbers, abs=oracle.within)
    ]


def main() -> int:
    if shutil.which("Rscript") is None:
        print("Rscript is not installed (Debian: r-base-core), so nothing was compared.")
        return 1
    failed = 0
    for name, oracle in ORACLES.items():
        with tempfile.TemporaryDirectory() as folder:
            try:
                wrong = differences(oracle, oracle.asked(Path(folder)))
            except RuntimeError as error:
                wrong = [f"not compared: {error}"]
        failed += bool(wrong)
        print(f"{name} ({oracle.package}): {'; '.join(wrong) or 'the same'}", flush=True)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
