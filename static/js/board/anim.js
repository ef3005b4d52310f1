/** Steps shown one after another, each for its time. With reduced motion wanted, only the last one is shown. */

export const SLIDE = 230;
export const TUMBLE = 420;

/** @typedef {{show: () => void, ms: number}} Step */

export function still() {
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
    this.#waiting = still() || document.hidden ? [] : [...steps];
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
    this.#timer = window.setTimeout(() => this.#next(), step.ms);
  }
}
