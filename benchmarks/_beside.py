"""Puts OpenSpiel into a folder of its own for the benchmarks that compare with it; says so if it cannot be had.

    python -m benchmarks._beside

It is no dependency of ours and gets nothing of its own: only the wheel is unpacked, whose C++ is all that is measured.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Final

PACKAGE: Final = "open_spiel==2.0.2"
FOLDER: Final = Path(__file__).resolve().parents[1] / ".venv-open-spiel"


def main() -> None:
    if FOLDER.is_dir():
        return
    ways = ("install", "--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary", ":all:")
    done = subprocess.run(
        [sys.executable, "-m", "pip", *ways, "--target", str(FOLDER), PACKAGE],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or ["no reason was told"])[-1]
        print(f"{PACKAGE} cannot be had here, so nothing is measured beside it: {reason}")


if __name__ == "__main__":
    main()
