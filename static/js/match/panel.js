/** What stands around the board: the players' strips, the score, the headline and the buttons. */
import { fill, gettext } from "../words.js";
import { face, LOW } from "./clock.js";
import { waitedFor } from "./words.js";

/**
 * The element of the page with this data-part.
 * @param {ParentNode} root
 * @param {string} name
 */
export function part(root, name) {
  const found = root.querySelector(`[data-part="${name}"]`);
  if (!found) throw new Error(`the page lacks ${name}`);
  return /** @type {HTMLElement} */ (found);
}

/** @param {HTMLElement} element @param {string} text */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * @param {HTMLElement} root
 * @param {Side} side
 * @param {Side} bottom
 */
export function stripOf(root, side, bottom) {
  const strip = root.querySelector(`[data-strip="${side === bottom ? "me" : "them"}"]`);
  return /** @type {HTMLElement} */ (strip);
}

/**
 * @param {HTMLElement} root
 * @param {State} state
 * @param {Side} bottom
 */
export function showStrips(root, state, bottom) {
  const waiting = waitedFor(state);
  for (const side of /** @type {Side[]} */ (["white", "black"])) {
    const strip = stripOf(root, side, bottom);
    strip.dataset.side = side;
    strip.classList.toggle("turn", waiting === side);
    write(part(strip, "name"), state.match.players[side]?.name ?? "…");
    part(strip, "bot").hidden = !state.match.players[side]?.bot;
    write(part(strip, "pips"), String(state.position.pips?.[side] ?? ""));
    write(part(strip, "score"), String(state.match.score[side]));
    const turn = part(strip, "turn");
    turn.hidden = waiting !== side;
    write(turn, side === state.you ? gettext("Your turn") : gettext("To play"));
  }
}

/**
 * @param {HTMLElement} root
 * @param {import("./clock.js").Reading | null} reading
 * @param {Side} bottom
 */
export function showClocks(root, reading, bottom) {
  for (const side of /** @type {Side[]} */ (["white", "black"])) {
    const strip = stripOf(root, side, bottom);
    const clock = part(strip, "clock");
    clock.hidden = !reading;
    if (!reading) continue;
    const running = reading.running === side;
    const delay = running && reading.delay > 0 ? `+${Math.ceil(reading.delay / 1000)}` : "";
    write(part(strip, "time"), face(reading.left[side]));
    write(part(strip, "delay"), delay);
    clock.classList.toggle("running", running);
    clock.classList.toggle("low", running && reading.delay === 0 && reading.left[side] < LOW);
  }
}

/**
 * @param {HTMLElement} root
 * @param {{white: boolean, black: boolean}} here
 * @param {State} state
 * @param {Side} bottom
 */
export function showPresence(root, here, state, bottom) {
  for (const side of /** @type {Side[]} */ (["white", "black"])) {
    const bot = state.match.players[side]?.bot ?? false;
    const present = here[side] || bot || side === state.you;
    const strip = stripOf(root, side, bottom);
    strip.classList.toggle("present", present);
    part(strip, "presence").hidden = present || state.match.status !== "live";
  }
}

/**
 * @param {HTMLElement} root
 * @param {Pick<State, "match" | "position">} state
 */
export function showScore(root, { match, position }) {
  const { score } = match;
  const facts = [
    score.length ? fill(gettext("Match to %(length)s"), { length: score.length }) : gettext("Money session"),
    fill(gettext("Game %(number)s"), { number: match.game }),
  ];
  if (position.cube) facts.push(fill(gettext("Cube %(value)s"), { value: position.cube.value }));
  const list = document.createElement("p");
  list.className = "score-facts";
  for (const fact of facts) {
    const item = document.createElement("span");
    item.textContent = fact;
    list.append(item);
  }
  if (score.crawford) {
    const badge = document.createElement("span");
    badge.className = "badge badge-accent";
    badge.textContent = gettext("Crawford game");
    list.append(badge);
  }
  const table = document.createElement("table");
  for (const side of /** @type {Side[]} */ (["white", "black"])) {
    const row = table.insertRow();
    row.className = side;
    const head = document.createElement("th");
    head.scope = "row";
    const name = document.createElement("bdi");
    name.textContent = match.players[side]?.name ?? "…";
    head.append(name);
    row.append(head);
    row.insertCell().textContent = String(score[side]);
    row.insertCell().textContent = away(score, side);
  }
  part(root, "scoreboard").replaceChildren(table, list);
}

/** @param {Score} score @param {Side} side */
function away(score, side) {
  if (!score.length) return "";
  const left = score.length - score[side];
  return left > 0 ? fill(gettext("%(count)s-away"), { count: left }) : "";
}

/**
 * Shows the buttons that the server names, and those of the play under way; the focus never falls into nothing.
 * @param {HTMLElement} root
 * @param {Map<string, boolean>} shown the data-act and data-do names that exist now, and whether they can be pressed
 */
export function showButtons(root, shown) {
  const box = part(root, "buttons");
  const active = document.activeElement;
  const had = active instanceof HTMLButtonElement && box.contains(active);
  for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (box.querySelectorAll("[data-act],[data-do]"))) {
    const able = shown.get(button.dataset.act ?? button.dataset.do ?? "");
    button.hidden = able === undefined;
    button.disabled = able === false;
  }
  if (!had || (!active.hidden && !active.disabled)) return;
  const next = box.querySelector(".btn-primary:not([hidden], :disabled)") ?? box.querySelector(".btn:not([hidden], :disabled)");
  (next instanceof HTMLElement ? next : part(root, "headline")).focus({ preventScroll: true });
}
