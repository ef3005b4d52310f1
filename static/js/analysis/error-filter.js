/** Which errors of a match analysis are shown, and where stepping leads. Pure. */

/** @typedef {{side: string, grade: string}} ErrorItem */

/** The grades from each one on. @type {Record<string, string[]>} */
const FROM = { blunder: ["blunder"], error: ["blunder", "error"], doubtful: ["blunder", "error", "doubtful"] };

/**
 * The numbers of the items that a filter lets through.
 * @param {ErrorItem[]} items
 * @param {{side: string, grade: string}} filter an empty side is both
 */
export function filtered(items, { side, grade }) {
  const grades = FROM[grade] ?? FROM.doubtful;
  return items.flatMap((item, n) => ((!side || item.side === side) && grades.includes(item.grade) ? [n] : []));
}

/**
 * The next or the last one before among those shown; from outside, the nearest. Stays at the ends.
 * @param {number[]} shown
 * @param {number} now
 * @param {"next" | "back"} direction
 */
export function neighbour(shown, now, direction) {
  if (direction === "next") return shown.find((n) => n > now) ?? shown[shown.length - 1] ?? -1;
  return shown.findLast((n) => n < now) ?? shown[0] ?? -1;
}
