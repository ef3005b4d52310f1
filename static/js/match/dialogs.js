/** The two dialogs of a match: resigning, and the result. */
import { fill, gettext } from "../words.js";
import { part, write } from "./panel.js";
import { level, matchResult, points } from "./words.js";

/**
 * Asks what to resign, of what the server allows: each button of the dialog is an action that its form submits.
 * @param {HTMLElement} root
 * @param {State} state
 */
export function showResign(root, state) {
  const dialog = /** @type {HTMLDialogElement} */ (part(root, "resign-dialog"));
  const actions = state.may.filter((name) => name.startsWith("resign"));
  part(root, "levels").replaceChildren(
    ...actions.map((action) => {
      const button = document.createElement("button");
      button.type = "submit";
      button.className = "btn btn-danger btn-wide";
      button.value = action;
      button.textContent = label(action.slice(7), actions, state);
      return button;
    }),
  );
  dialog.showModal();
}

/** Offering a rematch, or the way to the one that is offered. @param {HTMLElement} root @param {MatchInfo} match */
export function showRematch(root, match) {
  const link = /** @type {HTMLAnchorElement} */ (part(root, "rematch-link"));
  const offer = root.querySelector('[data-part="rematch"]');
  link.hidden = !match.rematch;
  if (match.rematch) link.href = location.pathname.replace(match.id, match.rematch);
  if (offer instanceof HTMLElement) offer.hidden = !!match.rematch;
}

/** @param {string} which @param {string[]} actions @param {State} state */
function label(which, actions, state) {
  const { cube } = state.position;
  const counted = which !== "match" && (cube || actions.includes("resign 2"));
  if (!counted) return level(which);
  const count = Number(which) * (cube?.value ?? 1);
  return fill(gettext("%(what)s, %(points)s"), { what: level(which), points: points(count) });
}

/**
 * @param {HTMLElement} root
 * @param {State} state
 */
export function showResult(root, state) {
  const dialog = /** @type {HTMLDialogElement} */ (part(root, "result-dialog"));
  const { match, you } = state;
  const won = match.result?.winner;
  const title = part(root, "result-title");
  if (you && won) write(title, won === you ? gettext("You win the match") : gettext("You lose the match"));
  else write(title, gettext("The match is over"));
  write(part(root, "result-text"), matchResult(state));
  const review = /** @type {HTMLAnchorElement} */ (part(root, "review"));
  review.href = location.pathname;
  showRematch(root, match);
  if (dialog.open) return;
  dialog.showModal();
  title.focus();
}
