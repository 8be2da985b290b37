// The functions of npc/browser.py that pages may call: names, arguments and results as JSON values. Add a line here for every entry of its registry.

export type SelfCheck = { game: string; playouts: number; moves: number; digest: string };

export interface PythonCalls {
  "npc.browser.self_check": (game: string, seed: string, playouts: number) => SelfCheck;
  "npc.browser.python_version": () => string;
}
