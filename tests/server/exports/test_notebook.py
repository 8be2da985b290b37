"""The notebook in docs/ runs on a real export and draws what the platform computes."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from sqlalchemy.ext.asyncio import AsyncSession

from lab.turing.table import turing_table
from server.base.settings import ROOT
from server.exports.service import Wanted, export
from server.exports.tables import chosen
from server.judgements.repository import read_log
from server.storage.database import Database
from tests.server.exports.test_export import answered_match


async def test_the_main_figure_comes_out_of_an_export(
    session: AsyncSession, database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(3):
        await answered_match(session)
    await export(database, Wanted(chosen(["judgements"])), tmp_path / "export")
    monkeypatch.setenv("GRINTU_EXPORT", str(tmp_path / "export"))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    path = ROOT / "docs" / "notebooks" / "main-figure.ipynb"
    notebook = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]  # nbformat types only a part
    await NotebookClient(notebook, timeout=240, resources={"metadata": {"path": str(tmp_path)}}).async_execute()
    assert (tmp_path / "export" / "main-figure.svg").stat().st_size > 1000
    table = next(
        output["data"]["text/plain"] for output in notebook.cells[3].outputs if "text/plain" in output.get("data", {})
    )
    expected = turing_table(await read_log(session, "jostle:standard"))
    shown = re.search(r"Observing PALS\s+(\S+)\s+(\S+)", table)
    assert shown is not None
    assert float(shown[1]) == 3
    assert float(shown[2]) == round(expected.strategies["Observing PALS"].judged_human.share, 3)
