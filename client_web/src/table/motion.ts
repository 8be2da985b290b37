/** Time on the board: animations that always end, quickened or stilled as the player wishes. */

export interface Motion {
  /** Draws from 0 to 1 in `milliseconds`; ends at once if the page is hidden or motion is to be reduced. */
  run(milliseconds: number, draw: (part: number) => void): Promise<void>;
  /** A moment to look; kept, but shortened, when motion is reduced. */
  pause(milliseconds: number): Promise<void>;
  readonly still: boolean;
  /** 1 shows everything at leisure, 2 twice as fast; Infinity shows results only. */
  speed: number;
}

const STILL_PAUSE_SHARE = 0.5;

const MEMORY = "grintu.speed";
export const SPEEDS = [1, 2, 4] as const;
/** Quick enough to play fluently, slow enough to follow. Matches are shown at the pace that the study sets, the same on every seat: it would colour the times that are measured. */
const USUAL_SPEED = 2;

/** The pace that the player chose last, for practice and replays. */
function keptSpeed(): number {
  const kept = Number(localStorage.getItem(MEMORY));
  return kept > 0 ? kept : USUAL_SPEED;
}

export function keepSpeed(speed: number): void {
  localStorage.setItem(MEMORY, String(speed));
}

export function createMotion(speed = keptSpeed()): Motion {
  const wish = window.matchMedia("(prefers-reduced-motion: reduce)");
  const motion: Motion = {
    speed,
    get still() {
      return wish.matches;
    },
    run(milliseconds, draw) {
      const duration = milliseconds / motion.speed;
      if (motion.still || document.hidden || duration < 1) {
        draw(1);
        return Promise.resolve();
      }
      return frames(duration, draw);
    },
    pause(milliseconds) {
      const duration = (milliseconds / motion.speed) * (motion.still ? STILL_PAUSE_SHARE : 1);
      return document.hidden || duration < 1 ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, duration));
    },
  };
  return motion;
}

function frames(duration: number, draw: (part: number) => void): Promise<void> {
  return new Promise((resolve) => {
    const started = performance.now();
    let ended = false;
    const end = (): void => {
      if (ended) return;
      ended = true;
      clearTimeout(guard);
      draw(1);
      resolve();
    };
    // A tab that goes to the background gets no frames any more; the game must not wait for them.
    const guard = setTimeout(end, duration + 250);
    const frame = (now: number): void => {
      if (ended) return;
      const part = Math.max(0, (now - started) / duration);
      if (part >= 1) return end();
      draw(part);
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
}

export const easeInOut = (part: number): number => part * part * (3 - 2 * part);
export const easeOut = (part: number): number => 1 - (1 - part) ** 3;
