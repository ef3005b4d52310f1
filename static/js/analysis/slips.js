/** Which decisions of a report card are shown, and where stepping leads. Pure. */

/** @typedef {{side: string, grade: string}} Slip */

/** The grades from each one on. @type {Record<string, string[]>} */
const FROM = { blunder: ["blunder"], error: ["blunder", "error"], doubtful: ["blunder", "error", "doubtful"] };

/**
 * The numbers of the slips that a filter lets through.
 * @param {Slip[]} slips
 * @param {{side: string, grade: string}} filter an empty side is both
 */
export function chosen(slips, { side, grade }) {
  const grades = FROM[grade] ?? FROM.doubtful;
  return slips.flatMap((slip, n) => ((!side || slip.side === side) && grades.includes(slip.grade) ? [n] : []));
}

/**
 * The next or the last one before among those shown; from outside, the nearest. Stays at the ends.
 * @param {number[]} shown
 * @param {number} now
 * @param {"next" | "back"} way
 */
export function step(shown, now, way) {
  if (way === "next") return shown.find((n) => n > now) ?? shown[shown.length - 1] ?? -1;
  return shown.findLast((n) => n < now) ?? shown[0] ?? -1;
}
