"""docs/security.md names the test of every defence: each of them exists."""

from __future__ import annotations

import re

from server.base.settings import ROOT

NAMED = re.compile(r"\b(test_\w+)(…|\.py)?")


def test_every_test_that_the_page_names_exists() -> None:
    """A name may be cut short by dots; a file is named below `tests/`, or alone beside another of its folder."""
    files = list((ROOT / "tests").rglob("test_*.py"))
    sources = "\n".join(path.read_text(encoding="utf-8") for path in files)
    defined = set(re.findall(r"^(?:async )?def (test_\w+)", sources, re.MULTILINE))
    page = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    named = NAMED.findall(page)
    assert len(named) > 100
    for name, end in named:
        if end == ".py":
            assert f"{name}.py" in {path.name for path in files}, name
        elif end:
            assert any(test.startswith(name) for test in defined), name
        else:
            assert name in defined, name
