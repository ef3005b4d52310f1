/**
 * Decisions beside the move, each in a row of its own: which double to name, whether to huff or compel, whether to accept
 * a draw. The server's `may` and position say all of it.
 */
import { PIPS } from "../board/dice.js";
import { draw } from "../board/svg.js";
import { fill, gettext } from "../i18n.js";
import { disable, part } from "./panel.js";
import { nameOf } from "./format.js";

/**
 * @param {HTMLElement} root
 * @param {State} state
 * @param {boolean} busy a move was begun, or an act is on its way: nothing else can be done
 */
export function showDecisions(root, state, busy) {
  const asks = part(root, "asks");
  const rows = state.match.status === "live" ? decisionsOf(state) : [];
  const key = JSON.stringify(rows);
  if (asks.dataset.shown !== key) asks.replaceChildren(...rows.map(drawRow));
  asks.dataset.shown = key;
  // The rows stay while a move is made, so that no button jumps from under a finger.
  for (const button of asks.querySelectorAll("button")) disable(button, busy);
}

/** @typedef {{act: string, text: string, primary?: boolean, playable?: number}} Answer */
/** @typedef {{kind: "draw" | "huff" | "names", text: string, answers: Answer[], after?: string}} Row */

/**
 * Pure.
 * @param {State} state
 * @returns {Row[]}
 */
export function decisionsOf(state) {
  const { may, offer, position } = state;
  /** @type {Row[]} */
  const rows = [];
  if (offer?.draw && may.includes("accept")) {
    const answers = [{ act: "accept", text: gettext("Accept the draw"), primary: true }, { act: "reject", text: gettext("Reject the draw") }];
    rows.push({ kind: "draw", text: fill(gettext("%(name)s offers a draw."), { name: nameOf(state, offer.seat) }), answers });
  }
  const huffs = may.filter((name) => name.startsWith("huff "));
  const compel = may.includes("compel");
  if (huffs.length || compel) {
    const answers = huffs.map((act) => ({ act, text: fill(gettext("Huff %(square)s"), { square: act.slice(5) }) }));
    if (compel) answers.push({ act: "compel", text: gettext("Compel the capture") });
    rows.push({ kind: "huff", text: gettext("Your opponent could have captured."), answers, after: gettext("To let it go, just move.") });
  }
  const names = may.filter((name) => name.startsWith("name "));
  if (names.length) {
    const answers = names.map((act) => {
      const number = Number(act.slice(5));
      return { act, text: fill(gettext("Double %(number)s"), { number }), playable: position.names?.[number - 1] ?? 0 };
    });
    rows.push({ kind: "names", text: gettext("Name a double"), answers, after: gettext("Play all four numbers to roll again.") });
  }
  return rows;
}

/** @param {Row} row */
function drawRow({ kind, text, answers, after }) {
  const row = document.createElement("div");
  row.className = `match-decision ${kind}`;
  row.setAttribute("role", "group");
  row.setAttribute("aria-label", text);
  if (kind !== "names") row.append(sentence(text));
  const buttons = document.createElement("div");
  buttons.className = "match-answers";
  buttons.append(...answers.map((answer) => (answer.playable === undefined ? plain(answer) : double(answer, answer.playable))));
  row.append(buttons);
  if (after) row.append(sentence(after));
  return row;
}

/** @param {string} text */
function sentence(text) {
  const line = document.createElement("p");
  line.textContent = text;
  return line;
}

/** @param {Answer} answer */
function plain({ act, text, primary }) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = primary ? "btn btn-primary" : "btn";
  button.dataset.act = act;
  button.textContent = text;
  return button;
}

/** A double to name: its two dice, and how much of it can be played. @param {Answer} answer @param {number} playable */
function double(answer, playable) {
  const button = plain(answer);
  const number = Number(answer.act.slice(5));
  const name = document.createElement("span");
  name.className = "visually-hidden";
  name.textContent = `${answer.text}: `;
  const plays = document.createElement("span");
  plays.className = "match-plays";
  plays.textContent = playable ? fill(gettext("%(count)s of 4 playable"), { count: playable }) : gettext("none playable");
  button.replaceChildren(face(number), name, plays);
  button.classList.toggle("short", playable < 4);
  if (playable < 4) {
    const ends = document.createElement("span");
    ends.className = "match-ends";
    ends.textContent = gettext("ends your turn");
    button.append(ends);
  }
  return button;
}

/** Two dice that show a number. @param {number} value */
function face(value) {
  const dice = draw("svg", { class: "match-dice", viewBox: "0 0 92 44", "aria-hidden": "true" });
  for (const x of [22, 70]) {
    dice.append(
      draw("g", { transform: `translate(${x} 22)` }, [
        draw("rect", { x: -20, y: -20, width: 40, height: 40, rx: 8.5 }),
        ...PIPS[value].map(([dx, dy]) => draw("circle", { cx: dx * 10.6, cy: dy * 10.6, r: 4 })),
      ]),
    );
  }
  return dice;
}
