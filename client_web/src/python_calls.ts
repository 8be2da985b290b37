// The functions that pages may call, as npc/browser.py names them: arguments and results are JSON values.

export type SelfCheck = { seed: string; playouts: number; moves: number; digest: string };

export type PracticeStep = [number, number, number, string];
export type PracticeUpdate = { ply: number; moves: string[]; steps: PracticeStep[]; position: string };
export type PracticeOption = { move: string; steps: PracticeStep[] };
export type Practice = {
  you: number;
  strategies: (string | null)[];
  updates: PracticeUpdate[];
  ply: number;
  position: string;
  legal: string[];
  options: PracticeOption[];
  scores: number[];
  winners: number[];
  over: boolean;
};

export type Proposal = { move: string | null; fault: string | null };

export type ReplayFrame = { ply: number; move: string; seat: number; steps: PracticeStep[]; position: string };
export type ReplayLayout = { fields: number; goals: [number, number][]; switches: [number, number][]; backs: [number, number][] };
export type ReplayRecord = { layout: ReplayLayout; frames: ReplayFrame[] };
export type DiceCheck = { fair: boolean; dice: number; ply: number | null; reason: string };

export interface PythonCalls {
  "npc.panel.propose": (game: string, history: string[], members: [string, string][]) => Proposal[];
  "npc.practice.advance": (seed: string, moves: string[]) => Practice;
  "npc.practice.options": (position: string) => PracticeOption[];
  "npc.replays.check_dice": (game: string, seed: string, commitment: string, moves: string[]) => DiceCheck;
  "npc.replays.of_book": (text: string) => ReplayRecord;
  "npc.replays.of_moves": (game: string, moves: string[]) => ReplayRecord;
  "npc.selfcheck.import_all": () => string[];
  "npc.selfcheck.self_check": (seed: string, playouts: number) => SelfCheck;
}
