// The researchers' editor of questionnaires. It edits the plain JSON of a draft; the server says what is wrong with it, and saves it when nothing is.
import { html } from "../table/dom";
import { t } from "../i18n";

type Text = { en: string; de: string };
type Option = { key: string; text: Text; meaning?: Text };
type Item = {
  type: string; key: string; scope: string; text: Text; help?: Text; required?: boolean; measures?: string; repeats?: string;
  show_if?: { item: string; one_of: string[] }; options?: Option[]; several?: boolean; left?: Option[]; right?: Option[];
  low?: number; high?: number; step?: number; low_text?: Text; high_text?: Text; max_length?: number;
};
type Questionnaire = { purpose: string; title: Text; introduction?: Text; items: Item[] };

const SAVE_AFTER_MS = 700;
const LANGUAGES = ["en", "de"] as const;
const blank = (): Text => ({ en: "", de: "" });
const option = (key: string): Option => ({ key, text: blank() });

/** What each type of item needs beside its text. */
const TYPES: Record<string, { name: () => string; start: () => Partial<Item> }> = {
  open: { name: () => t("Open answer"), start: () => ({}) },
  half_open: { name: () => t("Half-open answer"), start: () => ({}) },
  choice: { name: () => t("Multiple choice"), start: () => ({ options: [option("a"), option("b")] }) },
  correlation: { name: () => t("Correlation of two lists"), start: () => ({ left: [option("a")], right: [option("x"), option("y")] }) },
  scale: { name: () => t("Scale"), start: () => ({ low: 0, high: 100, step: 5, low_text: blank(), high_text: blank() }) },
  move: { name: () => t("A move of the match"), start: () => ({}) },
  country: { name: () => t("Country"), start: () => ({}) },
};
const MEASURES = ["", "verdict", "sureness", "challenge", "enjoyment", "aim"];

function start(root: HTMLElement, questionnaire: Questionnaire): void {
  const status = html("p", { class: "saving", role: "status" });
  const problems = html("ul", { class: "problems" });
  const body = html("div", { class: "stack" });
  root.append(body, status, problems);
  let pending = 0;
  const changed = (): void => {
    window.clearTimeout(pending);
    status.textContent = t("Saving …");
    pending = window.setTimeout(() => void save(), SAVE_AFTER_MS);
  };
  const save = async (): Promise<void> => {
    try {
      const response = await fetch(root.dataset.save ?? "", {
        method: "PUT",
        headers: { "content-type": "application/json", "x-csrf-token": root.dataset.token ?? "" },
        body: JSON.stringify(questionnaire),
      });
      const answer = (await response.json()) as { problems?: string[]; message?: string };
      const found = answer.problems ?? [answer.message ?? response.statusText];
      problems.replaceChildren(...found.map((problem) => html("li", { class: "error" }, named(problem, questionnaire))));
      status.textContent = found.length ? t("Not saved: please correct what is listed below.") : t("Saved.");
      root.dataset.state = found.length ? "wrong" : "saved";
    } catch {
      status.textContent = t("No connection. Change anything to try again.");
    }
  };
  const draw = (): void => body.replaceChildren(...drawQuestionnaire(questionnaire, changed, () => { draw(); changed(); }));
  draw();
}

/** "items.2.choice.text.de: …" names the item by its number and key. */
function named(problem: string, questionnaire: Questionnaire): string {
  return problem.replace(/^items\.(\d+)(\.[a-z_]+)?/, (_, index: string) => t("Question {n} ({key})", { n: Number(index) + 1, key: questionnaire.items[Number(index)]?.key ?? "?" }));
}

function drawQuestionnaire(questionnaire: Questionnaire, changed: () => void, redraw: () => void): HTMLElement[] {
  const head = html("section", { class: "card" }, texts(t("Title"), questionnaire.title, changed), optionalTexts(t("Introduction"), questionnaire, "introduction", changed, redraw));
  const cards = questionnaire.items.map((item, index) => itemCard(questionnaire, item, index, changed, redraw));
  const type = html("select", { "aria-label": t("Type of the new question") }, ...Object.entries(TYPES).map(([key, { name }]) => html("option", { value: key }, name())));
  const add = html("button", { type: "button", class: "button" }, t("Add a question"));
  add.addEventListener("click", () => {
    const scope = questionnaire.purpose === "profile" ? "person" : type.value === "move" ? "seat" : "match";
    let number = questionnaire.items.length + 1;
    while (questionnaire.items.some((item) => item.key === `question_${number}`)) number += 1;
    questionnaire.items.push({ type: type.value, key: `question_${number}`, scope, text: blank(), ...TYPES[type.value]?.start() });
    redraw();
  });
  return [head, ...cards, html("div", { class: "row" }, type, add)];
}

