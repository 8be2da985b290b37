"""Writes the TypeScript types of the wire format: `python -m server.live.typescript`.

A test fails if the file is stale.
"""

from pathlib import Path
from typing import Any, Final

from pydantic import TypeAdapter

from server.live import wire

TARGET: Final = Path(__file__).resolve().parents[2] / "client_web" / "src" / "wire.ts"

UNIONS: Final[dict[str, TypeAdapter[Any]]] = {
    "LobbyClientMessage": wire.LOBBY_CLIENT,
    "LobbyServerMessage": wire.LOBBY_SERVER,
    "MatchClientMessage": wire.MATCH_CLIENT,
    "MatchServerMessage": wire.MATCH_SERVER,
}
CONSTANTS: Final = {"MAX_FRAME": wire.MAX_FRAME, "MOST_LOGS": wire.MOST_LOGS, "BEAT_SECONDS": wire.BEAT_SECONDS}
SCALARS: Final = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}

Schema = dict[str, Any]


def expression(schema: Schema) -> str:
    """The TypeScript type of one JSON schema (the part of the language that Pydantic writes for our messages)."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "const" in schema:
        return literal(schema["const"])
    if "enum" in schema:
        return " | ".join(literal(value) for value in schema["enum"])
    for choice in ("anyOf", "oneOf"):
        if choice in schema:
            return " | ".join(expression(option) for option in schema[choice])
    if schema.get("type") == "array":
        if "prefixItems" in schema:
            return f"[{', '.join(expression(item) for item in schema['prefixItems'])}]"
        inner = expression(schema["items"])
        return f"({inner})[]" if "|" in inner else f"{inner}[]"
    return SCALARS[schema["type"]]


def literal(value: str | int) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)


def comment(text: str | None, indent: str = "") -> list[str]:
    return [f"{indent}/** {' '.join(text.split())} */"] if text else []


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
    lines = ["// Generated from server/live/wire.py by `python -m server.live.typescript`; do not edit.", ""]
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
