/** The report of a result from the match clock: as its player by the API, or as a director as the desk sends it. */

/** @typedef {import("./clock.js").Player} Player */

/**
 * @typedef {object} ReportWay
 * @property {"player" | "director"} as
 * @property {string} url
 */

/** @typedef {{ok: boolean, text: string}} ReportAnswer */

export class SignedOut extends Error {}

/** A name that no other report has. */
export function newSent() {
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  return `${[...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")}-1`;
}

/**
 * The body of the request, as JSON for a player and as a form for a director.
 * @param {ReportWay} way
 * @param {{key: string, numbers: number[], winner: Player, score: number[], sent: string}} result
 * @returns {{body: string, type: string}}
 */
export function reportBody(way, { key, numbers, winner, score, sent }) {
  const claim = { key, winner: numbers[winner], won: score[winner], lost: score[1 - winner] };
  if (way.as === "player") return { body: JSON.stringify(claim), type: "application/json" };
  const fields = { ...claim, how: "played", of: numbers.join(" "), sent };
  const form = new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, String(value)]));
  return { body: form.toString(), type: "application/x-www-form-urlencoded" };
}

/**
 * Send a report. Rejects where no answer came; with SignedOut where the server knows the player no more.
 * @param {ReportWay} way
 * @param {{body: string, type: string}} request
 * @param {string} token of CSRF
 * @param {typeof fetch} send
 * @returns {Promise<ReportAnswer>}
 */
export async function sendReport(way, { body, type }, token, send) {
  const headers = { "Content-Type": type, "X-CSRFToken": token, Accept: "application/json" };
  const answer = await send(way.url, { method: "POST", body, headers, redirect: "manual" });
  const isJson = answer.headers.get("Content-Type")?.includes("json");
  if (answer.type === "opaqueredirect" || answer.status === 401 || (answer.status === 403 && !isJson)) throw new SignedOut();
  if (!isJson) throw new Error(String(answer.status));
  const { text } = await answer.json();
  return { ok: answer.ok, text: text ?? "" };
}
