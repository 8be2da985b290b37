"""What is shipped, as a CycloneDX list made of the two lock files: `make sbom` writes it for those who watch for holes.

Of Python only what running needs, as in the image; of npm what browsers get.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
LOCKED = re.compile(r"^([\w.-]+)==([^\s;\\]+)(.*?)(?=^\S|\Z)", re.MULTILINE | re.DOTALL)
HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")


def python_parts(lock: str) -> list[dict[str, Any]]:
    return [
        {
            "type": "library",
            "name": name,
            "version": version,
            "purl": f"pkg:pypi/{name.lower()}@{version}",
            "hashes": [{"alg": "SHA-256", "content": digest} for digest in HASH.findall(rest)],
        }
        for name, version, rest in LOCKED.findall(lock)
    ]


def npm_parts(lock: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {
            "type": "library",
            "name": path.rpartition("node_modules/")[2],
            "version": about["version"],
            "purl": f"pkg:npm/{path.rpartition('node_modules/')[2].replace('@', '%40')}@{about['version']}",
        }
        for path, about in lock["packages"].items()
        if path and not about.get("dev") and "version" in about
    ]


def main() -> None:
    npm = json.loads((ROOT / "client_web" / "package-lock.json").read_text())
    parts = python_parts((ROOT / "requirements.lock").read_text()) + npm_parts(npm)
    bill = {"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1, "components": parts}
    json.dump(bill, sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
