// The researchers' editor of questionnaires. It edits the plain JSON of a draft; the server keeps it, mistakes included, says what is
// wrong and where, and shows what probands would see.
import { makeMovable } from "../editing/dragging";
import { blank, choose, line, number, texts, tick, type Text } from "../editing/fields";
import { Keeper, type Outcome, type Problem } from "../editing/keeping";
import { goTo, listOf, showMistakes } from "../editing/mistakes";
import { language, t, tn } from "../i18n";
import { wire } from "../questionnaire";
import { html } from "../table/dom";

type Option = { key: string; text: Text; meaning?: Text };
type Item = {
  type: string; key: string; scope: string; text: Text; help?: Text; required?: boolean; measures?: string; repeats?: string;
  show_if?: { item: string; one_of: string[] }; options?: Option[]; several?: boolean; left?: Option[]; right?: Option[];
  low?: number | null; high?: number | null; step?: number | null; low_text?: Text; high_text?: Text; max_length?: number;
};
type Questionnaire = { purpose: string; title: Text; introduction?: Text; items: Item[] };
/** What the parts of the page call: after a change of words, and after one of what there is; then `focus` names who gets the focus. */
type Changes = { changed: () => void; rebuilt: (focus?: string) => void };

const MOST_ITEMS = 60;
const MOST_OPTIONS: Record<string, number> = { options: 20, left: 12, right: 12 };
const MEASURES = ["", "verdict", "sureness", "challenge", "enjoyment", "aim"];
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

function start(root: HTMLElement, fromServer: Questionnaire): void {
  const address = root.dataset.save ?? "";
  const status = html("p", { class: "saving", role: "status" });
  const notes = html("div", { class: "stack-s" });
  const body = html("div", { class: "stack" });
  const preview = new Preview(`${address}/preview`);
  const told = (outcome: Outcome): void => {
    root.dataset.state = outcome.kind;
    if (outcome.kind === "saved" || outcome.kind === "refused") {
      problems = outcome.problems;
      showProblems();
      if (outcome.kind === "saved") void preview.refresh();
    }
    status.textContent = {
      saved: problems.length ? tn("Saved, with {n} mistake in it.", "Saved, with {n} mistakes in it.", problems.length) : t("Saved. Nothing is wrong."),
      refused: t("Not saved yet: please correct what is listed below. It is kept in this browser."),
      offline: t("No connection. What you wrote is kept in this browser and sent as soon as possible."),
      "changed elsewhere": t("This draft was changed elsewhere meanwhile."),
      failed: outcome.kind === "failed" ? outcome.message : "",
    }[outcome.kind];
    if (outcome.kind === "changed elsewhere") notes.replaceChildren(whose());
  };
  const keeper = new Keeper(address, root.dataset.token ?? "", root.dataset.base ?? null, told);
  const recalled = keeper.recall() as Questionnaire | null;
  const questionnaire = recalled ?? fromServer;
  const folding = new Folding(`unfolded:${address}`, questionnaire.items);
  let problems: Problem[] = [];

  const showProblems = (): void => {
    root.dataset.mistakes = String(problems.length);
    showMistakes(body, problems);
    notes.replaceChildren(...(problems.length ? [listOf(problems, follow)] : []));
  };
  const unfold = (card: HTMLElement): void => folding.set(questionnaire.items[[...(card.parentElement?.children ?? [])].indexOf(card)], true, card);
  const follow = (at: string): void => goTo(body, at, unfold);
  /** Somebody else has written too: nobody's words are thrown away unasked. */
  const whose = (): HTMLElement => {
    const mine = html("button", { type: "button", class: "button" }, t("Keep what is here"));
    mine.addEventListener("click", () => { notes.replaceChildren(); keeper.overwrite(questionnaire); });
    const theirs = html("button", { type: "button", class: "button" }, t("Show the other one"));
    theirs.addEventListener("click", () => { keeper.forget(); window.location.reload(); });
    return html("div", { class: "row" }, mine, theirs);
  };
  const changed = (): void => {
    status.textContent = t("Saving …");
    root.dataset.state = "saving";
    keeper.keep(questionnaire);
  };
  const draw = (focus = ""): void => {
    body.replaceChildren(...drawQuestionnaire(questionnaire, folding, { changed, rebuilt: (next) => { draw(next); changed(); } }));
    showMistakes(body, problems);
    if (focus) document.getElementById(focus)?.focus();
  };
  draw();
  root.append(html("div", { class: "editing" }, html("div", { class: "stack" }, html("div", { class: "outcome" }, status, notes), body), preview.element));
  keeper.keep(questionnaire, 0); // so what was written before a reload is sent, and mistakes are known from the start
  status.textContent = recalled ? t("What you had written before is here again.") : "";
  window.addEventListener("hashchange", () => follow(decodeURIComponent(window.location.hash.slice(1))));
  if (window.location.hash) follow(decodeURIComponent(window.location.hash.slice(1)));
}

