/**
 * A match from one seat: follows the referee's messages, shows them in order, asks when it is this seat's turn, and proposes what
 * the panel would do elsewhere. Whatever happens to the connection, the referee's state rules.
 */

import { t, tn } from "../i18n";
import { python } from "../python";
import { type OpenGame, openGame } from "../table/game";
import { type Moment, type Option, type Seat, type Update, rest, seatsOf } from "../table/model";
import { createMotion } from "../table/motion";
import { TURN } from "../table/sounds";
import { Table } from "../table/table";
import type { Asked, Ended, MatchClientMessage, MatchServerMessage, Moves, Problem, Sealed, State as StateMessage } from "../wire";
import { Banners } from "./banners";
import { rememberCommitment } from "./commitments";
import { courseOf, decided, endPanel, replacedPanel } from "./endings";
import type { InteractionLog } from "./interactions";
import { Panel } from "./panel";
import { screenOf } from "./screen";
import { LiveSocket } from "./socket";

/** After such a silence in another's turn the state is asked for again: the connection may be dead without anybody having said so. */
const SILENCE = 20_000;

type Handlers = { readonly [Type in MatchServerMessage["type"]]: (message: Extract<MatchServerMessage, { type: Type }>) => void };

export class Match {
  readonly #socket: LiveSocket<MatchServerMessage, MatchClientMessage>;
  readonly #panel = new Panel();
  #table: Table | null = null;
  #banners: Banners | null = null;
  #you: Seat = 0;
  #moves: string[] = [];
  #moment: Moment | null = null;
  /** The own move that has been shown and sent, but not yet confirmed. */
  #sent: Update | null = null;
  /** The own move that waits for those of others. */
  #sealed: string | null = null;
  #clockTotal = 0;
  #silence = 0;
  #over = false;
  readonly #handlers: Handlers = {
    state: (message) => void this.#resume(message),
    moves: (message) => this.#follow(message),
    sealed: (message) => this.#sealedBy(message),
    asked: (message) => this.#asked(message),
    replaced: () => this.#replaced(),
    ended: (message) => void this.#ended(message),
    error: (message) => this.#refused(message),
  };

  constructor(
    private readonly host: HTMLElement,
    private readonly id: string,
    private readonly log: InteractionLog | null,
  ) {
    this.#socket = new LiveSocket(`/live/matches/${id}`, {
      opened: () => this.#hello(),
      received: (message) => (this.#handlers[message.type] as (message: MatchServerMessage) => void)(message),
      lost: () => this.#lost(),
      closed: (code) => this.#closed(code),
    });
    if (log) log.carrier = (batch) => this.#socket.send(batch);
    python.watch((state) => {
      // The engine came in the middle of another seat's turn: there is still something to propose.
      if (state.kind === "ready" && this.#moment) void this.#propose(this.#moment);
    });
  }

  #hello(): void {
    this.#socket.ask({ type: "hello", ply: this.#moves.length });
  }

  /** Everything this seat may know: at first, after a reload, after a lost connection. */
  async #resume(message: StateMessage): Promise<void> {
    const game = await openGame(message.game);
    const table = this.#table ?? this.#seat(game, message);
    const missed = this.#moment === null ? 0 : message.ply - this.#moves.length;
    this.#moves = [...this.#moves.slice(0, message.since), ...message.moves];
    this.#sent = null;
    this.#sealed = message.sealed;
    this.#moment = momentOf(message);
    this.#clockTotal = message.clock_total_ms;
    this.#banners?.hide("connection");
    table.show(this.#moment);
    if (this.#moment.over === false) table.announcer.remember(this.id);
    if (missed > 0) table.announcer.note(tn("You are back. {n} move was played meanwhile.", "You are back. {n} moves were played meanwhile.", missed));
    if (message.starts_ms > 0) this.#countDown(message.starts_ms);
    if (message.sealed !== null) table.seal(message.sealed);
    this.#turn(message.legal, message.clock_ms);
    if (message.asked_ms !== null) this.#urge(message.asked_ms);
  }

  #seat(game: OpenGame, message: StateMessage): Table {
    this.#you = message.you;
    this.#panel.seat(message.game, message.panel);
    this.host.replaceChildren();
    const table = new Table(this.host, game, { you: message.you, motion: createMotion(message.animation_speed) });
    this.#table = table;
    this.#banners = new Banners(table.banners, table.announcer);
    table.element.dataset["match"] = this.id;
    rememberCommitment(this.id, message.commitment);
    this.#socket.send(screenOf(table.view.shape));
    this.log?.watch(() => table.view.place());
    return table;
  }

  #countDown(milliseconds: number): void {
    const ends = performance.now() + milliseconds;
    const tick = (): void => {
      const left = Math.ceil((ends - performance.now()) / 1000);
      if (left <= 0 || this.#moves.length > 0) return;
      this.#table?.tray.status(tn("The match begins in {n} second.", "The match begins in {n} seconds.", left));
      setTimeout(tick, 200);
    };
    tick();
  }

  #follow(message: Moves): void {
    const [table, before] = [this.#table, this.#moment];
    if (!table || !before || message.ply !== this.#moves.length) return this.#hello();
    const after = momentOf(message);
    const update: Update = { ply: message.ply, moves: message.moves, seats: seatsOf(message.moves, before), events: message.events, after };
    const shown = this.#sent?.ply === message.ply && this.#sent.moves[0] === message.moves[0] ? this.#sent : null;
    if (this.#sent && !shown) table.show(before); // something else was played: a stand-in, or another tab of the same player
    this.#sent = null;
    this.#sealed = null;
    if (!shown) table.withdraw();
    void table.play(shown ? rest(update, shown) : update);
    this.#moves.push(...message.moves);
    this.#moment = after;
    this.#turn(message.legal, message.clock_ms);
  }

  /** Winds the clock, and asks the player and the panel. */
  #turn(legal: readonly string[], clock: number): void {
    const { acting } = this.#moment!;
    const choosing = legal.length > 0 && this.#sealed === null;
    this.#banners?.hide("asked");
    clearTimeout(this.#silence);
    if (!choosing) this.#silence = window.setTimeout(() => this.#over || this.#hello(), SILENCE);
    this.#table?.seats.clock(acting.filter((seat) => seat !== this.#you || choosing), clock, this.#clockTotal || clock);
    if (choosing) void this.#ask(legal);
    void this.#propose(this.#moment!);
  }

  async #ask(legal: readonly string[]): Promise<void> {
    const [table, moment, ply] = [this.#table!, this.#moment!, this.#moves.length];
    let options: readonly Option[] = [];
    void this.#options(moment).then((known) => {
      if (this.#moves.length !== ply) return;
      options = known;
      if (known.length > 0) table.improve(known);
    });
    const move = await table.ask({ moment, legal, options: null });
    if (move === null || this.#moves.length !== ply) return;
    table.seats.stop(this.#you);
    this.#socket.ask({ type: "play", ply, move });
    if (moment.acting.length > 1) return this.#seal(move);
    const events = options.find((option) => option.move === move)?.events;
    if (!events) return; // the referee tells what it does
    this.#sent = { ply, moves: [move], seats: [this.#you], events, after: null };
    void table.play(this.#sent);
  }

  /** What the own moves would do; without the worker the board shows what it knows itself. */
  async #options(moment: Moment): Promise<readonly Option[]> {
    if (python.state.kind !== "ready") return [];
    try {
      return await python.call("npc.practice.options", [this.#table!.game.card.reference, moment.position, this.#you]);
    } catch {
      return [];
    }
  }

  #seal(move: string): void {
    this.#sealed = move;
    this.#table?.seal(move);
  }

  /** The referee has taken the own move down: perhaps one that was made in another tab. */
  #sealedBy(message: Sealed): void {
    if (message.ply !== this.#moves.length || this.#sealed === message.move) return;
    this.#table?.withdraw();
    this.#seal(message.move);
  }

  async #propose(moment: Moment): Promise<void> {
    const ply = this.#moves.length;
    for (const seat of moment.acting.filter((each) => each !== this.#you)) {
      const choices = await this.#panel.choices(this.#moves, seat);
      if (choices !== null && this.#moves.length === ply) this.#socket.send({ type: "propose", ply, seat, choices });
    }
  }

  #asked(message: Asked): void {
    if (message.ply === this.#moves.length) this.#urge(message.ms);
  }

  #urge(milliseconds: number): void {
    this.#banners?.countDown("asked", milliseconds, (seconds) =>
      tn("Please move now. In {n} second a stand-in takes over your seat.", "Please move now. In {n} seconds a stand-in takes over your seat.", seconds),
    );
    this.#table?.sounds.play(TURN);
  }

  #lost(): void {
    if (this.#over) return;
    this.#table?.withdraw();
    this.#table?.seats.clock([]);
    this.#banners?.show("connection", t("The connection is lost. Trying to come back …"));
    if (!this.#table) this.host.textContent = t("Connecting …");
  }

  #closed(code: number): void {
    if (this.#over) return;
    this.#table?.withdraw();
    const reasons: Readonly<Record<number, string>> = {
      4401: t("Your log-in has ended. Please log in again to go on."),
      4403: t("You do not play in this match any more."),
      4404: t("There is no such match."),
    };
    const words = reasons[code] ?? t("The server has closed the connection. Reload the page to go on.");
    if (this.#banners) this.#banners.show("connection", words);
    else this.host.textContent = words;
  }

  #replaced(): void {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#silence);
    void this.log?.stop();
    this.#socket.end(); // what the stand-in plays is not this player's match any more
    const panel = replacedPanel();
    const table = this.#table;
    if (table) {
      table.withdraw();
      table.seats.clock([]);
      table.element.classList.add("ended");
      table.banners.replaceChildren();
      table.tray.element.after(panel);
      table.announcer.sayNow(t("A stand-in plays on for you."));
    } else {
      this.host.replaceChildren(panel);
    }
    panel.querySelector<HTMLAnchorElement>("a")?.focus({ preventScroll: true });
  }

  async #ended(message: Ended): Promise<void> {
    if (this.#over) return;
    this.#over = true;
    const table = this.#table;
    if (!table) return;
    await table.seen();
    table.end(message.scores, message.winners);
    const panel = endPanel(table.game, message, this.#you);
    table.tray.element.after(panel);
    panel.querySelector<HTMLAnchorElement>("a")?.focus({ preventScroll: true });
    void courseOf(this.id).then((course) => course && panel.lastElementChild?.before(decided(table.game, course)));
    await this.log?.stop();
    this.#socket.end();
  }

  /** A refused message changed nothing; the referee's state puts everything right. */
  #refused(message: Problem): void {
    if (message.code === "replaced") return this.#replaced();
    if (message.code === "session_expired" || message.code === "not_seated" || message.code === "consent_missing") return; // the close code says more
    if (message.code !== "bad_message") this.#hello();
  }
}

const momentOf = ({ position, shown, acting, over }: StateMessage | Moves): Moment => ({ position, shown, acting, over });
