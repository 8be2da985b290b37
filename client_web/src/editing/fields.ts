/** The fields of the editor. Each stands at a place of the questionnaire's JSON, such as `items.2.text.de`, which is also its id. */
import { html } from "../table/dom";

export type Text = { en: string; de: string };
export const blank = (): Text => ({ en: "", de: "" });
const LANGUAGES = ["en", "de"] as const;

function labelled(at: string, label: string, control: HTMLElement): HTMLElement {
  control.id = at;
  return html("div", { class: "field", "data-at": at }, html("label", { for: at }, label), control);
}

export function line(at: string, label: string, value: string, changed: (value: string) => void): HTMLElement {
  const input = html("input", { value });
  input.addEventListener("input", () => changed(input.value));
  return labelled(at, label, input);
}

/** A blank one is null. */
export function number(at: string, label: string, value: number | null, changed: (value: number | null) => void): HTMLElement {
  const input = html("input", { type: "number", value: value === null ? "" : String(value) });
  input.addEventListener("input", () => changed(Number.isNaN(input.valueAsNumber) ? null : input.valueAsNumber));
  return labelled(at, label, input);
}

export function tick(label: string, on: boolean, changed: (on: boolean) => void): HTMLElement {
  const input = html("input", { type: "checkbox", checked: on });
  input.addEventListener("change", () => changed(input.checked));
  return html("label", { class: "choice" }, input, html("span", {}, label));
}

export function choose(at: string, label: string, values: string[], value: string, changed: (value: string) => void, names: Record<string, string> = {}): HTMLElement {
  const offered = values.includes(value) ? values : [...values, value];
  const select = html("select", {}, ...offered.map((each) => html("option", { value: each, selected: each === value }, names[each] ?? each)));
  select.addEventListener("change", () => changed(select.value));
  return labelled(at, label, select);
}

/** A text in both languages, side by side. */
export function texts(at: string, label: string, text: Text, changed: () => void): HTMLElement {
  return html("div", { class: "grid halves", "data-at": at }, ...LANGUAGES.map((language) => {
    const area = html("textarea", { rows: "1", lang: language });
    area.value = text[language];
    area.addEventListener("input", () => { text[language] = area.value; changed(); });
    return labelled(`${at}.${language}`, `${label} (${language})`, area);
  }));
}
