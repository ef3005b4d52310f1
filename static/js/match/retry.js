/** How long a page waits before it tries to reach its match again. */

/** Close codes: docs/protocol.md. */
export const RESTARTS = 4012;
const TOO_FAST = 4429;
const QUICK_TRIES = 20; // while the site restarts: it is back within seconds, or its machine has enough to do

/**
 * A thousand pages that lost the same site do not come back in one moment.
 * @param {number} code with which the last line was closed
 * @param {number} tries since a line was open
 * @param {{link: string, options: {random: () => number}}} page
 */
export function retryDelay(code, tries, { link, options: { random } }) {
  if (code === RESTARTS) return 3000 * random();
  if (code === TOO_FAST) return 20_000 + 3000 * random();
  if (link === "restarting") return (300 + 700 * random()) * (tries < QUICK_TRIES ? 1 : 4);
  return Math.min(15_000, 400 * 2 ** Math.min(tries, 6)) * (0.5 + random() / 2);
}
