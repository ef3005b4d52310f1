/** The match clock as shown: only a display of what the server said, run on by the browser's own steady time. */

export const LOW = 15_000;
const DAY = 86_400_000;

/**
 * @typedef {object} Reading
 * @property {Record<Side, number>} left milliseconds of reserve
 * @property {number} delay milliseconds of delay left to the running side
 * @property {Side | null} running
 * @property {Record<Side, boolean>} [over] whether a side's `left` is its overtime, where there was any
 */

/**
 * First the delay runs, then the reserve (US delay), then the overtime. `elapsed` is the time since the state arrived.
 * @param {ClockState} clock
 * @param {number} elapsed milliseconds
 * @returns {Reading}
 */
export function read(clock, elapsed) {
  const left = { white: clock.white, black: clock.black };
  const { running } = clock;
  if (clock.delay >= DAY) return { left: days(clock, elapsed), delay: 0, running };
  const used = Math.max(0, elapsed - clock.delay_left);
  const reading = { left, delay: running ? Math.max(0, clock.delay_left - elapsed) : clock.delay_left, running };
  if (!clock.overtime) {
    if (running) left[running] = Math.max(0, left[running] - used);
    return reading;
  }
  const over = { white: false, black: false };
  for (const side of /** @type {Side[]} */ (["white", "black"])) {
    const rest = left[side] - (side === running ? used : 0);
    over[side] = rest <= 0;
    left[side] = over[side] ? Math.max(0, clock.overtime[side] + rest) : rest;
  }
  return { ...reading, over };
}

/** By correspondence a turn has nothing but its delay of days. @param {ClockState} clock @param {number} elapsed */
function days({ delay, delay_left, running }, elapsed) {
  const left = { white: delay, black: delay };
  if (running) left[running] = Math.max(0, delay_left - elapsed);
  return left;
}

/**
 * `9:05`, below ten seconds with tenths, above a day in days: `2 d 3 h`.
 * @param {number} ms
 */
export function face(ms) {
  const seconds = Math.floor(ms / 1000);
  if (ms < 10_000) return `0:0${Math.floor(ms / 100) / 10}`.replace(/:0(\d)$/, ":0$1.0");
  const [minutes, hours] = [Math.floor(seconds / 60), Math.floor(seconds / 3600)];
  if (hours >= 24) return `${Math.floor(hours / 24)} d ${hours % 24} h`;
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  if (hours) return `${hours}:${two(minutes % 60)}:${two(seconds % 60)}`;
  return `${minutes}:${two(seconds % 60)}`;
}

export class Clock {
  /** @type {ClockState | null} */
  #clock = null;
  #at = 0;
  #timer = 0;

  /**
   * @param {(reading: Reading | null) => void} show
   * @param {() => number} [now]
   */
  constructor(show, now = () => performance.now()) {
    this.show = show;
    this.now = now;
  }

  /** @param {ClockState | null} clock */
  set(clock) {
    this.#clock = clock;
    this.#at = this.now();
    clearTimeout(this.#timer);
    this.#tick();
  }

  reading() {
    return this.#clock && read(this.#clock, this.now() - this.#at);
  }

  #tick() {
    const reading = this.reading();
    this.show(reading);
    if (!reading?.running) return;
    const low = reading.left[reading.running] < LOW;
    this.#timer = window.setTimeout(() => this.#tick(), low ? 100 : 250);
  }
}
