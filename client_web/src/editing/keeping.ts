/**
 * Keeps what is being written: in the browser at once, on the server a moment after the last key. Until the server has it, a reload, a
 * crash or a lost connection loses nothing.
 */

export type Problem = { at: string; says: string };
export type Outcome =
  | { kind: "saved" | "refused"; problems: Problem[] }
  | { kind: "changed elsewhere" | "offline" }
  | { kind: "failed"; message: string };

type Kept = { base: string | null; content: unknown };
type Answer = { problems?: Problem[]; saved?: boolean; fingerprint?: string; message?: string; error?: string };

const SAVE_AFTER_MS = 700;
const TRY_AGAIN_MS = 5000;

export class Keeper {
  private pending = 0;
  private changes = 0;
  private content: unknown = null;

  /** `base` is the fingerprint of the draft that the server has, null to overwrite whatever it has. */
  constructor(
    private readonly address: string,
    private readonly token: string,
    private base: string | null,
    private readonly told: (outcome: Outcome) => void,
  ) {}

  /** What was written here and has not reached the server. */
  recall(): unknown {
    const kept = localStorage.getItem(this.place);
    if (kept === null) return null;
    const { base, content } = JSON.parse(kept) as Kept;
    this.base = base;
    return content;
  }

  keep(content: unknown, after = SAVE_AFTER_MS): void {
    this.changes += 1;
    this.content = content;
    this.remember();
    this.later(after);
  }

  overwrite(content: unknown): void {
    this.base = null;
    this.keep(content, 0);
  }

  forget(): void {
    window.clearTimeout(this.pending);
    localStorage.removeItem(this.place);
  }

  private get place(): string {
    return `draft:${this.address}`;
  }

  private remember(): void {
    const kept: Kept = { base: this.base, content: this.content };
    localStorage.setItem(this.place, JSON.stringify(kept));
  }

  private later(after: number): void {
    window.clearTimeout(this.pending);
    this.pending = window.setTimeout(() => void this.send(), after);
  }

  private async send(): Promise<void> {
    const sent = this.changes;
    let response: Response;
    let answer: Answer;
    try {
      response = await fetch(this.base === null ? this.address : `${this.address}?base=${this.base}`, {
        method: "PUT",
        headers: { "content-type": "application/json", accept: "application/json", "x-csrf-token": this.token },
        body: JSON.stringify(this.content),
      });
      answer = (await response.json()) as Answer;
    } catch {
      this.told({ kind: "offline" });
      if (sent === this.changes) this.later(TRY_AGAIN_MS);
      return;
    }
    if (answer.error === "ChangedElsewhere") return this.told({ kind: "changed elsewhere" });
    if (!answer.problems) return this.told({ kind: "failed", message: answer.message ?? response.statusText });
    this.base = answer.fingerprint ?? null;
    if (sent !== this.changes) return this.remember(); // more was written meanwhile, and is sent next
    if (answer.saved) localStorage.removeItem(this.place);
    this.told({ kind: answer.saved ? "saved" : "refused", problems: answer.problems });
  }
}
