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

export interface PythonCalls {
  "npc.practice.advance": (seed: string, moves: string[]) => Practice;
  "npc.practice.options": (position: string) => PracticeOption[];
  "npc.selfcheck.self_check": (seed: string, playouts: number) => SelfCheck;
}
