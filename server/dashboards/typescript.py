"""Writes the TypeScript types of what the dashboards' endpoints answer: `python -m server.dashboards.typescript`.

A test fails if the file is stale.
"""

from __future__ import annotations

from typing import Any, Final

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from server.base.settings import ROOT
from server.dashboards.schemas import (
    AttributeReport,
    Lesson,
    Overview,
    PersonPage,
    PersonsOverview,
    PersonsPart,
    Strategies,
    StrategyPage,
)
from server.dashboards.statistics_schemas import Statistics
from server.web.typescript import Schema, comment, expression

TARGET: Final = ROOT / "client_web" / "src" / "plots" / "data.ts"
ANSWERS: Final[tuple[type[BaseModel], ...]] = (
    Overview,
    Strategies,
    StrategyPage,
    Statistics,
    PersonsOverview,
    PersonsPart,
    Lesson,
    AttributeReport,
    PersonPage,
)


def typescript() -> str:
    """The whole module: an interface for each model, an alias for each enumeration."""
    _, schemas = models_json_schema([(model, "serialization") for model in ANSWERS])
    lines = [
        "// Generated from server/dashboards/schemas.py by `python -m server.dashboards.typescript`; do not edit.",
        "",
    ]
    for name, schema in schemas["$defs"].items():
        lines += comment(schema.get("description"))
        if "properties" not in schema:
            lines += [f"export type {name} = {expression(schema)};", ""]
            continue
        lines.append(f"export interface {name} {{")
        lines += [f"  readonly {field}: {_expression(details)};" for field, details in schema["properties"].items()]
        lines += ["}", ""]
    return "\n".join(lines)


def _expression(schema: Schema) -> str:
    values: Any = schema.get("additionalProperties")
    return f"Readonly<Record<string, {expression(values)}>>" if values else expression(schema)


def main() -> None:
    TARGET.write_text(typescript(), encoding="utf-8")


if __name__ == "__main__":
    main()
