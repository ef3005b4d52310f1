/** The two dialogs of a match: resigning, and the result. */
import { opponentOf } from "../board/sides.js";
import { fill, gettext } from "../i18n.js";
import { part, write } from "./panel.js";
import { halves, level, matchResult, points, ratingChange } from "./format.js";

/**
 * Asks what to resign, of what the server allows: each button of the dialog is an action that its form submits.
 * @param {HTMLElement} root
 * @param {State} state
 */
export function showResign(root, state) {
  const dialog = /** @type {HTMLDialogElement} */ (part(root, "resign-dialog"));
  const actions = state.may.filter((name) => name.startsWith("resign"));
  write(part(root, "resign-text"), resignText(state, actions));
  part(root, "levels").replaceChildren(
    ...actions.map((action) => {
      const button = document.createElement("button");
      button.type = "submit";
      button.className = "btn btn-danger btn-wide";
      button.value = action;
      button.textContent = levelLabel(action.slice(7), actions, state);
      return button;
    }),
  );
  dialog.showModal();
}

/** What resigning means here. @param {State} state @param {string[]} actions */
function resignText(state, actions) {
  const sentences = [];
  if (actions.some((action) => action !== "resign match")) {
    sentences.push(state.resigns_at_once
      ? gettext("Your opponent wins the game immediately.")
      : gettext("Your opponent can accept or reject the offer."));
  }
  if (actions.includes("resign match")) sentences.push(gettext("Resigning the whole match ends it immediately."));
  return sentences.join(" ");
}

/** A game is a game, without cube and gammons. @param {State} state @param {string[]} actions */
function isPlain({ position }, actions) {
  return !position.cube && !actions.includes("resign 2");
}

/**
 * Offering a rematch, or the way to the one that is offered; from a match that was arranged, the way back to what it is
 * part of.
 * @param {HTMLElement} root
 * @param {MatchInfo} match
 */
export function showRematch(root, match) {
  const link = /** @type {HTMLAnchorElement} */ (part(root, "rematch-link"));
  const offer = root.querySelector('[data-part="rematch"]');
  const back = /** @type {HTMLAnchorElement} */ (part(root, "back-link"));
  link.hidden = !match.rematch;
  if (match.rematch) link.href = location.pathname.replace(match.id, match.rematch);
  if (offer instanceof HTMLElement) offer.hidden = match.arranged || !!match.rematch;
  back.hidden = !match.from_url;
  if (match.from_url) back.href = match.from_url;
}

/** @param {string} which @param {string[]} actions @param {State} state */
function levelLabel(which, actions, state) {
  if (which === "match") return level(which);
  if (isPlain(state, actions)) return gettext("This game");
  const count = Number(which) * (state.position.cube?.value ?? 1);
  return fill(gettext("%(level)s, %(points)s"), { level: level(which), points: points(count) });
}

/** @param {State} state */
function resultTitle({ match, you }) {
  const { winner, by } = match.result ?? { winner: null, by: "" };
  if (by === "ended" || (!winner && !match.length)) return gettext("The session is over");
  if (!you || !winner) return gettext("The match is over");
  if (by === "flag" || by === "resign" || by === "absent") return winner === you ? gettext("You won") : gettext("You lost");
  const { score } = match;
  const values = { score: `${halves(score[winner])}–${halves(score[opponentOf(winner)])}` };
  return fill(winner === you ? gettext("You won %(score)s") : gettext("You lost %(score)s"), values);
}

/**
 * Opens the result, or writes it anew: whether it was opened.
 * @param {HTMLElement} root
 * @param {State} state
 */
export function showResult(root, state) {
  const dialog = /** @type {HTMLDialogElement} */ (part(root, "result-dialog"));
  const title = part(root, "result-title");
  write(title, resultTitle(state));
  const reason = part(root, "result-text");
  write(reason, matchResult(state));
  reason.hidden = reason.textContent === title.textContent;
  const rating = part(root, "result-rating");
  write(rating, ratingChange(state, document.documentElement.lang));
  rating.hidden = !rating.textContent;
  const review = /** @type {HTMLAnchorElement} */ (part(root, "review"));
  review.href = location.pathname;
  showRematch(root, state.match);
  if (dialog.open) return false;
  dialog.showModal();
  title.focus();
  return true;
}
