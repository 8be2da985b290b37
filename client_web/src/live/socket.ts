/** A websocket that comes back: it reconnects with growing pauses until the server says that there is nothing to come back to. */

/** Codes after which reconnecting is pointless: said goodbye, huge frame, broken messages, no session, not yours, no such match. */
const FINAL_CODES: ReadonlySet<number> = new Set([1000, 1009, 4400, 4401, 4403, 4404]);
const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 5_000;
const FLOOD_CODE = 4429;
/** A connection that does not open in this time is given up and tried anew. */
const OPENING_TIME = 8_000;
/** So is one on which a question stays unanswered: networks can vanish without a word. */
const ANSWER_TIME = 10_000;

export interface SocketEvents<In> {
  opened(): void;
  received(message: In): void;
  /** The connection is lost; it is being sought again. */
  lost(): void;
  /** The server has closed it for good. */
  closed(code: number): void;
}

export class LiveSocket<In, Out> {
  #socket: WebSocket | null = null;
  #pause = FIRST_PAUSE;
  #timer = 0;
  #answer = 0;
  #ended = false;

  constructor(
    private readonly path: string,
    private readonly events: SocketEvents<In>,
  ) {
    window.addEventListener("online", () => this.#retryNow());
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.#retryNow();
    });
    window.addEventListener("offline", () => this.#giveUp());
    this.#open();
  }

  get isOpen(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  /** Sends if the connection is open; what is lost meanwhile is asked for again after reconnecting. */
  send(message: Out): boolean {
    if (!this.isOpen) return false;
    this.#socket!.send(JSON.stringify(message));
    return true;
  }

  /** Sends what the server answers with a message of some kind; if it stays silent, the connection is made anew. */
  ask(message: Out): boolean {
    if (!this.send(message)) return false;
    clearTimeout(this.#answer);
    this.#answer = window.setTimeout(() => this.#giveUp(), ANSWER_TIME);
    return true;
  }

  end(): void {
    this.#ended = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#answer);
    this.#socket?.close(1000);
  }

  #open(): void {
    const socket = new WebSocket(new URL(this.path, location.href.replace(/^http/, "ws")));
    this.#socket = socket;
    let opened = false;
    const opening = window.setTimeout(() => socket.close(), OPENING_TIME);
    socket.onopen = () => {
      opened = true;
      clearTimeout(opening);
      this.events.opened();
    };
    socket.onmessage = (event: MessageEvent<string>) => {
      if (socket !== this.#socket) return; // given up already
      clearTimeout(this.#answer);
      this.#pause = FIRST_PAUSE; // it works; being let in is not enough
      this.events.received(JSON.parse(event.data) as In);
    };
    socket.onclose = (event) => {
      clearTimeout(opening);
      if (this.#ended || socket !== this.#socket) return;
      if (FINAL_CODES.has(event.code) && opened) {
        this.#ended = true;
        return this.events.closed(event.code);
      }
      if (event.code === FLOOD_CODE) this.#pause = LONGEST_PAUSE;
      this.#comeBack();
    };
  }

  /** Without waiting for a goodbye, which a connection that is gone never says. */
  #giveUp(): void {
    if (this.#ended || this.#socket === null) return;
    const gone = this.#socket;
    this.#socket = null;
    gone.close();
    this.#comeBack();
  }

  #comeBack(): void {
    this.#socket = null;
    clearTimeout(this.#answer);
    this.events.lost();
    this.#timer = window.setTimeout(() => this.#open(), this.#pause * (0.75 + Math.random() / 2));
    this.#pause = Math.min(LONGEST_PAUSE, this.#pause * 2);
  }

  #retryNow(): void {
    if (this.#ended || this.#socket !== null) return;
    clearTimeout(this.#timer);
    this.#open();
  }
}
