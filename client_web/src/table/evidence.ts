/** The replay beside a questionnaire, in which a move can be marked as the one that gave its player away. */
import { t } from "../i18n";
import { html } from "./dom";
import { recordingOfMoves } from "./recordings";
import { Replay } from "./replay";

interface ReplayPage {
  readonly game: string;
  readonly you: number | null;
  readonly moves: readonly { readonly ply: number; readonly seat: number; readonly move: string }[];
}

/** Shows the match and turns every field that asks for a move into one that is filled by marking. */
export async function showEvidence(host: HTMLElement | null, form: HTMLFormElement): Promise<void> {
  if (!host?.dataset.replay) return;
  const room = host.closest("details");
  if (room && window.matchMedia("(max-width: 61.99rem)").matches) room.open = false; // a phone shows the questions first
  const data = JSON.parse(host.dataset.replay) as ReplayPage;
  const recording = await recordingOfMoves(data.game, data.moves.map(({ move }) => move));
  const fields = new Map<number, MoveField>();
  const mark = html("button", { type: "button", class: "button mark-move", hidden: true });
  const replay = new Replay(host, recording, {
    you: data.you,
    small: true,
    onPly: (ply) => {
      const seat = data.moves[ply ?? -1]?.seat ?? -1;
      mark.hidden = !fields.has(seat);
      if (fields.has(seat)) mark.textContent = t("This move of {colour} gave it away", { colour: recording.game.name(seat) });
    },
  });
  for (const [seat] of recording.game.card.seats.entries()) {
    const mark = recording.game.mark(seat); // as at the table
    mark.classList.add("seat-mark");
    form.querySelector(`#seat-${seat} .seat-mark`)?.replaceWith(mark);
  }
  for (const question of form.querySelectorAll<HTMLElement>('.question[data-type="move"]')) fields.set(Number(question.dataset.seat), new MoveField(question, replay));
  mark.addEventListener("click", () => {
    const ply = replay.ply;
    if (ply !== null) fields.get(data.moves[ply]?.seat ?? -1)?.set(ply);
  });
  host.append(mark);
}

/** A number field that shows its move in words, leads to it, and can be emptied. */
class MoveField {
  readonly #input: HTMLInputElement;
  readonly #shown = html("button", { type: "button", class: "link-button" });
  readonly #clear = html("button", { type: "button", class: "button quiet", "aria-label": t("Take the mark back") }, "✕");

  constructor(
    question: HTMLElement,
    private readonly replay: Replay,
  ) {
    this.#input = question.querySelector("input")!;
    this.#input.hidden = true;
    this.#input.after(html("div", { class: "marked-move" }, this.#shown, this.#clear));
    this.#shown.addEventListener("click", () => replay.jumpToPly(Number(this.#input.value)));
    this.#clear.addEventListener("click", () => this.set(null));
    this.#draw();
  }

  set(ply: number | null): void {
    this.#input.value = ply === null ? "" : String(ply);
    this.#input.dispatchEvent(new Event("change", { bubbles: true }));
    this.#draw();
  }

  #draw(): void {
    const told = this.#input.value === "" ? "" : this.replay.tell(Number(this.#input.value));
    this.#clear.hidden = told === "";
    this.#shown.disabled = told === "";
    this.#shown.textContent = told || t("no move marked yet");
  }
}
