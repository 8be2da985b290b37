"""What can be checked of the container files without a container engine: they name things that exist."""

from __future__ import annotations

import configparser
import json
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

from server.backup.service import OLDEST_SERVER
from server.base.settings import ROOT, Settings
from server.cli.main import app as grintu
from server.jobs.worker import MOST_AT_ONCE

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
        "kernels",
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
    assert len(installs) == 2
    for options in installs:
        assert "--require-hashes" in options or "--no-deps --no-build-isolation --editable ." in options
    blocks = locked("requirements.lock")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    direct = {re.split(r"[\[<>=; ]", text)[0] for text in project["dependencies"]}
    assert direct <= set(blocks)
    assert {"starlette", "greenlet", "argon2-cffi-bindings"} <= set(blocks), "also what those need"
    assert not {"pytest", "mypy", "playwright", "pip-tools"} & set(blocks), "but no tools of development"
    assert all("--hash=sha256:" in block for block in blocks.values())


def locked(name: str) -> dict[str, str]:
    """Name → version and hashes in a lock file."""
    uncommented = re.sub(r"^ *#.*\n", "", (ROOT / name).read_text(), flags=re.MULTILINE)
    blocks = re.findall(r"^([\w.-]+)==(.*?)(?=^\w|\Z)", uncommented, re.MULTILINE | re.DOTALL)
    return {name: block.strip() for name, block in blocks}


