"""`python -m benchmarks [TOPIC …]`: runs the topics, each in a process of its own; by default all but the long ones."""

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
TOPICS = sorted(path.stem for path in HERE.glob("*.py") if not path.stem.startswith("_"))

LONG = {"load", "soak", "strength"}
"""Minutes and hours: `make bench-load`, `make soak`, `python -m benchmarks.strength`."""


def main() -> int:
    chosen = sys.argv[1:] or [topic for topic in TOPICS if topic not in LONG]
    if unknown := set(chosen) - set(TOPICS):
        print(f"there is no topic {', '.join(sorted(unknown))}; there are {', '.join(TOPICS)}", file=sys.stderr)
        return 2
    failed = []
    for topic in chosen:
        print(f"\n== {topic} ==", flush=True)
        if subprocess.run([sys.executable, "-m", f"benchmarks.{topic}"], cwd=HERE.parent, check=False).returncode:
            failed.append(topic)
    if failed:
        print(f"\nfailed: {', '.join(failed)}", file=sys.stderr)
    return len(failed)


if __name__ == "__main__":
    sys.exit(main())
