/**
 * How long there is still, as people read a clock: `1:05:09`, `4:07`, `0:00`.
 * @param {number} left - milliseconds
 */
export function countdown(left) {
  const seconds = Math.max(0, Math.ceil(left / 1000));
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