def test_what_running_needs_is_the_same_in_both_locks() -> None:
    done = subprocess.run(
        [sys.executable, "deploy/runtime_lock.py"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert (ROOT / "requirements.lock").read_text() == done.stdout, "make lock writes both"
    assert locked("requirements.lock").items() < locked("requirements-dev.lock").items()


def test_locks_name_no_host() -> None:
    for name in ("requirements.lock", "requirements-dev.lock"):
        assert re.findall(r"\w+://|--(?:find-links|index-url|trusted-host)", (ROOT / name).read_text()) == []


def test_make_run_installs_no_tools_of_the_tests() -> None:
    """What make would do in a checkout where nothing is installed."""
    plan = ["make", "--dry-run", "--always-make"]
    running, testing = (
        subprocess.run([*plan, goal], cwd=ROOT, capture_output=True, text=True, check=True).stdout
        for goal in ("run", "setup")
    )
    assert "-r requirements.lock" in running
    assert "requirements-dev.lock" not in running
    assert "-r requirements-dev.lock" in testing


def test_the_image_serves_the_smallest_files() -> None:
    assert "node build.mjs --best" in instructions("RUN")
    assert '"--best"' in (ROOT / "client_web" / "build.mjs").read_text()


def test_the_image_does_not_run_as_root() -> None:
    assert DOCKERFILE.rpartition("\nUSER ")[2].startswith("grintu\n")
    assert "useradd --system --uid 10001" in DOCKERFILE


def test_the_engine_is_kept_where_the_images_user_may_write() -> None:
    """Its home belongs to root, and the containers' system is read-only: the volume is what there is."""
    (folder,) = re.findall(r"XDG_CACHE_HOME=(\S+)", DOCKERFILE)
    assert instructions("VOLUME") == ["/data"]
    assert folder.startswith("/data/")
    assert "install --directory --owner grintu --mode 700 /data" in DOCKERFILE


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
    monkeypatch.setenv("GRINTU_SECRET_KEY", "h3x7-Jq0_vTnW2zLr8Kd5mYb1cUe6sPa9fGi4oXt")
    assert Settings(_env_file=ROOT / ".env.example").smtp_host == "smtp.example.org"


def commands() -> list[list[str]]:
    """Of ours; the database's is another program's."""
    services = [compose()["services"][name]["command"] for name in ("server", "worker")]
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
        mounted = [volume.partition(":")[0] for volume in service.get("volumes", []) if not volume.startswith("./")]
        assert set(mounted) <= set(volumes)
    assert "healthcheck" in services["database"], "the others wait for it to be healthy"


def test_every_setting_is_described_for_admins() -> None:
    text = (ROOT / "docs" / "admins.md").read_text()
    assert sorted(name for name in NAMES if f"`{name}`" not in text) == []


def test_containers_have_no_right_that_they_do_not_need() -> None:
    for name, service in compose()["services"].items():
        assert service["cap_drop"] == ["ALL"], name
        assert service["read_only"] is True, name
        assert "no-new-privileges:true" in service["security_opt"], name
        assert service["mem_limit"], name
    added = {name: service["cap_add"] for name, service in compose()["services"].items() if "cap_add" in service}
    assert set(added) == {"database"}


def test_in_containers_the_proxy_on_the_host_is_believed_and_nobody_else() -> None:
    """Else everybody has the gateway's address, and a hundred wrong passwords lock a whole study out."""
    believed = {service["environment"].get("GRINTU_TRUSTED_PROXIES") for service in compose()["services"].values()}
    (network,) = compose()["networks"]["default"]["ipam"]["config"]
    assert believed - {None} == {network["gateway"]}
    assert all(port.startswith("127.0.0.1:") for port in compose()["services"]["server"]["ports"])


def test_the_platforms_role_in_the_database_is_no_superuser() -> None:
    database = compose()["services"]["database"]
    assert "POSTGRES_USER" not in database["environment"]
    script = (ROOT / "deploy" / "database-role.sh").read_text()
    assert "NOSUPERUSER NOCREATEDB NOCREATEROLE" in script
    assert any(
        volume.startswith("./deploy/database-role.sh:/docker-entrypoint-initdb.d/") for volume in database["volumes"]
    )


CONFINED = {
    "CapabilityBoundingSet": "",
    "LockPersonality": "yes",
    "NoNewPrivileges": "yes",
    "PrivateDevices": "yes",
    "PrivateTmp": "yes",
    "ProtectHome": "yes",
    "ProtectSystem": "strict",
    "RestrictSUIDSGID": "yes",
    "StateDirectoryMode": "0700",
    "UMask": "0077",
}


def test_the_unit_of_systemd_confines_the_server_and_its_command_exists() -> None:
    unit = configparser.ConfigParser(interpolation=None, comment_prefixes=("#",))
    unit.optionxform = str  # type: ignore[assignment,method-assign]  # systemd tells large letters from small ones
    unit.read(ROOT / "deploy" / "grintu.service")
    assert set(unit.sections()) == {"Unit", "Service", "Install"}
    service = unit["Service"]
    assert {name: service.get(name) for name in CONFINED} == CONFINED
    assert service["User"] != "root"
    assert int(service["MemoryMax"].removesuffix("G")) >= 2
    program, *options = shlex.split(service["ExecStart"])
    assert program.endswith("/grintu")
    answer = CliRunner().invoke(grintu, [*options, "--help"])
    assert answer.exit_code == 0, answer.output
    set_here = {setting.partition("=")[0] for setting in service["Environment"].split()}
    assert {name for name in set_here if name.startswith("GRINTU_")} <= NAMES
    assert "XDG_CACHE_HOME" in set_here, "the home may be closed to it"


def test_the_database_takes_as_many_connections_as_servers_and_worker_may_open() -> None:
    (most,) = [
        int(word.partition("=")[2]) for word in compose()["services"]["database"]["command"] if "max_conn" in word
    ]
    command = compose()["services"]["server"]["command"]
    processes = int(command[command.index("--workers") + 1])
    settings = Settings.model_fields
    of_a_server = 2 * settings["database_pool"].default + settings["database_raw_pool"].default + 2  # who listen
    of_the_worker = MOST_AT_ONCE + 5 + 2
    assert processes * of_a_server + of_the_worker + 10 <= most, "and some for the admin"


def bases() -> set[str]:
    """The images of others that ours and the database begin with."""
    return {stage.split()[0] for stage in instructions("FROM")} | {compose()["services"]["database"]["image"]}


def test_images_are_pinned_by_digest() -> None:
    """What a tag names may change from one build to the next. The version stands before the digest for who reads it."""
    pinned = [re.fullmatch(r"(\w+):\d+(?:\.\d+)+-[\w-]+@sha256:[0-9a-f]{64}", base) for base in bases()]
    assert all(pinned), bases()
    assert len({match[1] for match in pinned if match}) == len(pinned), "one Python for both stages"


def test_images_are_those_that_are_still_kept() -> None:
    """Node's even versions are kept for three years; ours is one that is, and so are Python's and Postgres'."""
    version = {name: tag.split(".") for name, _, tag in (base.partition(":") for base in bases())}
    assert set(version) == {"node", "python", "postgres"}
    assert version["node"][0] in {"22", "24"}
    assert version["python"][:2] == ["3", "11"]
    assert int(version["postgres"][0]) >= OLDEST_SERVER


def test_the_bill_of_materials_names_what_is_locked() -> None:
    done = subprocess.run([sys.executable, "deploy/sbom.py"], cwd=ROOT, capture_output=True, text=True, check=True)
    bill = json.loads(done.stdout)
    assert bill["bomFormat"] == "CycloneDX"
    named = {part["purl"].partition("@")[0]: part for part in bill["components"]}
    assert named["pkg:pypi/starlette"]["hashes"]
    assert "pkg:npm/pyodide" in named
    assert "pkg:pypi/pytest" not in named
    assert f"starlette=={named['pkg:pypi/starlette']['version']}" in (ROOT / "requirements.lock").read_text()
