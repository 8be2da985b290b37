"""python -m tests.chaos --seed 7 --matches 50: attack a running platform, then check that nothing was lost."""

from __future__ import annotations

import argparse
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from tests.chaos.plan import FULL, QUICK, draw_plan
from tests.chaos.run import run


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__)
    parser.add_argument("--seed", type=int, default=7, help="draws the faults, the dice and everybody's choices")
    parser.add_argument("--matches", type=int, help="how many matches run at once")
    parser.add_argument("--quick", action="store_true", help="as the tests run it: few matches, every fault once")
    parser.add_argument("--plan", action="store_true", help="only show what would happen")
    parser.add_argument("--logs", type=Path, help="keep logs and journals in this folder")
    options = parser.parse_args()
    scale = QUICK if options.quick else FULL
    if options.matches:
        scale = replace(scale, matches=options.matches)
    plan = draw_plan(options.seed, scale)
    if options.plan:
        for fault in plan.faults:
            print(f"{100 * fault.after:3.0f} %  {fault}")
        return 0
    with tempfile.TemporaryDirectory(prefix="grintu-chaos-") as temporary:
        folder = options.logs or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        outcome = run(plan, folder, lambda line: print(line, flush=True))
    print(f"\nseed {options.seed}\n{outcome.told()}")
    return 0 if outcome.good else 1


if __name__ == "__main__":
    sys.exit(main())
