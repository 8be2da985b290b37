/**
 * The lobby: a wait that is seen, a way out at any time, and the same look whatever comes of it. When a table is found the match
 * page takes this page's place without a reload, so that the engine that has been loaded meanwhile stays.
 */

import { t, tn } from "../i18n";
import { BEAT_SECONDS, type LobbyClientMessage, type LobbyServerMessage } from "../wire";
import { LiveSocket } from "./socket";

export interface LobbyPage {
  readonly status: HTMLElement;
  readonly clock: HTMLElement;
  readonly bar: HTMLProgressElement;
  readonly leave: HTMLButtonElement;
}

export class Lobby {
  readonly #socket: LiveSocket<LobbyServerMessage, LobbyClientMessage>;
  readonly #beat: number;
  readonly #ticker: number;
  #waitedSince: number | null = null;
  #atMost = 0;
  #leaving = false;

  constructor(
    game: string,
    private readonly page: LobbyPage,
    private readonly seated: (match: string) => void,
  ) {
    this.#socket = new LiveSocket("/live/lobby", {
      opened: () => this.#socket.send({ type: "join", game }),
      received: (message) => this.#hear(message),
      lost: () => this.#say(t("The connection is lost. Trying to come back …")),
      closed: (code) => this.#closed(code),
    });
    this.#beat = window.setInterval(() => this.#socket.send({ type: "beat" }), BEAT_SECONDS * 1000);
    this.#ticker = window.setInterval(() => this.#tick(), 250);
    page.leave.addEventListener("click", () => this.#leave());
  }

  #hear(message: LobbyServerMessage): void {
    switch (message.type) {
      case "waiting":
        this.#waitedSince = performance.now() - message.waited_ms;
        this.#atMost = message.at_most_ms;
        this.#say(t("Looking for other players …"));
        return this.#tick();
      case "seated":
        this.#stop();
        this.#say(t("Your table is ready."));
        return this.seated(message.match);
      case "left":
        this.#stop();
        return location.assign(this.#leaving ? "/" : location.href); // who did not leave is told there why
      case "error":
        return this.#say(message.message);
    }
  }

  #tick(): void {
    if (this.#waitedSince === null) return;
    const waited = Math.min(performance.now() - this.#waitedSince, this.#atMost);
    const most = Math.ceil(this.#atMost / 1000);
    this.page.clock.textContent = tn("{n} of at most {most} second", "{n} of at most {most} seconds", most, { n: Math.floor(waited / 1000), most });
    this.page.bar.max = this.#atMost / 1000;
    this.page.bar.value = waited / 1000;
  }

  #say(text: string): void {
    if (this.page.status.textContent !== text) this.page.status.textContent = text;
  }

  #leave(): void {
    this.#leaving = true;
    this.page.leave.disabled = true;
    if (!this.#socket.send({ type: "leave" })) location.assign("/");
    setTimeout(() => location.assign("/"), 1_500); // out in any case: a silent place is not seated
  }

  #closed(code: number): void {
    this.#stop();
    if (code === 4401) location.assign(`/login?next=${here()}`);
    else if (code === 4403) location.assign(`/consent?next=${here()}`);
    else this.#say(t("The server has closed the connection. Reload the page to go on."));
  }

  #stop(): void {
    clearInterval(this.#beat);
    clearInterval(this.#ticker);
    this.#socket.end();
  }
}

const here = (): string => encodeURIComponent(location.pathname + location.search);
