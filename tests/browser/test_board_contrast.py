"""What is printed on the boards can be read, as the browser has drawn it: every text against the shape below it.

`tests/client_web/test_colours.py` holds the palette to this; here the boards of the rules' pictures are measured, with
fields, goals, stacks and pieces as they lie on each other. axe-core knows no contrast in pictures.
"""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from tests.browser.conftest import Visit
from tests.servers import LiveServer

pytestmark = pytest.mark.browser

LEAST = 4.5
MEASURE = """pictures => {
    const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
    const bytes = colours => {
        canvas.globalAlpha = 1;
        canvas.fillStyle = "black";
        canvas.fillRect(0, 0, 1, 1);
        for (const [colour, opacity] of colours) {
            canvas.globalAlpha = opacity;
            canvas.fillStyle = colour;
            canvas.fillRect(0, 0, 1, 1);
        }
        return canvas.getImageData(0, 0, 1, 1).data;
    };
    const light = colours => [0.2126, 0.7152, 0.0722].reduce((sum, weight, i) => {
        const channel = bytes(colours)[i] / 255;
        return sum + weight * (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4);
    }, 0);
    const painted = element => {
        const style = getComputedStyle(element);
        let opacity = Number(style.fillOpacity);
        for (let at = element; at && at.nodeName !== "svg"; at = at.parentElement)
            opacity *= Number(getComputedStyle(at).opacity);
        const hidden = style.fill === "none" || style.visibility === "hidden" || style.display === "none";
        return hidden ? null : [style.fill, opacity];
    };
    return pictures.flatMap(picture => [...picture.querySelectorAll("text")].flatMap(text => {
        const ink = painted(text), box = text.getBoundingClientRect();
        if (!ink || !box.width || !text.textContent.trim()) return [];
        const centre = new DOMPoint(box.x + box.width / 2, box.y + box.height / 2);
        const below = [...picture.querySelectorAll("circle, rect, path, ellipse, polygon")].flatMap(shape => {
            const before = shape.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_FOLLOWING;
            const fill = before && !shape.closest("defs, clipPath, mask, symbol") && painted(shape);
            const place = shape.getScreenCTM();
            return fill && place && shape.isPointInFill(centre.matrixTransform(place.inverse())) ? [fill] : [];
        });
        const [low, high] = [light(below), light([...below, ink])].sort((a, b) => a - b);
        const ground = below.at(-1)?.[0] ?? "";
        return [{ text: text.textContent, ink: ink[0], ground, contrast: (high + 0.05) / (low + 0.05) }];
    }));
}"""


@pytest.mark.parametrize("theme", ["light", "dark"])
async def test_every_text_on_a_board_stands_out_from_what_lies_below_it(
    visit: Visit, site: LiveServer, theme: str
) -> None:
    page = await visit(f"{site.url}/rules", theme=theme)
    boards = page.locator("main figure svg, main .picture svg, main .lesson svg")
    await expect(boards.first.locator("text").first).to_be_attached()
    measured = await boards.evaluate_all(MEASURE)
    assert len(measured) > 200, "numbers of fields, goals and pieces of several boards"
    assert all(one["ground"] for one in measured), "each lies on something"
    assert [one for one in measured if one["contrast"] < LEAST] == []
