/**
 * The questions before what cannot be taken back: resigning and claiming a match always, doubling and dropping by
 * correspondence. Each says what it costs; the focus is on "Go back", and the other button is enabled a moment later, so
 * that a second tap never answers.
 */
import { opponentOf } from "../board/sides.js";
import { fill, gettext } from "../i18n.js";
import { part, write } from "./panel.js";
import { halves, nameOf, points } from "./format.js";

/** How long the button that acts cannot be pressed, in milliseconds. */
const DISABLED = 700;

/** @typedef {{title: string, text: string, facts: [string, string][], yes: string}} Question */

/**
 * What is asked before an action, or null where nothing is. Pure.
 * @param {State} state
 * @param {string} action an action, or `claim`
 * @param {boolean} careful the player wants to be asked about plays, too
 * @returns {Question | null}
 */
export function questionOf(state, action, careful) {
  const { you } = state;
  if (!you) return null;
  if (action === "claim") return claiming(state, you);
  if (action.startsWith("resign ")) return resigning(state, you, action.slice(7));
  if (!careful || !state.orders) return null; // there are orders by correspondence alone
  if (action === "double") return doubling(state, you);
  if (action === "drop") return dropping(state, you);
  return null;
}

/** @param {State} state @param {Side} you @returns {Question} */
function claiming(state, you) {
  const values = { name: nameOf(state, opponentOf(you)), score: standing(state, you) };
  const text = state.match.score.length
    ? gettext("%(name)s is away. You win the match; the score is %(score)s.")
    : gettext("%(name)s is away. The session ends at %(score)s.");
  return { title: gettext("Claim the match?"), text: fill(text, values), facts: [], yes: gettext("Claim the match") };
}

/** @param {State} state @param {Side} you @param {string} which @returns {Question} */
function resigning(state, you, which) {
  if (which === "match") {
    const text = fill(gettext("You lose the whole match; the score is %(score)s."), { score: standing(state, you) });
    return { title: gettext("Resign the match?"), text, facts: [], yes: gettext("Resign the match") };
  }
  const { cube } = state.position;
  const title = cube ? resignTitle(which) : gettext("Resign this game?");
  const lost = cube ? losing(state, you, Number(which) * cube.value) : gettext("You lose the game.");
  if (state.resigns_at_once) return { title, text: lost, facts: [], yes: gettext("Resign") };
  const name = nameOf(state, opponentOf(you));
  const text = [lost, fill(gettext("%(name)s has to accept."), { name })].join(" ");
  return { title, text, facts: [], yes: gettext("Offer to resign") };
}

/** @param {string} which "1", "2" or "3" */
function resignTitle(which) {
  if (which === "2") return gettext("Resign a gammon?");
  return which === "3" ? gettext("Resign a backgammon?") : gettext("Resign a single game?");
}

/** @param {State} state @param {Side} you @returns {Question} */
function doubling(state, you) {
  const { cube, pips } = state.position;
  const value = cube?.value ?? 1;
  /** @type {[string, string][]} */
  const facts = [[gettext("Cube"), `${value} → ${2 * value}`]];
  if (pips) {
    const both = { own: pips[you], name: nameOf(state, opponentOf(you)), others: pips[opponentOf(you)] };
    facts.push([gettext("Pips"), fill(gettext("you %(own)s, %(name)s %(others)s"), both)]);
  }
  facts.push([gettext("Score"), standing(state, you)]);
  const text = fill(gettext("%(name)s can take and own the cube, or drop and lose %(points)s."), {
    name: nameOf(state, opponentOf(you)),
    points: points(value),
  });
  return { title: fill(gettext("Double to %(value)s?"), { value: 2 * value }), text, facts, yes: gettext("Double") };
}

/** @param {State} state @param {Side} you @returns {Question} */
function dropping(state, you) {
  const stake = (state.position.cube?.offered ?? 2) / 2;
  return { title: gettext("Drop the cube?"), text: losing(state, you, stake), facts: [], yes: gettext("Drop") };
}

/** What it costs to lose so many points now. @param {State} state @param {Side} you @param {number} lost */
function losing(state, you, lost) {
  const { score } = state.match;
  const opponentScore = score[opponentOf(you)] + lost;
  const values = { points: points(lost), score: `${halves(score[you])}–${halves(opponentScore)}` };
  if (score.length && opponentScore >= score.length) return fill(gettext("You lose %(points)s. The match ends %(score)s."), values);
  return fill(gettext("You lose %(points)s. The score will be %(score)s."), values);
}

/** The score, one's own points first. @param {State} state @param {Side} you */
function standing({ match: { score } }, you) {
  return `${halves(score[you])}–${halves(score[opponentOf(you)])}`;
}

export class Confirm {
  /** @type {(() => void) | null} what follows a yes */
  #then = null;
  #enabling = 0;

  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.dialog = /** @type {HTMLDialogElement} */ (part(root, "confirm-dialog"));
    this.dialog.addEventListener("submit", (event) => {
      const { value } = /** @type {HTMLButtonElement} */ (event.submitter);
      const then = this.#then;
      this.#then = null;
      if (value) then?.();
    });
  }

  /** @param {Question} question @param {() => void} then what follows when the player says yes */
  ask({ title, text, facts, yes }, then) {
    this.#then = then;
    write(part(this.root, "confirm-title"), title);
    write(part(this.root, "confirm-text"), text);
    part(this.root, "confirm-facts").replaceChildren(...facts.map(factOf));
    const button = /** @type {HTMLButtonElement} */ (part(this.root, "confirm-yes"));
    write(button, yes);
    button.disabled = true;
    clearTimeout(this.#enabling);
    this.#enabling = window.setTimeout(() => {
      button.disabled = false;
    }, DISABLED);
    if (!this.dialog.open) this.dialog.showModal();
    part(this.root, "confirm-back").focus();
  }

  /** The match has moved on: what was asked is no longer the question. Whether something was asked. */
  withdraw() {
    const asking = this.#openDialogs();
    this.#then = null;
    for (const dialog of asking) dialog.close();
    return asking.length > 0;
  }

  /** Whether the player is asked something: how to resign, or whether they are sure. */
  get isOpen() {
    return this.#openDialogs().length > 0;
  }

  #openDialogs() {
    return [this.dialog, /** @type {HTMLDialogElement} */ (part(this.root, "resign-dialog"))].filter(({ open }) => open);
  }
}

/** @param {[string, string]} fact */
function factOf([name, value]) {
  const row = document.createElement("div");
  const [term, definition] = [document.createElement("dt"), document.createElement("dd")];
  term.textContent = name;
  definition.textContent = value;
  row.append(term, definition);
  return row;
}