/** Which questions are unfolded, also after a reload. */
class Folding {
  private readonly open: Set<Item>;

  constructor(private readonly place: string, private readonly items: Item[]) {
    const kept = JSON.parse(sessionStorage.getItem(place) ?? "[]") as boolean[];
    this.open = new Set(kept.length === items.length ? items.filter((_, index) => kept[index]) : []);
  }

  has(item: Item): boolean {
    return this.open.has(item);
  }

  set(item: Item | undefined, on: boolean, card?: HTMLElement): void {
    if (!item) return;
    if (on) this.open.add(item);
    else this.open.delete(item);
    this.keep();
    card?.querySelector(".item-title")?.setAttribute("aria-expanded", String(on));
    card?.querySelector(".item-body")?.toggleAttribute("hidden", !on);
  }

  keep(): void {
    sessionStorage.setItem(this.place, JSON.stringify(this.items.map((item) => this.open.has(item))));
  }
}

/** What probands would see, beside the editor, in either language. */
class Preview {
  readonly element: HTMLElement;
  private readonly shown = html("div", { class: "preview-page" });
  private language: string = language;

  constructor(private readonly address: string) {
    const buttons = (["en", "de"] as const).map((each) => {
      const button = html("button", { type: "button", "aria-pressed": String(each === this.language) }, each === "en" ? "English" : "Deutsch");
      button.lang = each;
      button.addEventListener("click", () => {
        this.language = each;
        for (const other of buttons) other.setAttribute("aria-pressed", String(other === button));
        void this.refresh();
      });
      return button;
    });
    this.element = html("section", { class: "preview stack-s", "aria-label": t("Preview"), tabindex: "0" },
      html("div", { class: "row-apart" }, html("h2", {}, t("Preview")), html("div", { class: "segments" }, ...buttons)),
      html("p", { class: "hint" }, t("As probands see it; nothing is saved here.")), this.shown);
  }

  async refresh(): Promise<void> {
    const asked = this.language;
    const response = await fetch(`${this.address}?language=${asked}`).catch(() => null);
    if (!response?.ok) return; // the one before stays; the next change asks again
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const form = page.querySelector("form");
    if (!form || asked !== this.language) return;
    this.shown.replaceChildren(document.adoptNode(form));
    wire(form, () => undefined);
  }
}

function drawQuestionnaire(questionnaire: Questionnaire, folding: Folding, changes: Changes): HTMLElement[] {
  const { items } = questionnaire;
  const head = html("section", { class: "card" }, texts("title", t("Title"), questionnaire.title, changes.changed), optionalTexts("introduction", t("Introduction"), questionnaire, "introduction", changes));
  const list = html("div", { class: "stack item-list" });
  list.append(...items.map((item, index) => itemCard(questionnaire, item, index, list, folding, changes)));
  const all = (on: boolean): void => [...list.children].forEach((card, index) => folding.set(items[index], on, card as HTMLElement));
  const folds = ([[t("Unfold all"), true], [t("Fold all"), false]] as const).map(([label, on]) => {
    const button = html("button", { type: "button", class: "button quiet" }, label);
    button.addEventListener("click", () => all(on));
    return button;
  });
  const type = html("select", { "aria-label": t("Type of the new question") }, ...Object.entries(TYPES).map(([key, { name }]) => html("option", { value: key }, name())));
  const add = html("button", { type: "button", class: "button", disabled: items.length >= MOST_ITEMS }, t("Add a question"));
  add.addEventListener("click", () => {
    const scope = questionnaire.purpose === "profile" ? "person" : type.value === "move" ? "seat" : "match";
    let count = items.length + 1;
    while (items.some((item) => item.key === `question_${count}`)) count += 1;
    const made: Item = { type: type.value, key: `question_${count}`, scope, text: blank(), ...TYPES[type.value]?.start() };
    items.push(made);
    folding.set(made, true);
    changes.rebuilt(`items.${items.length - 1}.text.en`);
  });
  return [head, html("div", { class: "row-apart" }, html("h2", {}, t("Questions")), html("div", { class: "row" }, ...folds)), list, html("div", { class: "row", "data-at": "items" }, type, add)];
}

