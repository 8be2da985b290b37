// What the page and the Python worker say to each other.

export type Step = "download" | "start" | "unpack";

export type Failure =
  | "no-worker" // the browser has no module workers, or did not start ours
  | "no-webassembly" // missing or forbidden
  | "network" // a file could not be loaded
  | "timeout" // nothing happened for too long
  | "python"; // Python itself reported an error

export type ToWorker =
  | { type: "start"; interrupts: Uint8Array | null; hung: readonly string[] } // questions that hung before: see prolog.ts
  | { type: "call"; id: number; name: string; args: string };

export type FromWorker =
  | { type: "progress"; step: Step; loaded: number; total: number }
  | { type: "ready"; python: string; archive: string }
  | { type: "asking"; key: string | null } // a rule base is being asked, or has answered
  | { type: "failed"; failure: Failure; detail: string }
  | { type: "result"; id: number; result: unknown }
  | { type: "error"; id: number; error: string; interrupted: boolean };
