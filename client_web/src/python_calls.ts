// The functions that pages may call, as npc/browser.py names them: arguments and results are JSON values.

export type SelfCheck = { seed: string; playouts: number; moves: number; digest: string };

export interface PythonCalls {
  "npc.selfcheck.self_check": (seed: string, playouts: number) => SelfCheck;
}