function itemCard(questionnaire: Questionnaire, item: Item, index: number, list: HTMLElement, folding: Folding, changes: Changes): HTMLElement {
  const { items } = questionnaire;
  const n = index + 1;
  const at = `items.${index}`;
  const title = html("button", { type: "button", class: "item-title", id: `${at}.title`, "aria-expanded": String(folding.has(item)), "aria-controls": `${at}.body` });
  const retitle = (): void => {
    title.replaceChildren(html("strong", {}, `${n}. ${TYPES[item.type]?.name() ?? item.type}`), " ", html("span", { class: "soft" }, item.text[language] || item.text.en || item.text.de || item.key));
  };
  retitle();
  const handle = html("button", { type: "button", class: "button quiet handle", id: `${at}.handle`, "aria-label": t("Move question {n}: drag, or press the arrow keys", { n }), title: t("Move question {n}: drag, or press the arrow keys", { n }) }, "⠿");
  const remove = html("button", { type: "button", class: "button quiet", "aria-label": t("Delete question {n}", { n }) }, "✕");
  remove.addEventListener("click", () => {
    items.splice(index, 1);
    folding.keep();
    changes.rebuilt(items.length ? `items.${Math.min(index, items.length - 1)}.title` : "");
  });
  const { changed } = changes;
  const scopes = questionnaire.purpose === "profile" ? ["person"] : ["seat", "match"];
  const parts = [
    texts(`${at}.text`, t("Text"), item.text, () => { retitle(); changed(); }),
    optionalTexts(`${at}.help`, t("Help"), item, "help", changes),
    html("div", { class: "grid" },
      line(`${at}.key`, t("Key"), item.key, (value) => { item.key = value; changed(); }),
      choose(`${at}.scope`, t("Asked"), scopes, item.scope, (value) => { item.scope = value; changed(); }, { seat: t("about each other player"), match: t("about the match"), person: t("about the person") }),
      choose(`${at}.measures`, t("Measures"), MEASURES, item.measures ?? "", (value) => { set(item, "measures", value); changed(); }, { "": t("nothing"), verdict: t("verdict"), sureness: t("sureness"), challenge: t("challenge"), enjoyment: t("enjoyment"), aim: t("aim") }),
      choose(`${at}.repeats`, t("Repeats"), ["", ...items.slice(0, index).map((other) => other.key)], item.repeats ?? "", (value) => { set(item, "repeats", value); changed(); }, { "": t("no other question") }),
    ),
    tick(t("An answer is required"), item.required ?? false, (on) => { item.required = on; changed(); }),
    condition(at, items, item, index, changes),
  ];
  if (item.type === "choice") {
    parts.push(tick(t("Several options may be chosen"), item.several ?? false, (on) => { item.several = on; changed(); }));
    parts.push(optionList(at, "options", t("Options"), item.options ?? [], changes));
  }
  if (item.type === "correlation") parts.push(optionList(at, "left", t("Left list"), item.left ?? [], changes), optionList(at, "right", t("Right list"), item.right ?? [], changes));
  if (item.type === "scale" && item.low_text && item.high_text) {
    const names = { low: t("Lowest value"), high: t("Highest value"), step: t("Step") };
    parts.push(html("div", { class: "grid" }, ...(["low", "high", "step"] as const).map((name) => number(`${at}.${name}`, names[name], item[name] ?? null, (value) => { item[name] = value; changed(); }))));
    parts.push(texts(`${at}.low_text`, t("At the lower end"), item.low_text, changed), texts(`${at}.high_text`, t("At the upper end"), item.high_text, changed));
  }
  const body = html("div", { class: "item-body stack", id: `${at}.body`, hidden: !folding.has(item) }, ...parts);
  const card = html("section", { class: "card item-card", "data-key": item.key, "data-at": at }, html("div", { class: "item-head" }, handle, html("h3", {}, title), remove), body);
  title.addEventListener("click", () => folding.set(item, !folding.has(item), card));
  makeMovable(handle, card, list, (from, to) => {
    items.splice(to, 0, ...items.splice(from, 1));
    folding.keep();
    changes.rebuilt(`items.${to}.handle`);
  });
  return card;
}

