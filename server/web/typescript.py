"""JSON schemas as Pydantic writes them, as types of TypeScript."""

from typing import Any, Final

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
    return SCALARS[schema["type"]] if "type" in schema else "unknown"


def literal(value: str | int) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)


def comment(text: str | None, indent: str = "") -> list[str]:
    return [f"{indent}/** {' '.join(text.split())} */"] if text else []
