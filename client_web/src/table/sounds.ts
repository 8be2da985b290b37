/** Synthesised sounds, off until the player turns them on. Nothing is downloaded. Games compose their own. */

export interface Sounds {
  on: boolean;
  /** `colour` from 0 to 1 varies the sound, as a walk rises in pitch. */
  play(score: Score, colour?: number): void;
}

interface Note {
  readonly wave: OscillatorType;
  /** Pitch at the start and at the end, in hertz. */
  readonly from: number;
  readonly to: number;
  readonly seconds: number;
  readonly volume: number;
  readonly after?: number;
}

export type Score = (colour: number) => readonly Note[];

export const tone = (wave: OscillatorType, from: number, to: number, seconds: number, volume: number, after = 0): Note => ({ wave, from, to, seconds, volume, after });

export const PUT: Score = () => [tone("triangle", 240, 120, 0.12, 0.25)];
export const TURN: Score = () => [tone("sine", 660, 660, 0.12, 0.1), tone("sine", 880, 880, 0.18, 0.1, 0.13)];
export const OVER: Score = () => [tone("sine", 784, 784, 0.2, 0.12), tone("sine", 659, 659, 0.2, 0.12, 0.2), tone("sine", 1047, 1047, 0.6, 0.12, 0.4)];

const MEMORY = "grintu.sounds";

export function createSounds(): Sounds {
  let context: AudioContext | null = null;
  let on = localStorage.getItem(MEMORY) === "on";
  return {
    get on() {
      return on;
    },
    set on(value: boolean) {
      on = value;
      localStorage.setItem(MEMORY, value ? "on" : "off");
    },
    play(score, colour = 0) {
      if (!on || document.hidden) return;
      context ??= new AudioContext();
      void context.resume();
      for (const note of score(colour)) sound(context, note);
    },
  };
}

function sound(context: AudioContext, { wave, from, to, seconds, volume, after = 0 }: Note): void {
  const start = context.currentTime + after;
  const oscillator = new OscillatorNode(context, { type: wave, frequency: from });
  const gain = new GainNode(context, { gain: volume });
  oscillator.frequency.exponentialRampToValueAtTime(Math.max(1, to), start + seconds);
  gain.gain.setValueAtTime(volume, start);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + seconds);
  oscillator.connect(gain).connect(context.destination);
  oscillator.start(start);
  oscillator.stop(start + seconds + 0.02);
}
