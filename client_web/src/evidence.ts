/** The replay beside a questionnaire, in which a move can be marked as the one that gave its player away. */
import { html } from "./board/dom";
import { colourOf, tellFrame } from "./board/words";
import { t } from "./i18n";
import { Replay } from "./replay";
import { type Recording, recordingOfMoves } from "./replay_data";

interface ReplayPage {
  readonly game: string;
  readonly layout: string;
  readonly you: number | null;
  readonly moves: readonly { readonly ply: number; readonly seat: number; readonly move: string }[];
}

/** Shows the match and turns every field that asks for a move into one that is filled by marking. */
export async function showEvidence(host: HTMLElement | null, form: HTMLFormElement): Promise<void> {
  if (!host?.dataset.replay) return;
  const room = host.closest("details");
  if (room && window.matchMedia("(max-width: 61.99rem)").matches) room.open = false; // a phone shows the questions first
  const data = JSON.parse(host.dataset.replay) as ReplayPage;
  const name = data.layout === "standard" ? data.game : `${data.game}:${data.layout}`;
  const recording = await recordingOfMoves(name, data.moves.map(({ move }) => move));
  const fields = new Map(
    [...form.querySelectorAll<HTMLElement>('.question[data-type="move"]')].map((question) => [Number(question.dataset.seat), new MoveField(question, recording, (ply) => replay.jumpToPly(ply))]),
  );
  const mark = html("button", { type: "button", class: "button mark-move", hidden: true });
  const replay = new Replay(host, recording, {
    you: data.you as never,
    small: true,
    onPly: (ply) => {
      const seat = data.moves[ply ?? -1]?.seat;
      const field = seat === undefined ? undefined : fields.get(seat);
      mark.hidden = !field;
      if (field && seat !== undefined) mark.textContent = t("This move of {colour} gave it away", { colour: colourOf(seat as never) });
    },
  });
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
    private readonly recording: Recording,
    jump: (ply: number) => void,
  ) {
    this.#input = question.querySelector("input")!;
    this.#input.hidden = true;
    this.#input.after(html("div", { class: "marked-move" }, this.#shown, this.#clear));
    this.#shown.addEventListener("click", () => jump(Number(this.#input.value)));
    this.#clear.addEventListener("click", () => this.set(null));
    this.#draw();
  }

  set(ply: number | null): void {
    this.#input.value = ply === null ? "" : String(ply);
    this.#input.dispatchEvent(new Event("change", { bubbles: true }));
    this.#draw();
  }

  #draw(): void {
    const frame = this.#input.value === "" ? undefined : this.recording.frames[Number(this.#input.value)];
    this.#clear.hidden = !frame;
    this.#shown.disabled = !frame;
    this.#shown.textContent = frame ? tellFrame(frame, this.recording.layout) : t("no move marked yet");
  }
}
