// The functions that pages may call, as npc/browser.py names them: arguments and results are JSON values. A game is named by its reference.

import type { Happening, Option, Seat, Shown } from "./table/model";

export type SelfCheck = { seed: string; playouts: number; moves: number; digest: string };

/** `moves` are the true ones, to be sent back; `seen` and the rest is what the visitor may know of them. */
export type PracticeUpdate = { ply: number; moves: string[]; seen: string[]; seats: Seat[]; events: Happening[]; position: string; acting: Seat[]; shown: Shown };
export type Practice = {
  you: Seat;
  players: (string | null)[];
  updates: PracticeUpdate[];
  ply: number;
  position: string;
  acting: Seat[];
  legal: string[];
  options: Option[];
  scores: number[];
  winners: Seat[];
  over: boolean;
  shown: Shown;
};

export type Proposal = { move: string | null; fault: string | null };

export type ReplayMoment = { position: string; shown: Shown };
export type ReplayFrame = ReplayMoment & { ply: number; move: string; seat: Seat; events: Happening[] };
export type ReplayRecord = { game: string; seats: string[]; setup: unknown; start: ReplayMoment; frames: ReplayFrame[] };
export type DiceCheck = { fair: boolean; dice: number; ply: number | null; reason: string };

export interface PythonCalls {
  "npc.panel.propose": (game: string, history: string[], members: [string, string][], seat: Seat) => Proposal[];
  "npc.practice.advance": (game: string, seed: string, moves: string[], opponents: string[] | null, level: string) => Practice;
  "npc.practice.options": (game: string, position: string, seat: Seat) => Option[];
  "npc.replays.check_dice": (game: string, seed: string, commitment: string, moves: string[]) => DiceCheck;
  "npc.replays.of_book": (text: string) => ReplayRecord;
  "npc.replays.of_moves": (game: string, moves: string[]) => ReplayRecord;
  "npc.rules.learn": (game: string, source: string) => null;
  "npc.selfcheck.import_all": () => string[];
  "npc.selfcheck.self_check": (seed: string, playouts: number) => SelfCheck;
}
