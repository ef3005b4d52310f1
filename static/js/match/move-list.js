/** The list of plays: a line for the turns of both sides, in two columns; the side that is named first begins the lines. */
import { higherFirst } from "../board/dice.js";
import { SIDES, opponentOf } from "../board/sides.js";
import { gettext } from "../i18n.js";
import { actionLabel, isPlay } from "./action-text.js";

/**
 * @typedef {object} Cell one action
 * @property {string} dice
 * @property {string} text
 * @property {number} n the number of the action
 * @property {boolean} [ordered] the site did it on an order of its player
 */
/** @typedef {{number: number, white: Cell[], black: Cell[]}} Line what each side did in one turn: often one thing, in acey-deucey many */
/** @typedef {Record<Side, {name: string, colour: Side}>} Heads */

/**
 * The lines of one game. Pure.
 * @param {{seat: Seat, text: string, n: number, ordered?: boolean}[]} actions
 * @param {Side} [first] the side whose turn opens a line
 * @returns {Line[]}
 */
export function linesOf(actions, first = "white") {
  /** @type {Line[]} */
  const lines = [];
  let dice = "";
  /** @type {Side | null} */
  let roller = null;
  /** @type {Side | null} */
  let played = null;
  /** @type {Side | null} */
  let acted = null;
  for (const { seat, text, n, ordered } of actions) {
    const thrown = /^(?:dice (\d\d)|name (\d))/.exec(text);
    if (thrown) dice = thrown[1] ?? thrown[2].repeat(2);
    if (isSide(seat) && (text === "roll" || thrown)) roller = seat;
    if (thrown?.[1] || text === "roll" || text === "start") continue;
    /** @type {Seat | null} */
    let side = seat;
    // The server passes for the one who rolled; a closed-out player never rolled, and follows who played last.
    if (seat === "server") side = text === "pass" ? (dice ? roller : played && opponentOf(played)) : lost(text);
    if (!isSide(side)) continue;
    const rolled = text.includes("/") || text === "pass";
    const cell = { dice: rolled ? higherFirst([...dice].map(Number)).join("") : "", text: /^(flag|absent) /.test(text) ? text.split(" ")[0] : text, n, ...(ordered && { ordered }) };
    const last = lines.at(-1);
    const open = last && (acted === side || (!last[side].length && side !== first));
    if (open) last[side].push(cell);
    else lines.push({ number: lines.length + 1, white: [], black: [], [side]: [cell] });
    acted = side;
    if (rolled) dice = "";
    if (rolled || isPlay(text)) played = side;
  }
  return lines;
}

/** @param {string | null} seat @returns {seat is Side} */
function isSide(seat) {
  return seat === "white" || seat === "black";
}

/** Whose time ran out, or who was away. @param {string} text @returns {Side | null} */
function lost(text) {
  const side = /^(?:flag|absent) (white|black)$/.exec(text)?.[1] ?? null;
  return isSide(side) ? side : null;
}

/** @typedef {{heads: string, body: HTMLTableSectionElement, keys: string[]}} Shown what a list shows now */
/** @type {WeakMap<HTMLElement, Shown>} */
const lists = new WeakMap();

/**
 * Shows the lines; of those that it shows already only what differs is made anew.
 * @param {HTMLElement} element
 * @param {Line[]} lines
 * @param {{heads: Heads, first?: Side, current?: number | null, pick?: (n: number) => void}} options
 */
export function showLines(element, lines, { heads, first = "white", current = null, pick }) {
  const columns = [first, opponentOf(first)];
  const shown = listOf(element, columns.map((side) => heads[side]));
  const { body } = shown;
  const cells = lines.map((line) => columns.map((side) => line[side]));
  const keys = cells.map((line) => JSON.stringify([line, line.flat().some(({ n }) => n === current) && current]));
  for (const [at, line] of cells.entries()) {
    if (shown.keys[at] === keys[at]) continue;
    const row = document.createElement("tr");
    const head = document.createElement("th");
    head.scope = "row";
    head.textContent = `${lines[at].number}.`;
    row.append(head);
    for (const entries of line) row.insertCell().append(...entries.map((entry) => cellOf(entry, entry.n === current, pick)));
    if (body.rows[at]) body.rows[at].replaceWith(row);
    else body.append(row);
  }
  while (body.rows.length > lines.length) body.deleteRow(-1);
  if (pick && keys.join() !== shown.keys.join()) scrollTo(element);
  shown.keys = keys;
}

/** The table of a list: a new one where other players stand above it. @param {HTMLElement} element @param {Heads[Side][]} columns @returns {Shown} */
function listOf(element, columns) {
  const heads = JSON.stringify(columns);
  const before = lists.get(element);
  if (before?.heads === heads) return before;
  const table = document.createElement("table");
  table.append(headOf(columns));
  const shown = { heads, body: table.createTBody(), keys: [] };
  element.replaceChildren(table);
  lists.set(element, shown);
  return shown;
}

/** The entry that is read now comes to the middle. @param {HTMLElement} element */
function scrollTo(element) {
  const here = element.querySelector(".here");
  if (here) element.scrollTop += here.getBoundingClientRect().top - element.getBoundingClientRect().top - element.clientHeight / 2;
}

/** Who plays in which column, and with which colour. @param {Heads[Side][]} columns */
function headOf(columns) {
  const head = document.createElement("thead");
  const row = head.insertRow();
  const corner = row.insertCell();
  corner.setAttribute("aria-hidden", "true");
  for (const { name, colour } of columns) {
    const cell = document.createElement("th");
    cell.scope = "col";
    cell.className = colour;
    const nameElement = document.createElement("bdi");
    nameElement.textContent = name;
    cell.append(nameElement);
    cell.title = colour === "white" ? gettext("White") : gettext("Black");
    row.append(cell);
  }
  return head;
}

/**
 * The first column of a game: White's, or where a colour begins the seat that has it.
 * @param {GameView | undefined} position
 * @returns {Side}
 */
export function firstOf(position) {
  const colours = position?.colours;
  return SIDES.find((side) => colours?.[side] === "black") ?? "white";
}

/** @param {Cell} entry @param {boolean} here @param {((n: number) => void) | undefined} pick */
function cellOf(entry, here, pick) {
  const cell = document.createElement(pick ? "button" : "span");
  cell.className = here ? "move here" : "move";
  if (pick) {
    cell.setAttribute("type", "button");
    cell.addEventListener("click", () => pick(entry.n));
    if (here) cell.setAttribute("aria-current", "true");
  }
  if (entry.dice) {
    const dice = document.createElement("b");
    dice.textContent = entry.dice;
    cell.append(dice, " ");
  }
  for (const word of actionLabel(entry.text).split(" ")) cell.append(whole(word), " ");
  if (entry.ordered) {
    const mark = document.createElement("small");
    mark.textContent = gettext("auto");
    cell.append(mark);
  }
  return cell;
}

/** A step of a play is never broken over two lines. @param {string} text */
function whole(text) {
  const word = document.createElement("span");
  word.className = "step";
  word.textContent = text;
  return word;
}
