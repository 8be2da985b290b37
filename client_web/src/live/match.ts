/**
 * A match from one seat: follows the referee's messages, shows them in order, asks when it is this seat's turn, and proposes what
 * the panel would do elsewhere. Whatever happens to the connection, the referee's state rules.
 */

import { framesOf, roughOptions } from "../board/frames";
import { type Layout, type Option, type Seat, STANDARD_LAYOUT, type State } from "../board/model";
import { readPosition } from "../board/notation";
import { Table } from "../board/table";
import { t, tn } from "../i18n";
import { python } from "../python";
import { recordingOfMoves } from "../replay_data";
import type { Asked, Ended, MatchClientMessage, MatchServerMessage, Moves, Problem, State as StateMessage } from "../wire";
import { Banners } from "./banners";
import { rememberCommitment } from "./commitments";
import { endPanel, replacedPanel } from "./endings";
import type { InteractionLog } from "./interactions";
import { Panel } from "./panel";
import { optionsOf, ownFrame } from "./practice";
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
  #state: State | null = null;
  /** The own move that has been shown and sent, but not yet confirmed. */
  #sent: { readonly ply: number; readonly move: string } | null = null;
  #clockTotal = 0;
  #toAct = -1;
  #silence = 0;
  readonly #layouts = new Map<string, Layout>([["standard", STANDARD_LAYOUT]]);
  #over = false;
  readonly #handlers: Handlers = {
    state: (message) => this.#resume(message),
    moves: (message) => this.#follow(message),
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
      if (state.kind === "ready" && this.#toAct >= 0 && this.#toAct !== this.#you) void this.#propose();
    });
  }

  #hello(): void {
    this.#socket.ask({ type: "hello", ply: this.#moves.length });
  }

  /** Everything this seat may know: at first, after a reload, after a lost connection. */
  #resume(message: StateMessage): void {
    const layout = this.#layouts.get(message.layout);
    if (!layout) return void this.#fetchLayout(message.game, message.layout);
    const table = this.#table ?? this.#seat(message, layout);
    const missed = this.#state === null ? 0 : message.ply - this.#moves.length;
    this.#moves = [...this.#moves.slice(0, message.since), ...message.moves];
    this.#sent = null;
    this.#state = readPosition(message.position);
    this.#clockTotal = message.clock_total_ms;
    this.#banners?.hide("connection");
    table.show(this.#state);
    if (missed > 0) table.announcer.note(tn("You are back. {n} move was played meanwhile.", "You are back. {n} moves were played meanwhile.", missed));
    if (message.starts_ms > 0) this.#countDown(message.starts_ms);
    this.#turn(message.to_act, message.legal, message.clock_ms);
    if (message.asked_ms !== null) this.#urge(message.asked_ms);
  }

  /** Boards other than the standard one are described by the server; then the state is asked for again. */
  async #fetchLayout(game: string, name: string): Promise<void> {
    const { layout } = await recordingOfMoves(`${game}:${name}`, []);
    this.#layouts.set(name, layout);
    this.#hello();
  }

  #seat(message: StateMessage, layout: Layout): Table {
    this.#you = message.you;
    this.#panel.seat(message.game, message.panel);
    this.host.replaceChildren();
    const table = new Table(this.host, { layout, you: message.you });
    this.#table = table;
    this.#banners = new Banners(table.banners, table.announcer);
    table.element.dataset["match"] = this.id;
    rememberCommitment(this.id, message.commitment);
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
    const table = this.#table;
    if (!table || !this.#state || message.ply !== this.#moves.length) return this.#hello();
    const shown = this.#sent?.ply === message.ply && this.#sent.move === message.moves[0];
    if (this.#sent && !shown) table.show(this.#state); // something else was played: a stand-in, or another tab of the same player
    this.#sent = null;
    if (!shown) table.withdraw();
    for (const frame of framesOf(message, this.#state).slice(shown ? 1 : 0)) void table.play(frame);
    this.#moves.push(...message.moves);
    this.#state = readPosition(message.position);
    this.#turn(message.to_act, message.legal, message.clock_ms);
  }

  /** Winds the clock, and asks the player or the panel. */
  #turn(seat: number, legal: readonly string[], clock: number): void {
    this.#banners?.hide("asked");
    clearTimeout(this.#silence);
    if (seat !== this.#you) this.#silence = window.setTimeout(() => this.#over || this.#hello(), SILENCE);
    const choice = legal.length > 0 && legal[0] !== "pass";
    this.#toAct = choice ? seat : -1;
    this.#table?.seats.clock(choice && seat >= 0 ? seat : null, clock, this.#clockTotal || clock);
    if (!choice || seat < 0) return;
    if (seat === this.#you) void this.#ask(legal);
    else void this.#propose();
  }

  async #ask(legal: readonly string[]): Promise<void> {
    const [table, state, ply] = [this.#table!, this.#state!, this.#moves.length];
    const layout = table.board.layout;
    let options: Option[] = roughOptions(state, legal, layout);
    let exact = options.length === 0;
    if (options.length > 0 && python.state.kind === "ready") {
      void python
        .call("npc.practice.options", [state.text])
        .then((known) => {
          if (this.#moves.length !== ply) return;
          options = optionsOf(known, state);
          exact = true;
          table.improve(options);
        })
        .catch(() => undefined); // without the worker the landing fields alone are shown
    }
    const move = await table.ask(options.length > 0 ? { kind: "piece", seat: this.#you, points: state.points, options } : { kind: "six", seat: this.#you });
    if (move === null || this.#moves.length !== ply) return;
    this.#sent = { ply, move };
    table.seats.clock(null);
    this.#socket.ask({ type: "play", ply, move });
    if (exact) void table.play(ownFrame(move, ply, state, options));
    else this.#sent = null; // the referee tells what it does
  }

  async #propose(): Promise<void> {
    const ply = this.#moves.length;
    const choices = await this.#panel.choices(this.#moves);
    if (choices !== null && this.#moves.length === ply) this.#socket.send({ type: "propose", ply, choices });
  }

  #asked(message: Asked): void {
    if (message.ply === this.#moves.length) this.#urge(message.ms);
  }

  #urge(milliseconds: number): void {
    this.#banners?.countDown("asked", milliseconds, (seconds) =>
      tn("Please move now. In {n} second a stand-in takes over your seat.", "Please move now. In {n} seconds a stand-in takes over your seat.", seconds),
    );
    this.#table?.sounds.play("turn");
  }

  #lost(): void {
    if (this.#over) return;
    this.#table?.withdraw();
    this.#table?.seats.clock(null);
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
    this.#over = true;
    this.#table?.withdraw();
    this.#table?.tray.element.after(replacedPanel());
    this.#table?.announcer.sayNow(t("A stand-in plays on for you."));
    void this.log?.stop();
  }

  async #ended(message: Ended): Promise<void> {
    if (this.#over) return;
    this.#over = true;
    const table = this.#table;
    if (!table) return;
    await table.seen();
    table.end(message.winners);
    const panel = endPanel(message, this.#you);
    table.tray.element.after(panel);
    panel.querySelector<HTMLAnchorElement>("a")?.focus({ preventScroll: true });
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
