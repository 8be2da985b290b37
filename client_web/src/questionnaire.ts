/**
 * A questionnaire on a page: shows what is asked under the answers so far, and tells each answer as it is given. Without this script
 * the form works all the same; then everything is sent at the end.
 */

export interface GivenAnswer {
  readonly item: string;
  readonly seat: number | null;
  readonly value: unknown;
  /** How long the question had been in view. */
  readonly shownMs: number | null;
}

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const questionsIn = (form: HTMLElement): HTMLElement[] => [...form.querySelectorAll<HTMLElement>(".question")];
const seatOf = (question: HTMLElement): number | null => (question.dataset.seat === undefined ? null : Number(question.dataset.seat));
const controlsOf = (question: HTMLElement): Control[] => [...question.querySelectorAll<Control>("input, textarea, select")];

/** The answer as the server wants it, null where there is none. */
function valueOf(question: HTMLElement): unknown {
  const controls = controlsOf(question);
  switch (question.dataset.type) {
    case "choice": {
      const chosen = controls.filter((control) => (control as HTMLInputElement).checked).map((control) => control.value);
      return (controls[0] as HTMLInputElement | undefined)?.type === "checkbox" ? (chosen.length ? chosen : null) : (chosen[0] ?? null);
    }
    case "correlation": {
      const pairs = controls.filter((control) => control.value).map((control) => [control.dataset.left ?? "", control.value]);
      return pairs.length ? Object.fromEntries(pairs) : null;
    }
    case "scale":
    case "move": {
      const control = controls[0];
      return control && control.value !== "" && control.dataset.unset === undefined ? Number(control.value) : null;
    }
    default:
      return controls[0]?.value.trim() || null;
  }
}

/** A number field becomes a slider. It has no value until it is touched: nobody's answer is invented. */
function makeSlider(question: HTMLElement): void {
  const input = question.querySelector("input");
  const output = question.querySelector("output");
  if (!input || !output) return;
  const given = input.value;
  input.type = "range";
  output.hidden = false;
  output.value = given || "–";
  if (given === "") {
    input.value = String((Number(input.min) + Number(input.max)) / 2);
    input.dataset.unset = "";
    const name = input.name;
    input.removeAttribute("name");
    const touch = (): void => {
      delete input.dataset.unset;
      input.name = name;
      output.value = input.value;
    };
    for (const event of ["pointerdown", "keydown", "input"] as const) input.addEventListener(event, touch, { once: true });
  }
  input.addEventListener("input", () => (output.value = input.value));
}

/** Shows and hides the questions whose condition depends on other answers. */
export function applyConditions(form: HTMLElement): void {
  const answers = new Map(questionsIn(form).map((question) => [`${question.dataset.item}.${question.dataset.seat ?? ""}`, valueOf(question)]));
  for (const question of questionsIn(form)) {
    const { ifItem, ifOneOf } = question.dataset;
    if (!ifItem || !ifOneOf) continue;
    const given = answers.get(`${ifItem}.${question.dataset.seat ?? ""}`) ?? answers.get(`${ifItem}.`) ?? null;
    const chosen = Array.isArray(given) ? given : [given];
    const asked = chosen.some((option) => ifOneOf.split(" ").includes(String(option)));
    question.toggleAttribute("data-unasked", !asked);
  }
}

/** Wires a form up. `save` is called with every answer that differs from the last one told, text a moment after the last key. */
export function wire(form: HTMLFormElement, save: (answer: GivenAnswer) => void): void {
  const told = new Map<HTMLElement, string>();
  const seenSince = new Map<HTMLElement, number>();
  const watcher = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (entry.isIntersecting && !seenSince.has(entry.target as HTMLElement)) seenSince.set(entry.target as HTMLElement, performance.now());
    }
  });
  for (const question of questionsIn(form)) {
    if (question.dataset.type === "scale") makeSlider(question);
    told.set(question, JSON.stringify(valueOf(question)));
    watcher.observe(question);
  }
  applyConditions(form);

  const tell = (question: HTMLElement): void => {
    const value = valueOf(question);
    const text = JSON.stringify(value);
    if (told.get(question) === text) return;
    told.set(question, text);
    const since = seenSince.get(question);
    save({ item: question.dataset.item ?? "", seat: seatOf(question), value, shownMs: since === undefined ? null : Math.round(performance.now() - since) });
  };
  const pending = new Map<HTMLElement, number>();
  form.addEventListener("input", (event) => {
    const question = (event.target as HTMLElement).closest<HTMLElement>(".question");
    if (!question) return;
    applyConditions(form);
    window.clearTimeout(pending.get(question));
    pending.set(question, window.setTimeout(() => tell(question), question.dataset.type === "choice" ? 0 : 600));
  });
  form.addEventListener("change", (event) => {
    const question = (event.target as HTMLElement).closest<HTMLElement>(".question");
    if (question) tell(question);
  });
  window.addEventListener("pagehide", () => questionsIn(form).forEach(tell));
}
