/** The buttons of a live match: the server's `may` names them, the play under way adds its own. */
import { opponentOf } from "../board/sides.js";
import { fill, gettext, ngettext } from "../i18n.js";
import { showDecisions } from "./decisions.js";
import { disable, hide, part, write } from "./panel.js";
import { afterPaint } from "../after-paint.js";

/**
 * The buttons below the headline that exist now, by their data-act, data-ask or data-do, and whether they can be pressed. Pure.
 * @param {State} state
 * @param {Pick<AnyBoard, "view" | "started" | "complete">} board
 * @param {boolean} waiting an act is on its way
 * @returns {Map<string, boolean>}
 */
export function buttonsOf({ match, position, may, offer, you, paused }, board, waiting) {
  /** @type {Map<string, boolean>} */
  const shown = new Map();
  if (match.status === "over") return shown.set("result", true);
  if (waiting) return shown;
  if (you && paused?.adjourned && !paused.ready?.includes(you)) shown.set("go-on", true);
  // An offer of a draw is answered in a row of its own: the move that is asked for stays as it is.
  for (const name of may) if (!offer?.draw || (name !== "accept" && name !== "reject")) shown.set(name, true);
  if (position.phase === "opening" && may.includes("roll") && match.game > 1) {
    shown.delete("roll");
    shown.set("next", true);
  }
  if (board.view?.canMove) shown.set("undo", board.started).set("done", board.started && board.complete);
  return shown;
}

/**
 * Shows them, with the rows of what is asked and the tools beside the plays; the focus never falls into nothing.
 * @param {HTMLElement} root
 * @param {State} state
 * @param {AnyBoard} board
 * @param {boolean} waiting
 */
export function showButtons(root, state, board, waiting) {
  const active = document.activeElement;
  const container = part(root, "buttons");
  const hadFocus = active instanceof HTMLButtonElement && (container.contains(active) || part(root, "act").contains(active));
  const shown = buttonsOf(state, board, waiting);
  for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (container.querySelectorAll("[data-act],[data-ask],[data-do]"))) {
    const able = shown.get(button.dataset.act ?? button.dataset.ask ?? button.dataset.do ?? "");
    hide(button, able === undefined);
    disable(button, able === false);
  }
  placeButtons(container, board.halves);
  labelCube(container, state);
  showDecisions(root, state, waiting || board.started);
  showTools(root, state, active);
  if (hadFocus && (!active.isConnected || active.disabled || active.closest("[hidden]"))) afterPaint(() => refocus(root, container));
}

/** The focus was on a button that is gone: it goes to what can be pressed now, unless it is elsewhere already. @param {HTMLElement} root @param {HTMLElement} container */
function refocus(root, container) {
  const { activeElement: active } = document;
  if (active && active !== document.body && active.checkVisibility() && !active.matches(":disabled")) return;
  const wanted = [".btn-primary", ".btn", ".match-decisions .btn"].map((each) => `${each}:not([hidden], :disabled)`);
  const next = wanted.map((each) => (each.startsWith(".match") ? root : container).querySelector(each)).find(Boolean);
  (next instanceof HTMLElement ? next : part(root, "headline")).focus({ preventScroll: true });
}

/** The buttons lie in the halves of the board, or below a board that has no room. @param {HTMLElement} container @param {AnyBoard["halves"]} halves */
function placeButtons(container, halves) {
  container.classList.toggle("below", !halves);
  document.body.classList.toggle("buttons-below", !halves);
  for (const [at, zone] of [...container.children].entries()) {
    const { x, w } = halves?.[at] ?? { x: 0, w: 1 };
    const { style } = /** @type {HTMLElement} */ (zone);
    for (const [name, share] of Object.entries({ "--x": `${100 * x}%`, "--w": `${100 * w}%` })) {
      if (style.getPropertyValue(name) !== share) style.setProperty(name, share);
    }
  }
}

/** Taking and dropping say what is at stake. @param {HTMLElement} container @param {State} state */
function labelCube(container, state) {
  for (const [act, text] of Object.entries(stakesOf(state))) {
    const stake = container.querySelector(`[data-act="${act}"] small`);
    if (stake instanceof HTMLElement) write(stake, text);
  }
}

/**
 * What is at stake when a cube is answered. Pure.
 * @param {Pick<State, "match" | "position" | "you">} state
 * @returns {Record<"take" | "drop" | "beaver", string>}
 */
export function stakesOf({ match: { score }, position: { cube }, you }) {
  const offered = cube?.offered;
  if (!offered || !you) return { take: "", drop: "", beaver: "" };
  const lost = offered / 2;
  const ends = score.length !== null && score[opponentOf(you)] + lost >= score.length;
  return {
    take: fill(ngettext("play on for %(count)s point", "play on for %(count)s points", offered), { count: offered }),
    drop: ends ? gettext("lose the match") : fill(ngettext("lose %(count)s point", "lose %(count)s points", lost), { count: lost }),
    beaver: fill(ngettext("play on for %(count)s point", "play on for %(count)s points", 2 * offered), { count: 2 * offered }),
  };
}

/** Resigning and draws: they stay in their place below the plays. @param {HTMLElement} root @param {State} state @param {Element | null} active */
function showTools(root, { may }, active) {
  const tools = {
    '[data-do="resign"]': may.some((name) => name.startsWith("resign")),
    '.match-tools [data-act="offer-draw"]': may.includes("offer-draw"),
    '.match-tools [data-act="claim-draw"]': may.includes("claim-draw"),
  };
  for (const [selector, able] of Object.entries(tools)) {
    const button = /** @type {HTMLElement} */ (root.querySelector(selector));
    if (!able && active === button) part(root, "headline").focus({ preventScroll: true });
    hide(button, !able);
  }
}

/**
 * What stands under the headline: a sentence, and where a ruling is the reason, the way to it.
 * @param {HTMLElement} root
 * @param {{text: string, ruling?: string | null}} note
 * @param {string} [rulesUrl] what comes before the number of a ruling in its address
 */
export function showDetail(root, { text, ruling }, rulesUrl) {
  const detail = part(root, "detail");
  if (!ruling || !rulesUrl) {
    write(detail, ruled({ text, ruling }));
    return;
  }
  const link = document.createElement("a");
  link.href = `${rulesUrl}${encodeURIComponent(ruling)}/`;
  link.target = "_blank";
  link.rel = "noopener";
  link.textContent = fill(gettext("rule %(ruling)s"), { ruling });
  const detailText = `${text} (${link.textContent})`;
  // The same reason again leaves the link alone: somebody may be on it.
  if (detail.textContent === detailText && detail.querySelector("a")) return;
  detail.replaceChildren(`${text} (`, link, ")");
}

/** A reason with its ruling, as it is spoken. @param {{text: string, ruling?: string | null}} note */
export function ruled({ text, ruling }) {
  return ruling ? `${text} (${fill(gettext("rule %(ruling)s"), { ruling })})` : text;
}
