"""The texts of findings: a small part of Markdown, read into blocks that a template writes; no HTML comes through.

    ## Heading          ### Smaller heading
    - point             1. numbered point
    **strong**          *emphasised*          [words](https://example.org)
    ![caption](strategies)    a figure of the dashboards

An empty line ends a block. Everything else is text, as it stands there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

from markupsafe import Markup, escape

BlockKind = Literal["heading", "subheading", "points", "numbers", "figure", "paragraph"]

BREAK: Final = re.compile(r"\n[ \t]*\n")
HEADING: Final = re.compile(r"(?P<marks>##|###) +(?P<text>[^\n]+)")
POINT: Final = re.compile(r"[-*] +(?P<text>.+)")
NUMBER: Final = re.compile(r"\d{1,3}[.)] +(?P<text>.+)")
FIGURE: Final = re.compile(r"!\[(?P<caption>[^\]\n]*)\]\((?P<name>[a-z-]{1,40})\)")
SPAN: Final = re.compile(
    r"\*\*(?P<strong>[^*\n]+)\*\*|\*(?P<em>[^*\n]+)\*|\[(?P<words>[^\]\n]+)\]\((?P<link>(?:https?://|/(?!/))[^\s()\\]+)\)"
)


@dataclass(frozen=True)
class Block:
    """A heading, a paragraph, a list or a figure; what stands in it is safe HTML."""

    kind: BlockKind
    parts: tuple[Markup, ...]
    name: str = ""
    """Which figure."""


def blocks(text: str) -> list[Block]:
    pieces = BREAK.split(text.replace("\r\n", "\n").replace("\r", "\n"))
    return [block for piece in pieces if piece.strip() for block in _block(piece.strip())]


def figures(text: str) -> set[str]:
    """The names of the figures that a text shows."""
    return {block.name for block in blocks(text) if block.kind == "figure"}


def _block(piece: str) -> list[Block]:
    if found := FIGURE.fullmatch(piece):
        return [Block("figure", (spans(found["caption"]),), found["name"])]
    first, _, rest = piece.partition("\n")
    if found := HEADING.fullmatch(first):
        heading = Block("heading" if found["marks"] == "##" else "subheading", (spans(found["text"]),))
        return [heading, *(_block(rest.strip()) if rest.strip() else ())]
    lines = piece.split("\n")
    for kind, pattern in (("points", POINT), ("numbers", NUMBER)):
        items = [pattern.fullmatch(line.strip()) for line in lines]
        if all(items):
            return [Block(kind, tuple(spans(item["text"]) for item in items if item))]  # type: ignore[arg-type]  # both are kinds
    return [Block("paragraph", tuple(spans(line) for line in lines))]


def spans(text: str) -> Markup:
    """One line with what is strong, emphasised or a link; all else is escaped."""
    done, at = Markup(), 0
    for found in SPAN.finditer(text):
        done += escape(text[at : found.start()])
        if found["link"]:
            done += Markup('<a href="{}" rel="noopener noreferrer nofollow">{}</a>').format(
                found["link"], found["words"]
            )
        elif found["strong"]:
            done += Markup("<strong>{}</strong>").format(found["strong"])
        else:
            done += Markup("<em>{}</em>").format(found["em"])
        at = found.end()
    return done + escape(text[at:])
