/** What every member of the panel would do where another seat is to act, computed in the worker and proposed to the server. */

import { python } from "../python";
import type { Seat } from "../table/model";
import type { PanelMember } from "../wire";

export class Panel {
  #game = "";
  #members: [string, string][] = [];

  /** Without members nothing is computed here: the programs think on the server. */
  seat(game: string, members: readonly PanelMember[]): void {
    this.#game = game;
    this.#members = members.map(({ player, seed }) => [player, seed]);
  }

  /** One choice per member, in their order; null if the worker is not there or the whole panel failed: then nothing is proposed. */
  async choices(moves: readonly string[], seat: Seat): Promise<(string | null)[] | null> {
    if (this.#members.length === 0 || python.state.kind !== "ready") return null;
    try {
      const proposals = await python.call("npc.panel.propose", [this.#game, [...moves], this.#members, seat]);
      return proposals.map(({ move }) => move);
    } catch {
      return null; // the server computes the decision itself
    }
  }
}
