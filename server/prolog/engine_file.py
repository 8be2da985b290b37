"""Where the engine's WebAssembly comes from.

The npm package of Trealla carries it as base64 inside a script. Building client_web takes it out and puts it into
dist/, for the browser and for the server alike; in a checkout that has not been built, the server takes it out of the
package itself.
"""

import base64
import json
import re
from pathlib import Path
from typing import Final

CLIENT: Final = Path(__file__).resolve().parent.parent.parent / "client_web"
ASSET: Final = "prolog/trealla.wasm"
_MODULES: Final = re.compile(rb"AGFzbQ[A-Za-z0-9+/]{20000,}={0,2}")
_MARK: Final = b"pl_query"


class EngineFileError(RuntimeError):
    """The engine's file is nowhere to be found."""


def engine_file(configured: Path | None = None, client: Path = CLIENT) -> bytes:
    """The engine: from the configured file, else from the built client, else from the npm package.

    Raises EngineFileError.
    """
    if configured is not None:
        if not configured.is_file():
            raise EngineFileError(f"the Prolog engine was expected in {configured}, but there is no such file")
        return configured.read_bytes()
    built = _built(client / "dist")
    if built is not None:
        return built
    package = client / "node_modules" / "trealla" / "trealla.js"
    if package.is_file():
        return from_package(package.read_bytes())
    raise EngineFileError(f"build client_web first: {client} has neither dist/{ASSET} nor the npm package trealla")


def from_package(script: bytes) -> bytes:
    """The WebAssembly that offers Trealla's functions, out of the package's script."""
    for found in _MODULES.finditer(script):
        module = base64.b64decode(found.group())
        if _MARK in module:
            return module
    raise EngineFileError("the npm package trealla contains no engine")


def _built(dist: Path) -> bytes | None:
    manifest = dist / "manifest.json"
    if not manifest.is_file():
        return None
    name = json.loads(manifest.read_text()).get(ASSET)
    file = dist / name if isinstance(name, str) else None
    return file.read_bytes() if file is not None and file.is_file() else None
