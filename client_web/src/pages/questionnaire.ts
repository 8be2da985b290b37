// The questionnaire after a match: answers are saved as they are given, one after the other, and again when the line was down.
import { t } from "../i18n";
import { type GivenAnswer, wire } from "../questionnaire";
import { showEvidence } from "../table/evidence";

const RETRY_MS = 2000;

/** Sends answers in order; what fails for lack of a connection is sent again, what is refused is said. */
class Saver {
  readonly #queue: GivenAnswer[] = [];
  #busy = false;

  constructor(
    private readonly url: string,
    private readonly token: string,
    private readonly say: (text: string) => void,
  ) {}

  readonly save = (answer: GivenAnswer): void => {
    this.#queue.push(answer);
    if (!this.#busy) void this.#drain();
  };

  async #drain(): Promise<void> {
    this.#busy = true;
    for (let answer = this.#queue[0]; answer; answer = this.#queue[0]) {
      this.say(t("Saving …"));
      const outcome = await this.#send(answer);
      if (outcome === "again") {
        this.say(t("No connection. Your answers are sent as soon as it is back."));
        await new Promise((resolve) => window.setTimeout(resolve, RETRY_MS));
        continue;
      }
      this.#queue.shift();
      if (outcome !== "saved") {
        this.say(outcome);
        this.#busy = false;
        return;
      }
    }
    this.say(t("Saved."));
    this.#busy = false;
  }

  async #send(answer: GivenAnswer): Promise<"saved" | "again" | (string & {})> {
    const { shownMs, ...rest } = answer;
    try {
      const response = await fetch(this.url, {
        method: "POST",
        keepalive: true, // also while the page goes away
        headers: { "content-type": "application/json", "x-csrf-token": this.token },
        body: JSON.stringify({ ...rest, shown_ms: shownMs }),
      });
      if (response.ok) return "saved";
      if (response.status >= 500) return "again";
      return ((await response.json()) as { message?: string }).message ?? response.statusText;
    } catch {
      return "again";
    }
  }
}

const form = document.querySelector<HTMLFormElement>("form.questionnaire");
const status = document.querySelector<HTMLElement>(".saving");
if (form?.dataset.answers && status) {
  const token = form.querySelector<HTMLInputElement>("[name=csrf_token]")?.value ?? "";
  wire(form, new Saver(form.dataset.answers, token, (text) => (status.textContent = text)).save);
  void showEvidence(document.querySelector<HTMLElement>("#replay"), form);
  form.querySelector<HTMLElement>(".error")?.closest(".question")?.scrollIntoView({ block: "center" });
}
