/** What stands around the board: the players' strips, the score, the word about the line. */
import { fill, gettext, ngettext } from "../i18n.js";
import { face, LOW } from "./clock.js";
import { SIDES } from "../board/sides.js";
import { coloured, drawNear, halves, waitedFor } from "./format.js";

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

/** An attribute that is set once more makes the browser compute styles once more: so only what changes is set. @param {HTMLElement} element @param {boolean} hidden */
export function hide(element, hidden) {
  if (element.hidden !== hidden) element.hidden = hidden;
}

/** @param {HTMLButtonElement} button @param {boolean} disabled */
export function disable(button, disabled) {
  if (button.disabled !== disabled) button.disabled = disabled;
}

/** @param {HTMLElement} button @param {boolean} on */
export function pressed(button, on) {
  if (button.getAttribute("aria-pressed") !== String(on)) button.setAttribute("aria-pressed", String(on));
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
 * @param {Record<Side, number> | null} pips as the board shows them
 */
export function showStrips(root, state, bottom, pips) {
  const waiting = waitedFor(state);
  const position = { ...state.position, pips };
  for (const side of SIDES) {
    const strip = stripOf(root, side, bottom);
    strip.classList.toggle("turn", waiting === side);
    hide(part(strip, "bot"), !state.match.players[side]?.bot);
    showSide(strip, side, position, state.match.players[side]?.name ?? "…", state.match.score);
    const turn = part(strip, "turn");
    hide(turn, waiting !== side);
    write(turn, side === state.you ? gettext("Your turn") : gettext("To play"));
  }
}

/**
 * What the strip of a side says at any moment, live or in a replay.
 * @param {HTMLElement} strip
 * @param {Side} side
 * @param {GameView} position
 * @param {string} name
 * @param {Score} score
 */
export function showSide(strip, side, position, name, score) {
  const colour = coloured(position, side);
  if (strip.dataset.side !== colour) strip.dataset.side = colour;
  write(part(strip, "name"), name);
  const pips = part(strip, "pips");
  write(pips, String(position.pips?.[side] ?? ""));
  hide(/** @type {HTMLElement} */ (pips.parentElement), !position.pips);
  write(part(strip, "score"), halves(score[side]));
  const left = strip.querySelector('[data-part="away"]');
  if (left instanceof HTMLElement) write(left, away(score, side));
}

/**
 * @param {HTMLElement} root
 * @param {import("./clock.js").Reading | null} reading
 * @param {Side} bottom
 */
export function showClocks(root, reading, bottom) {
  for (const side of SIDES) {
    const strip = stripOf(root, side, bottom);
    const clock = part(strip, "clock");
    hide(clock, !reading);
    if (!reading) continue;
    const running = reading.running === side;
    const delay = running && reading.delay > 0 ? `+${Math.ceil(reading.delay / 1000)}` : "";
    const overtime = reading.over?.[side] ? gettext("overtime") : "";
    write(part(strip, "time"), face(reading.left[side]));
    write(part(strip, "delay"), delay || overtime);
    clock.classList.toggle("running", running);
    clock.classList.toggle("low", running && reading.delay === 0 && reading.left[side] < LOW);
  }
}

/**
 * @param {HTMLElement} root
 * @param {Pick<State, "match" | "position">} state
 */
export function showScore(root, { match, position }) {
  const { score } = match;
  const facts = [fill(gettext("Game %(number)s"), { number: match.game })];
  if (position.cube) facts.push(fill(gettext("Cube %(value)s"), { value: position.cube.value }));
  const badges = [score.crawford ? gettext("Crawford game") : "", drawNear(position)].filter(Boolean);
  const board = part(root, "scoreboard");
  const key = JSON.stringify([facts, badges]);
  if (board.dataset.shown === key) return;
  board.dataset.shown = key;
  const list = document.createElement("p");
  list.className = "score-facts";
  list.append(...facts.map((fact) => item("", fact)), ...badges.map((badge) => item("badge badge-accent", badge)));
  board.replaceChildren(list);
}

/** @param {string} name @param {string} text */
function item(name, text) {
  const element = document.createElement("span");
  element.className = name;
  element.textContent = text;
  return element;
}

/** @param {Score} score @param {Side} side */
function away(score, side) {
  if (!score.length) return "";
  const left = score.length - score[side];
  return left > 0 ? fill(ngettext("%(count)s-away", "%(count)s-away", Math.ceil(left)), { count: halves(left) }) : "";
}

/** @param {HTMLElement} root @param {import("./socket.js").Link} link */
export function showLink(root, link) {
  const banner = part(root, "link");
  /** @type {Record<string, string>} */
  const texts = {
    offline: gettext("Connection lost. Reconnecting…"),
    http: gettext("The live connection is blocked. You can play on, but updates are slower."),
    restarting: gettext("The site is restarting. Your match is safe."),
    "logged-out": gettext("You have been signed out. Sign in and open the match again."),
    "kept-out": gettext("You can no longer watch this match."),
    "too-many": gettext("The site is open in too many windows. This one is paused."),
  };
  banner.hidden = !(link in texts);
  banner.dataset.link = link;
  write(banner, texts[link] ?? "");
  if (link !== "too-many") return;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "btn";
  button.dataset.do = "resume";
  button.textContent = gettext("Use this window");
  banner.append(button);
}
