"""Whatever is wrong around a command ends it with one sentence and a status, not with a traceback."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest
from typer.testing import CliRunner

from server.base.settings import Settings
from server.cli.main import app as grintu
from tests.conftest import SECRET
from tests.servers import free_port

BAD = 2
FAILED = 1


@pytest.fixture(autouse=True)
def surroundings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in [name for name in os.environ if name.startswith("GRINTU_")]:
        monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GRINTU_SECRET_KEY", SECRET)
    monkeypatch.setenv("GRINTU_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("GRINTU_DATABASE_URL", f"postgresql://grintu:sesame@127.0.0.1:{free_port()}/grintu")


def told(status: int, *command: str) -> str:
    """The one line that a command ends with."""
    done = CliRunner().invoke(grintu, command)
    assert done.exit_code == status, done.output
    assert isinstance(done.exception, SystemExit), done.exception
    (line,) = done.output.strip().splitlines()
    assert "sesame" not in line
    return line


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("DATABASE_URL", "mysql://grintu:sesame@host/name", "got mysql://"),
        ("DATABASE_URL", "sesame", "such as postgresql://"),
        ("DATABASE_URL", "postgresql://grintu:sesame@host:99999/name", "not 99999"),
        ("ALLOWED_HOSTS", "example.org", 'such as ["example.org"]'),
        ("BASE_URL", "example.org", "such as https://example.org"),
        ("BASE_URL", "https://example.org/grintu", "without a path"),
        ("TRUSTED_PROXIES", "proxy", "such as 172.16.0.0/12"),
        ("TRUSTED_PROXIES", "127.0.0.1,172.16.0.1/12", "172.16.0.1/12 has host bits set"),
        ("SESSION_LIFETIME", "for ever", "such as P14D"),
        ("RESET_LIFETIME", "0", "more than 0"),
        ("SMTP_PORT", "70000", "65535"),
        ("MAIL_FROM", "somebody", "an email address"),
        ("LOG_LEVEL", "loud", "'debug', 'info'"),
    ],
)
def test_a_wrong_setting_is_named(monkeypatch: pytest.MonkeyPatch, name: str, value: str, said: str) -> None:
    monkeypatch.setenv(f"GRINTU_{name}", value)
    line = told(BAD, "migrate")
    assert line.startswith(f"Settings: GRINTU_{name}: ")
    assert said in line


def test_settings_are_taken_as_people_write_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRINTU_BASE_URL", "https://example.org/")
    monkeypatch.setenv("GRINTU_ALLOWED_HOSTS", '["example.org"]')
    monkeypatch.setenv("GRINTU_SESSION_LIFETIME", "3600")
    monkeypatch.setenv("GRINTU_TRUSTED_PROXIES", "127.0.0.1, 172.16.0.0/12")
    read = Settings(_env_file=None)
    assert read.base_url == "https://example.org"
    assert read.allowed_hosts == ["example.org"]
    assert read.session_lifetime.total_seconds() == 3600


@pytest.mark.parametrize("command", ["migrate", "worker", "serve --port 0", "user list", "ratings", "backup --out x"])
def test_a_database_that_is_away_is_told(command: str) -> None:
    assert told(FAILED, *command.split()).startswith("Cannot reach the database: ")


def test_a_name_that_no_setting_has_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("GRINTU_SMTP_HOTS=mail.example.org\nPOSTGRES_PASSWORD=sesame\n")
    monkeypatch.setenv("GRINTU_LIVE_PACE", "1")
    done = CliRunner().invoke(grintu, ["migrate"])
    assert done.output.splitlines()[0] == "Settings: there is no GRINTU_SMTP_HOTS; it is ignored."


def test_a_folder_that_cannot_be_used_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("GRINTU_DATABASE_URL")
    (tmp_path / "data").touch()
    assert told(FAILED, "user", "list") == f"Cannot use {tmp_path / 'data' / 'postgres'}: Not a directory."


def test_a_port_that_somebody_has_is_told_before_anything_is_started(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        line = told(FAILED, "serve", "--port", str(port))
    assert line == f"Cannot listen on port {port} of 127.0.0.1: Address already in use."
    assert not (tmp_path / "data").exists()
