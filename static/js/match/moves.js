/** The list of plays: one line a turn, White's cell and Black's. */
import { rival } from "../board/state.js";
import { short } from "./words.js";

/**
 * @typedef {object} Cell
 * @property {string} dice
 * @property {string} text
 * @property {number} n the number of the action
 */
/** @typedef {{number: number, white: Cell | null, black: Cell | null}} Line */

/**
 * The lines of one game. Pure.
 * @param {{seat: Seat, text: string, n: number}[]} actions
 * @returns {Line[]}
 */
export function linesOf(actions) {
  /** @type {Line[]} */
  const lines = [];
  let dice = "";
  /** @type {Side | null} */
  let roller = null;
  /** @type {Side | null} */
  let played = null;
  for (const { seat, text, n } of actions) {
    const thrown = /^dice (\d+)/.exec(text);
    if (thrown) dice = thrown[1];
    if (text === "roll" && (seat === "white" || seat === "black")) roller = seat;
    if (thrown || text === "roll" || text === "start") continue;
    /** @type {Seat | null} */
    let side = seat;
    // The server passes for the one who rolled; a closed-out player never rolled, and follows who played last.
    if (seat === "server") side = text === "pass" ? (dice ? roller : played && rival(played)) : flagged(text);
    if (side !== "white" && side !== "black") continue;
    const plays = text.includes("/") || text === "pass";
    const last = lines.at(-1);
    const cell = { dice: plays ? dice : "", text: text.startsWith("flag") ? "flag" : text, n };
    if (last && !last[side] && !(side === "white" && last.black)) last[side] = cell;
    else lines.push({ number: lines.length + 1, white: null, black: null, [side]: cell });
    if (plays) {
      dice = "";
      played = side;
    }
  }
  return lines;
}

/** Whose time ran out. @param {string} text @returns {Side | null} */
function flagged(text) {
  if (text === "flag white") return "white";
  return text === "flag black" ? "black" : null;
}

/**
 * @param {HTMLElement} element
 * @param {Line[]} lines
 * @param {{current?: number | null, pick?: (n: number) => void}} [options]
 */
export function showLines(element, lines, { current = null, pick } = {}) {
  const key = JSON.stringify([lines, current]);
  if (element.dataset.shown === key) return;
  element.dataset.shown = key;
  const table = document.createElement("table");
  for (const line of lines) {
    const row = table.insertRow();
    const head = document.createElement("th");
    head.scope = "row";
    head.textContent = `${line.number}.`;
    row.append(head);
    for (const side of /** @type {Side[]} */ (["white", "black"])) {
      const cell = row.insertCell();
      const what = line[side];
      if (what) cell.append(cellOf(what, what.n === current, pick));
    }
  }
  element.replaceChildren(table);
  const here = /** @type {HTMLElement | null} */ (element.querySelector(".here"));
  if (here) element.scrollTop += here.getBoundingClientRect().top - element.getBoundingClientRect().top - element.clientHeight / 2;
  else if (!pick) element.scrollTop = element.scrollHeight;
}

/** @param {Cell} what @param {boolean} here @param {((n: number) => void) | undefined} pick */
function cellOf(what, here, pick) {
  const cell = document.createElement(pick ? "button" : "span");
  cell.className = here ? "move here" : "move";
  if (pick) {
    cell.setAttribute("type", "button");
    cell.addEventListener("click", () => pick(what.n));
    if (here) cell.setAttribute("aria-current", "true");
  }
  if (what.dice) {
    const dice = document.createElement("b");
    dice.textContent = what.dice;
    cell.append(dice, " ");
  }
  for (const word of short(what.text).split(" ")) cell.append(whole(word), " ");
  return cell;
}

/** A step of a play is never broken over two lines. @param {string} text */
function whole(text) {
  const word = document.createElement("span");
  word.className = "step";
  word.textContent = text;
  return word;
}
