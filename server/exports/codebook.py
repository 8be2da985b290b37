"""The codebook: what every column means, its values, and which questionnaire version its items come from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from server.exports.tables import Table
from server.questionnaires.content import ChoiceItem, CorrelationItem, Item, Questionnaire


def codebook(tables: Sequence[Table], versions: Iterable[tuple[str, int, dict[str, Any]]]) -> dict[str, Any]:
    """As data. `versions` are the questionnaires that the answers were given to: purpose, number, content."""
    return {
        "tables": [
            {
                "table": table.name,
                "meaning": table.meaning,
                "columns": [
                    {
                        "column": column.name,
                        "type": column.kind.value,
                        "meaning": column.meaning,
                        "values": column.values,
                    }
                    for column in table.columns
                ],
            }
            for table in tables
        ],
        "items": [
            {"questionnaire": purpose, "version": number, **_described(item)}
            for purpose, number, content in versions
            for item in Questionnaire.model_validate(content).items
        ],
    }


def as_text(book: dict[str, Any]) -> str:
    """The same for people, as Markdown."""
    lines = ["# Codebook", ""]
    for table in book["tables"]:
        lines += [f"## {table['table']}", "", table["meaning"], "", "| column | type | meaning | values |"]
        lines += ["| --- | --- | --- | --- |"]
        lines += [f"| {c['column']} | {c['type']} | {c['meaning']} | {c['values']} |" for c in table["columns"]]
        lines.append("")
    if book["items"]:
        shown = ("questionnaire", "version", "item", "type", "scope")
        lines += ["## Items of the questionnaires", "", f"| {' | '.join(shown)} | text | values |"]
        lines += ["| --- " * (len(shown) + 2) + "|"]
        for item in book["items"]:
            cells = [*(str(item[name]) for name in shown), item["text"]["en"], _values(item)]
            lines.append(f"| {' | '.join(cells)} |")
        lines.append("")
    return "\n".join(lines)


def _described(item: Item) -> dict[str, Any]:
    described: dict[str, Any] = {
        "item": item.key,
        "type": item.type,
        "scope": item.scope,
        "measures": item.measures,
        "text": item.text.model_dump(),
        "asked_if": item.show_if.model_dump(mode="json") if item.show_if else None,
    }
    if isinstance(item, ChoiceItem):
        described["options"] = {option.key: option.text.model_dump() for option in item.options}
    if isinstance(item, CorrelationItem):
        described["left"] = {option.key: option.text.model_dump() for option in item.left}
        described["right"] = {option.key: option.text.model_dump() for option in item.right}
    if item.type == "scale":
        described["range"] = [item.low, item.high]
    return described


def _values(item: dict[str, Any]) -> str:
    if "options" in item:
        return "; ".join(f"{key} = {text['en']}" for key, text in item["options"].items())
    if "range" in item:
        return f"{item['range'][0]} to {item['range'][1]}"
    return ""
