"""Nothing above a game's own folder knows Jostle: it is registered, it is the default study's game, and that is all."""

from __future__ import annotations

import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]

ITS_OWN = (
    "games/jostle/",
    "games/gdl/library/jostle.",
    "npc/composed/jostle/",
    "npc/prolog/jostle/",
    "npc/prolog/jostle.py",
    "client_web/src/games/jostle/",
)
MAY_NAME_IT = {
    "games/registry.py": "registers its kind",
    "games/gdl/game.py": "registers its description",
    "npc/composed/kind.py": "registers its elements",
    "npc/prolog/kind.py": "registers its vocabulary",
    "npc/simulation/measured.py": "registers its measures",
    "npc/selfcheck.py": "names large descriptions that are played by lot",
    "server/study/settings.py": "the default study",
    "client_web/locales/de/live.po": "where its board's messages stand, beside all boards'",
}
ELSEWHERE = (
    "docs/",
    "tests/",
    "client_web/tests/",
    "benchmarks/",
    "migrations/",
    "README.md",
    "ARCHITECTURE.md",
    "CHANGELOG.md",
)
"""What tells of it, tries it, measures it, or brought old rows of it into the new words."""


def test_only_registrations_and_the_default_study_name_it() -> None:
    listed = subprocess.run(["git", "grep", "-il", "jostle"], cwd=ROOT, capture_output=True, text=True, check=False)
    found = {name for name in listed.stdout.split() if not name.startswith((*ITS_OWN, *ELSEWHERE))}
    assert found == MAY_NAME_IT.keys()