function itemCard(questionnaire: Questionnaire, item: Item, index: number, changed: () => void, redraw: () => void): HTMLElement {
  const { items } = questionnaire;
  const title = html("h2", {}, t("Question {n}: {type}", { n: index + 1, type: TYPES[item.type]?.name() ?? item.type }));
  const button = (label: string, text: string, act: () => void, disabled = false): HTMLElement => {
    const made = html("button", { type: "button", class: "button", "aria-label": label, disabled }, text);
    made.addEventListener("click", () => { act(); redraw(); });
    return made;
  };
  const move = (by: number) => (): void => { items.splice(index + by, 0, ...items.splice(index, 1)); };
  const bar = html("div", { class: "row" },
    button(t("Move question {n} up", { n: index + 1 }), "↑", move(-1), index === 0),
    button(t("Move question {n} down", { n: index + 1 }), "↓", move(1), index === items.length - 1),
    button(t("Delete question {n}", { n: index + 1 }), "✕", () => { items.splice(index, 1); }),
  );
  const scopes = questionnaire.purpose === "profile" ? ["person"] : ["seat", "match"];
  const parts = [
    html("div", { class: "row-apart" }, title, bar),
    html("div", { class: "grid" },
      line(t("Key"), item.key, (value) => { item.key = value; changed(); }),
      choose(t("Asked"), scopes, item.scope, (value) => { item.scope = value; changed(); }, { seat: t("about each other player"), match: t("about the match"), person: t("about the person") }),
      choose(t("Measures"), MEASURES, item.measures ?? "", (value) => { set(item, "measures", value); changed(); }, { "": t("nothing"), verdict: t("verdict"), sureness: t("sureness"), challenge: t("challenge"), enjoyment: t("enjoyment"), aim: t("aim") }),
      choose(t("Repeats"), ["", ...items.slice(0, index).map((other) => other.key)], item.repeats ?? "", (value) => { set(item, "repeats", value); changed(); }, { "": t("no other question") }),
    ),
    texts(t("Text"), item.text, changed),
    optionalTexts(t("Help"), item, "help", changed, redraw),
    tick(t("An answer is required"), item.required ?? false, (on) => { item.required = on; changed(); }),
    condition(items, item, index, changed, redraw),
  ];
  if (item.type === "choice") {
    parts.push(tick(t("Several options may be chosen"), item.several ?? false, (on) => { item.several = on; changed(); }));
    parts.push(optionList(t("Options"), item.options ?? [], changed, redraw));
  }
  if (item.type === "correlation") parts.push(optionList(t("Left list"), item.left ?? [], changed, redraw), optionList(t("Right list"), item.right ?? [], changed, redraw));
  if (item.type === "scale" && item.low_text && item.high_text) {
    parts.push(html("div", { class: "grid" }, ...(["low", "high", "step"] as const).map((name) => number(name === "low" ? t("Lowest value") : name === "high" ? t("Highest value") : t("Step"), item[name] ?? 0, (value) => { item[name] = value; changed(); }))));
    parts.push(texts(t("At the lower end"), item.low_text, changed), texts(t("At the upper end"), item.high_text, changed));
  }
  return html("section", { class: "card", "data-key": item.key }, ...parts);
}

function set(target: object, name: string, value: unknown): void {
  if (value === "" || value === undefined) delete (target as Record<string, unknown>)[name];
  else (target as Record<string, unknown>)[name] = value;
}

