/** Steps shown one after another, each for its time. With reduced motion wanted, only the last one is shown. */

/** How long a piece slides at its own player's screen, in milliseconds. */
export const SLIDE = 230;
/** How long it slides when recorded actions are animated, and how long the last position of a game stays. */
export const RECORDED_SLIDE = 240;
export const GAME_END = 1400;

/** @typedef {{show: () => void, ms: number}} Step */
/** @typedef {"step" | "hit" | "roll"} Sound */
/**
 * @template Scene
 * @typedef {{scene: Scene, ms: number, sound: Sound | null}} AnimationStep a picture that is shown for a time
 */

/** How much longer or shorter each step lasts, by the preference of the page. @type {Record<string, number>} */
const PACE = { slow: 1.8, normal: 1, fast: 0.5 };

/** Does the reader want no motion? */
export function prefersReducedMotion() {
  if (typeof document === "object" && document.documentElement.dataset.animation === "off") return true;
  return typeof matchMedia === "function" && matchMedia("(prefers-reduced-motion: reduce)").matches;
}

export class Timeline {
  /** @type {Step[]} */
  #waiting = [];
  /** @type {(() => void) | null} */
  #done = null;
  #timer = 0;

  get busy() {
    return this.#done !== null;
  }

  /**
   * Shows the steps, then calls `done`. A timeline that is still running is finished first.
   * @param {Step[]} steps
   * @param {() => void} done
   */
  run(steps, done) {
    this.finish();
    this.#waiting = prefersReducedMotion() || document.hidden ? [] : [...steps];
    this.#done = done;
    this.#next();
  }

  /** Jumps to the end. */
  finish() {
    clearTimeout(this.#timer);
    this.#waiting = [];
    const done = this.#done;
    this.#done = null;
    done?.();
  }

  #next() {
    const step = this.#waiting.shift();
    if (!step) {
      this.finish();
      return;
    }
    step.show();
    this.#timer = window.setTimeout(() => this.#next(), step.ms * (PACE[document.documentElement.dataset.animation ?? ""] ?? 1));
  }
}
