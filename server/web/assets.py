"""The built files of client_web: immutable names, and the brotli copy for browsers that take it."""

from __future__ import annotations

import os
from pathlib import Path

from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

DIST = Path(__file__).resolve().parents[2] / "client_web" / "dist"
IMMUTABLE = "public, max-age=31536000, immutable"
TYPES = {".wasm": "application/wasm", ".mjs": "text/javascript", ".js": "text/javascript", ".zip": "application/zip"}


class Assets(StaticFiles):
    def __init__(self) -> None:
        super().__init__(directory=DIST, check_dir=False)

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        if response.status_code in (200, 206, 304):
            response.headers["Cache-Control"] = IMMUTABLE
            response.headers["Vary"] = "Accept-Encoding"
        return response

    def file_response(
        self, full_path: str | os.PathLike[str], stat_result: os.stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        plain = Path(full_path)
        packed = plain.with_name(f"{plain.name}.br")
        accepted = dict(scope["headers"]).get(b"accept-encoding", b"").decode("latin-1")
        names = {part.partition(";")[0].strip() for part in accepted.split(",")}
        if "br" not in names or not packed.exists():
            response = super().file_response(plain, stat_result, scope, status_code)
        else:
            response = super().file_response(packed, packed.stat(), scope, status_code)
            response.headers["Content-Encoding"] = "br"
        if (kind := TYPES.get(plain.suffix)) is not None:
            response.headers["Content-Type"] = kind
        elif "Content-Encoding" in response.headers:
            response.headers["Content-Type"] = super().file_response(plain, stat_result, scope).headers["Content-Type"]
        return response
