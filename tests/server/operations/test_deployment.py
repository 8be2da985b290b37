"""What can be checked of the container files without a container engine: they name things that exist."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tomllib
from functools import cache
from typing import Any

import pytest
import yaml
from dotenv import dotenv_values
from typer.testing import CliRunner

from server.cli.main import app as grintu
from server.settings import ROOT, Settings

DOCKERFILE = (ROOT / "Dockerfile").read_text()
NAMES = {f"GRINTU_{name.upper()}" for name in Settings.model_fields}


@cache
def compose() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
    return loaded


def instructions(name: str) -> list[str]:
    """The arguments of all Dockerfile instructions of a kind, with continued lines joined."""
    joined = re.sub(r"\\\n\s*", " ", DOCKERFILE)
    return [line.removeprefix(name).strip() for line in joined.splitlines() if line.startswith(f"{name} ")]


def test_every_file_that_is_copied_exists() -> None:
    for copy in instructions("COPY"):
        if copy.startswith("--from="):
            continue
        *sources, _ = shlex.split(copy)
        assert [source for source in sources if not (ROOT / source).exists()] == []


def test_everything_the_server_reads_is_copied() -> None:
    last_stage = DOCKERFILE.rpartition("\nFROM ")[2]
    needed = [
        "games",
        "npc",
        "lab",
        "server",
        "migrations",
        "alembic.ini",
        "client_web/templates",
        "client_web/locales",
    ]
    assert [path for path in needed if not re.search(rf"^COPY .*\b{re.escape(path)}\b", last_stage, re.MULTILINE)] == []
    assert "/app/client_web/dist client_web/dist" in last_stage


def test_stages_that_are_copied_from_exist() -> None:
    stages = {stage.partition(" AS ")[2] for stage in instructions("FROM")}
    assert {copy.split()[0].removeprefix("--from=") for copy in instructions("COPY") if "--from=" in copy} <= stages


def test_only_locked_files_are_installed_and_the_image_holds_what_running_needs() -> None:
    installs = re.findall(r"pip install ([^&\n]+)", re.sub(r"\\\n\s*", " ", DOCKERFILE))
    assert len(installs) == 3
    for options in installs:
        assert "--require-hashes" in options or "--no-deps --no-build-isolation --editable ." in options
    done = subprocess.run(
        [sys.executable, "deploy/runtime_lock.py"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    blocks = dict(re.findall(r"^([\w.-]+)==(.*?)(?=^\w|\Z)", done.stdout, re.MULTILINE | re.DOTALL))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    direct = {re.split(r"[\[<>=; ]", text)[0] for text in project["dependencies"]}
    assert direct <= set(blocks)
    assert {"starlette", "greenlet", "argon2-cffi-bindings"} <= set(blocks), "also what those need"
    assert not {"pytest", "mypy", "playwright", "pip-tools"} & set(blocks), "but no tools of development"
    assert all("--hash=sha256:" in block for block in blocks.values())


def test_the_image_serves_the_smallest_files() -> None:
    assert "node build.mjs --best" in instructions("RUN")
    assert '"--best"' in (ROOT / "client_web" / "build.mjs").read_text()


def test_the_image_does_not_run_as_root() -> None:
    assert DOCKERFILE.rpartition("\nUSER ")[2].startswith("grintu\n")
    assert "useradd --system --uid 10001" in DOCKERFILE


def test_only_settings_that_exist_are_set() -> None:
    in_image = set(re.findall(r"\bGRINTU_\w+", DOCKERFILE))
    in_compose = {name for service in compose()["services"].values() for name in service.get("environment", {})}
    in_example = set(dotenv_values(ROOT / ".env.example"))
    named = {name for name in in_image | in_compose | in_example if name.startswith("GRINTU_")}
    assert named <= NAMES
    assert "GRINTU_DATABASE_URL" in in_compose


def test_the_example_settings_are_valid_once_the_secret_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(ValueError, match="GRINTU_SECRET_KEY"):
        Settings(_env_file=ROOT / ".env.example")
    monkeypatch.setenv("GRINTU_SECRET_KEY", "x" * 40)
    assert Settings(_env_file=ROOT / ".env.example").smtp_host == "smtp.example.org"


def commands() -> list[list[str]]:
    services = [service["command"] for service in compose()["services"].values() if "command" in service]
    return [*services, yaml.safe_load(instructions("CMD")[-1])]


@pytest.mark.parametrize("command", commands(), ids=" ".join)
def test_every_command_exists_with_its_options(command: list[str]) -> None:
    assert command[0] == "grintu"
    answer = CliRunner().invoke(grintu, [*command[1:], "--help"])
    assert answer.exit_code == 0, answer.output
    assert not [word for word in command if word.startswith("--") and word not in answer.output]


def test_services_depend_on_services_and_volumes_that_exist() -> None:
    services, volumes = compose()["services"], compose()["volumes"]
    assert set(services) == {"database", "server", "worker"}
    for service in services.values():
        assert set(service.get("depends_on", {})) <= set(services)
        mounted = [volume.partition(":")[0] for volume in service.get("volumes", [])]
        assert set(mounted) <= set(volumes)
    assert "healthcheck" in services["database"], "the others wait for it to be healthy"


def test_every_setting_is_described_for_admins() -> None:
    text = (ROOT / "docs" / "admins.md").read_text()
    assert sorted(name for name in NAMES if f"`{name}`" not in text) == []
