/** Files to take away: CSV as it is, and SVG that looks the same without our style sheets. */

const KEPT = ["fill", "fill-opacity", "stroke", "stroke-opacity", "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "opacity",
  "font-family", "font-size", "font-weight", "font-style", "font-variant-numeric", "text-anchor", "dominant-baseline", "paint-order", "visibility", "display"];
const MARGIN = 16;
const TITLE_SIZE = 15;

export function save(name: string, content: string, type: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** A picture that stands alone: colours and fonts as computed now, the title above, a background behind. */
export function standalone(svg: SVGSVGElement, title: string): string {
  const copy = withStyles(svg, svg.cloneNode(true) as SVGSVGElement);
  const page = getComputedStyle(document.documentElement);
  const { width, height } = svg.viewBox.baseVal;
  const outer = document.createElementNS(svg.namespaceURI, "svg") as SVGSVGElement;
  const [wide, high] = [width + 2 * MARGIN, height + 2 * MARGIN + 2 * TITLE_SIZE];
  for (const [name, value] of Object.entries({ xmlns: "http://www.w3.org/2000/svg", width: wide, height: high, viewBox: `0 0 ${wide} ${high}` })) outer.setAttribute(name, String(value));
  const card = getComputedStyle(svg.closest(".figure") ?? document.body).backgroundColor;
  outer.append(
    element("rect", { width: wide, height: high, fill: card }),
    element("text", { x: MARGIN, y: MARGIN + TITLE_SIZE, fill: page.color, "font-family": page.fontFamily, "font-size": TITLE_SIZE, "font-weight": 600 }, title),
  );
  for (const [name, value] of Object.entries({ x: MARGIN, y: MARGIN + 2 * TITLE_SIZE, width, height })) copy.setAttribute(name, String(value));
  outer.append(copy);
  return new XMLSerializer().serializeToString(outer);
}

function element(name: string, attributes: Record<string, string | number>, text = ""): SVGElement {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.textContent = text;
  return made;
}

function withStyles(from: SVGSVGElement, to: SVGSVGElement): SVGSVGElement {
  const sources = [from, ...from.querySelectorAll<SVGElement>("*")];
  const copies = [to, ...to.querySelectorAll<SVGElement>("*")];
  sources.forEach((source, index) => {
    const copy = copies[index];
    if (!copy) return;
    const style = getComputedStyle(source);
    copy.removeAttribute("style");
    copy.removeAttribute("class");
    for (const name of KEPT) copy.setAttribute(name, style.getPropertyValue(name));
  });
  return to;
}
