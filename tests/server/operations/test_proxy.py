"""The example for nginx, run as it stands but for its addresses, where nginx is installed."""

from __future__ import annotations

import getpass
import re
import shutil
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin

from server.base.settings import ROOT, Settings
from tests.servers import PATIENCE, free_port, running_server

HOST = "grintu.example.org"
MAIN = """
user {account}; daemon off; pid {folder}/pid; error_log {folder}/error.log info;
events {{}}
http {{
    gzip on; gzip_min_length 1;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    include {folder}/grintu.conf;
}}
"""
CERTIFICATE = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=grintu.example.org"

pytestmark = pytest.mark.skipif(
    not (shutil.which("nginx") and shutil.which("openssl")), reason="nginx or openssl is not installed"
)


@contextmanager
def nginx(folder: Path, port: int, server: int) -> Iterator[None]:
    """The example with its files in `folder`, listening on `port` of the loopback device alone."""
    text = (ROOT / "deploy" / "nginx.conf").read_text()
    text = re.sub(r"listen \[::\]:\d+( ssl)?;", "", text)
    text = text.replace("listen 443", f"listen 127.0.0.1:{port}").replace(
        "listen 80", f"listen 127.0.0.1:{free_port()}"
    )
    text = text.replace("127.0.0.1:8000", f"127.0.0.1:{server}")
    text = text.replace("/etc/ssl", str(folder)).replace("/var/log/nginx", str(folder))
    (folder / "grintu.conf").write_text(text)
    (folder / "nginx.conf").write_text(MAIN.format(folder=folder, account=getpass.getuser()))
    made = ["-keyout", str(folder / "grintu.key"), "-out", str(folder / "grintu.pem")]
    subprocess.run(["openssl", *CERTIFICATE.split(), *made], check=True, capture_output=True)
    with subprocess.Popen(["nginx", "-c", str(folder / "nginx.conf"), "-e", str(folder / "error.log")]) as process:
        try:
            deadline = time.monotonic() + PATIENCE
            while not (folder / "pid").exists() and time.monotonic() < deadline:
                assert process.poll() is None, (folder / "error.log").read_text()
                time.sleep(0.02)
            yield
        finally:
            process.terminate()


async def test_nginx_ends_tls_lets_sockets_through_and_keeps_links_out_of_its_logs(
    settings: Settings, tmp_path: Path
) -> None:
    port = free_port()
    origin = f"https://{HOST}:{port}"
    trusting = ssl.create_default_context()
    trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
    over_tls = settings.model_copy(update={"base_url": origin})
    browser = httpx.AsyncClient(
        base_url=f"https://127.0.0.1:{port}",
        headers={"host": f"{HOST}:{port}", "accept": "text/html"},
        verify=trusting,
        timeout=PATIENCE,
    )
    with running_server(over_tls) as server, nginx(tmp_path, port, server.port):
        page = await browser.get("/login", headers={"accept-encoding": "gzip"})
        assert page.status_code == 200
        assert re.match("__Host-csrf=.*; Secure", page.headers["set-cookie"])
        assert "content-encoding" not in page.headers, "compressing could give the token away"
        refused = await browser.post("/login", files={"file": b"x" * 4_500_000})
        assert refused.status_code == 413
        assert "That is too much data." in refused.text, "the server's own page"

        def lobby(claimed: str) -> connect:
            address = f"wss://{HOST}:{port}/live/lobby"
            return connect(address, host="127.0.0.1", ssl=trusting, origin=Origin(claimed), proxy=None)

        async with lobby(origin) as socket:
            assert "please log in" in str(await socket.recv())
        with pytest.raises(InvalidStatus, match="403"):
            await lobby("https://elsewhere.example.org").__aenter__()

        await browser.get("/confirm?token=sesame")
        assert server.stop() == 0
        away = await browser.get("/confirm?token=sesame")
        assert away.status_code == 503
        assert "One moment, please." in away.text
        assert away.headers["refresh"] == away.headers["retry-after"] == "5"
        assert "refresh" not in (await browser.post("/login")).headers, "what was sent is not sent again"
    await browser.aclose()
    written = "".join(path.read_text() for path in (tmp_path / "grintu.log", tmp_path / "error.log"))
    assert "GET /confirm" in written
    assert "sesame" not in written
