"""What failed beside all the others runs once more, alone: `python -m tests.again`.

A few failures beside three busy processes and a browser each are more often the machine's than ours; alone, a test has
no such excuse. What fails again fails the run, and what passes is named, because it wants mending all the same.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

LAST_FAILED = Path(".pytest_cache/v/cache/lastfailed")
FEW = 6


def failed_tests(remembered: Path) -> list[str]:
    """Names of the tests that failed last; files that could not even be read have no `::` and are no such tests."""
    if not remembered.exists():
        return []
    return sorted(json.loads(remembered.read_text()))


def worth_another_run(failed: list[str]) -> bool:
    return 0 < len(failed) <= FEW and all("::" in name for name in failed)


def main() -> int:
    failed = failed_tests(LAST_FAILED)
    if not worth_another_run(failed):
        return 1
    print(f"Failed beside others, now alone: {len(failed)}", *failed, sep="\n  ", flush=True)
    outcome = subprocess.run([sys.executable, "-m", "pytest", *failed]).returncode
    if outcome == 0:
        print("Passed alone, but failed beside others; mend these:", *failed, sep="\n  ", flush=True)
    return outcome


if __name__ == "__main__":
    sys.exit(main())