function set(target: object, name: string, value: unknown): void {
  if (value === "" || value === undefined) delete (target as Record<string, unknown>)[name];
  else (target as Record<string, unknown>)[name] = value;
}

function condition(at: string, items: Item[], item: Item, index: number, { changed, rebuilt }: Changes): HTMLElement {
  const earlier = items.slice(0, index).filter((other) => other.type === "choice");
  const asked = earlier.find((other) => other.key === item.show_if?.item);
  const which = choose(`${at}.show_if`, t("Asked only if"), ["", ...earlier.map((other) => other.key)], item.show_if?.item ?? "", (value) => {
    const other = earlier.find((candidate) => candidate.key === value);
    set(item, "show_if", other ? { item: value, one_of: other.options?.slice(0, 1).map((first) => first.key) ?? [] } : undefined);
    rebuilt(`${at}.show_if`);
  }, { "": t("always asked") });
  if (!asked || !item.show_if) return which;
  const rule = item.show_if;
  const ticks = (asked.options ?? []).map((choice) => tick(choice.text.en || choice.key, rule.one_of.includes(choice.key), (on) => {
    rule.one_of = (asked.options ?? []).map((each) => each.key).filter((key) => (key === choice.key ? on : rule.one_of.includes(key)));
    changed();
  }));
  return html("fieldset", { class: "field" }, html("legend", {}, t("Condition")), which, html("div", { class: "row" }, ...ticks));
}

function optionList(item: string, name: string, label: string, options: Option[], changes: Changes): HTMLElement {
  const at = `${item}.${name}`;
  const rows = options.map((each, index) => {
    const place = `${at}.${index}`;
    const remove = html("button", { type: "button", class: "button quiet", "aria-label": t("Delete option {key}", { key: each.key }) }, "✕");
    remove.addEventListener("click", () => { options.splice(index, 1); changes.rebuilt(`${at}.add`); });
    return html("div", { class: "stack-s option", "data-at": place },
      html("div", { class: "row" }, line(`${place}.key`, t("Key"), each.key, (value) => { each.key = value; changes.changed(); }), remove),
      texts(`${place}.text`, t("Text"), each.text, changes.changed),
      optionalTexts(`${place}.meaning`, t("Meaning, for a neutral option"), each, "meaning", changes));
  });
  const add = html("button", { type: "button", class: "button", id: `${at}.add`, disabled: options.length >= (MOST_OPTIONS[name] ?? 0) }, t("Add an option"));
  add.addEventListener("click", () => {
    let count = options.length + 1;
    while (options.some((each) => each.key === `option_${count}`)) count += 1;
    options.push(option(`option_${count}`));
    changes.rebuilt(`${at}.${options.length - 1}.text.en`);
  });
  return html("fieldset", { class: "field options", "data-at": at }, html("legend", {}, label), ...rows, add);
}

function optionalTexts<Name extends string>(at: string, label: string, target: { [name in Name]?: Text }, name: Name, changes: Changes): HTMLElement {
  const text = target[name];
  if (text) return texts(at, label, text, () => { set(target, name, text.en || text.de ? text : undefined); changes.changed(); });
  const add = html("button", { type: "button", class: "link-button" }, t("Add: {label}", { label }));
  add.addEventListener("click", () => { set(target, name, blank()); changes.rebuilt(`${at}.en`); });
  return html("p", {}, add);
}

const host = document.querySelector<HTMLElement>("#editor");
const source = document.querySelector("#content")?.textContent;
if (host && source) start(host, JSON.parse(source) as Questionnaire);
