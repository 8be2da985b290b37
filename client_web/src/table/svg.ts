/** Small helpers for building SVG without templates. */

const NAMESPACE = "http://www.w3.org/2000/svg";

type Attributes = Readonly<Record<string, string | number>>;

export function svg<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: (SVGElement | string)[]
): SVGElementTagNameMap[Name] {
  const element = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, short(value));
  element.append(...children);
  return element;
}

/** Numbers with at most three decimals: a thousandth of a field is far below a pixel. */
export function short(value: string | number): string {
  return typeof value === "number" ? String(Math.round(value * 1000) / 1000) : value;
}

/** Path data from a template literal, its numbers shortened. */
export function path(parts: TemplateStringsArray, ...numbers: number[]): string {
  return parts.reduce((text, part, index) => text + short(numbers[index - 1]!) + part);
}

/** Where on the page a picture's view box is drawn: less than its element where the room has another shape. */
export function drawnAt(picture: SVGSVGElement): DOMRect {
  const [matrix, { x, y, width, height }] = [picture.getScreenCTM(), picture.viewBox.baseVal];
  if (!matrix || width === 0) return picture.getBoundingClientRect();
  const [from, to] = [new DOMPoint(x, y).matrixTransform(matrix), new DOMPoint(x + width, y + height).matrixTransform(matrix)];
  return new DOMRect(from.x, from.y, to.x - from.x, to.y - from.y);
}
