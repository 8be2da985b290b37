"""Writes the TypeScript types of the wire format: `python -m server.live.wire.typescript`.

A test fails if the file is stale.
"""

from pathlib import Path
from typing import Any, Final

from pydantic import TypeAdapter

from server.live.wire import messages as wire
from server.web.typescript import Schema, comment, expression

TARGET: Final = Path(__file__).resolve().parents[3] / "client_web" / "src" / "wire.ts"

UNIONS: Final[dict[str, TypeAdapter[Any]]] = {
    "LobbyClientMessage": wire.LOBBY_CLIENT,
    "LobbyServerMessage": wire.LOBBY_SERVER,
    "MatchClientMessage": wire.MATCH_CLIENT,
    "MatchServerMessage": wire.MATCH_SERVER,
}
CONSTANTS: Final = {"MAX_FRAME": wire.MAX_FRAME, "MOST_LOGS": wire.MOST_LOGS, "BEAT_SECONDS": wire.BEAT_SECONDS}


def interface(name: str, schema: Schema) -> list[str]:
    """One message. A field with a default may be left out, except the type, which tells messages apart."""
    lines = [*comment(schema.get("description")), f"export interface {name} {{"]
    required = {*schema.get("required", ()), "type"}
    for field, details in schema["properties"].items():
        lines += comment(details.get("description"), "  ")
        lines.append(f"  {field}{'' if field in required else '?'}: {expression(details)};")
    return [*lines, "}", ""]


def typescript() -> str:
    """The whole module."""
    lines = [
        "// Generated from server/live/wire/messages.py by `python -m server.live.wire.typescript`; do not edit.",
        "",
    ]
    lines += [f"export const {name} = {value};" for name, value in CONSTANTS.items()]
    lines.append("")
    seen: set[str] = set()
    for union, adapter in UNIONS.items():
        schema = adapter.json_schema()
        for name, definition in schema["$defs"].items():
            if name not in seen:
                seen.add(name)
                lines += interface(name, definition)
        lines += [f"export type {union} = {expression({'oneOf': schema['oneOf']})};", ""]
    return "\n".join(lines)


def main() -> None:
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_text(typescript(), encoding="utf-8")


if __name__ == "__main__":
    main()