function condition(items: Item[], item: Item, index: number, changed: () => void, redraw: () => void): HTMLElement {
  const earlier = items.slice(0, index).filter((other) => other.type === "choice");
  const asked = earlier.find((other) => other.key === item.show_if?.item);
  const which = choose(t("Asked only if"), ["", ...earlier.map((other) => other.key)], item.show_if?.item ?? "", (value) => {
    const other = earlier.find((candidate) => candidate.key === value);
    set(item, "show_if", other ? { item: value, one_of: other.options?.slice(0, 1).map((first) => first.key) ?? [] } : undefined);
    redraw();
  }, { "": t("always asked") });
  if (!asked || !item.show_if) return which;
  const rule = item.show_if;
  const ticks = (asked.options ?? []).map((choice) => tick(choice.text.en || choice.key, rule.one_of.includes(choice.key), (on) => {
    rule.one_of = (asked.options ?? []).map((each) => each.key).filter((key) => (key === choice.key ? on : rule.one_of.includes(key)));
    changed();
  }));
  return html("fieldset", { class: "field" }, html("legend", {}, t("Condition")), which, html("div", { class: "row" }, ...ticks));
}

function optionList(label: string, options: Option[], changed: () => void, redraw: () => void): HTMLElement {
  const rows = options.map((each, index) => {
    const remove = html("button", { type: "button", class: "button", "aria-label": t("Delete option {key}", { key: each.key }) }, "✕");
    remove.addEventListener("click", () => { options.splice(index, 1); redraw(); });
    return html("div", { class: "stack-s option" },
      html("div", { class: "row" }, line(t("Key"), each.key, (value) => { each.key = value; changed(); }), remove),
      texts(t("Text"), each.text, changed),
      optionalTexts(t("Meaning, for a neutral option"), each, "meaning", changed, redraw));
  });
  const add = html("button", { type: "button", class: "button" }, t("Add an option"));
  add.addEventListener("click", () => { options.push(option(`option_${options.length + 1}`)); redraw(); });
  return html("fieldset", { class: "field options" }, html("legend", {}, label), ...rows, add);
}

let ids = 0;
function labelled(label: string, control: HTMLElement): HTMLElement {
  control.id = `e${(ids += 1)}`;
  return html("div", { class: "field" }, html("label", { for: control.id }, label), control);
}

function line(label: string, value: string, changed: (value: string) => void): HTMLElement {
  const input = html("input", { value });
  input.addEventListener("input", () => changed(input.value));
  return labelled(label, input);
}

function number(label: string, value: number, changed: (value: number) => void): HTMLElement {
  const input = html("input", { type: "number", value: String(value) });
  input.addEventListener("input", () => changed(input.valueAsNumber));
  return labelled(label, input);
}

function tick(label: string, on: boolean, changed: (on: boolean) => void): HTMLElement {
  const input = html("input", { type: "checkbox", checked: on });
  input.addEventListener("change", () => changed(input.checked));
  return html("label", { class: "choice" }, input, html("span", {}, label));
}

function choose(label: string, values: string[], value: string, changed: (value: string) => void, names: Record<string, string> = {}): HTMLElement {
  const select = html("select", {}, ...values.map((each) => html("option", { value: each, selected: each === value }, names[each] ?? each)));
  select.addEventListener("change", () => changed(select.value));
  return labelled(label, select);
}

/** A text in both languages, side by side. */
function texts(label: string, text: Text, changed: () => void): HTMLElement {
  return html("div", { class: "grid halves" }, ...LANGUAGES.map((language) => {
    const area = html("textarea", { rows: "1", lang: language });
    area.value = text[language];
    area.addEventListener("input", () => { text[language] = area.value; changed(); });
    return labelled(`${label} (${language})`, area);
  }));
}

function optionalTexts<Name extends string>(label: string, target: { [name in Name]?: Text }, name: Name, changed: () => void, redraw: () => void): HTMLElement {
  const text = target[name];
  if (text) return texts(label, text, () => { if (!text.en && !text.de) delete target[name]; else (target as Record<string, unknown>)[name] = text; changed(); });
  const add = html("button", { type: "button", class: "link-button" }, t("Add: {label}", { label }));
  add.addEventListener("click", () => { (target as Record<string, unknown>)[name] = blank(); redraw(); });
  return html("p", {}, add);
}

const host = document.querySelector<HTMLElement>("#editor");
const source = document.querySelector("#content")?.textContent;
if (host && source) start(host, JSON.parse(source) as Questionnaire);
