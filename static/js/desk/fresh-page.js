/**
 * The desk brought up to date in place: what somebody writes, has open or has the focus on stays as it is.
 */

/**
 * @typedef {object} Morphing
 * @property {(old: Element, fresh: Element, options: object) => void} morph
 */

const LIVE = "tournament-live";
const MESSAGES = "messages";

/** The page in an answer of the server, if it is a page of this desk. @param {string} html */
export function readPage(html) {
  const page = new DOMParser().parseFromString(html, "text/html");
  return page.getElementById(LIVE) ? page : null;
}

/** Whether a field holds something else than the server sent. @param {Element} field */
function isChanged(field) {
  if (field instanceof HTMLSelectElement) {
    return [...field.options].some((option) => option.selected !== option.defaultSelected);
  }
  if (field instanceof HTMLInputElement) {
    return field.value !== field.defaultValue || field.checked !== field.defaultChecked;
  }
  return field instanceof HTMLTextAreaElement && field.value !== field.defaultValue;
}

/** @param {Element} old */
function keepsItself(old) {
  if (old.matches("[data-keep]")) return true;
  const isField = old.matches("select, textarea, input:not([type=hidden])");
  return isField && (isChanged(old) || old === document.activeElement);
}

/** Which version of the tournament a page shows. @param {Document} page */
function versionOf(page) {
  return Number(page.querySelector("[data-version]")?.getAttribute("data-version"));
}

/** Shows the page as the server has it now, unless a later one is shown already. @param {Document} fresh */
export function showPage(fresh) {
  const old = document.getElementById(LIVE);
  const now = fresh.getElementById(LIVE);
  if (!old || !now || versionOf(fresh) < versionOf(document)) return;
  const { Idiomorph } = /** @type {{Idiomorph: Morphing}} */ (/** @type {unknown} */ (globalThis));
  Idiomorph.morph(old, now, {
    morphStyle: "outerHTML",
    callbacks: {
      beforeNodeMorphed: (/** @type {Node} */ node) => !(node instanceof Element && keepsItself(node)),
      // Details stay as somebody left them; a form on its way keeps the page busy, whoever else brings it up to date.
      beforeAttributeUpdated: (/** @type {string} */ name, /** @type {Element} */ element) =>
        !(name === "open" && element instanceof HTMLDetailsElement) && name !== "aria-busy",
    },
  });
  document.dispatchEvent(new CustomEvent("tablero:desk"));
}

/** Shows what the server says about the last act; whether it refused. @param {Document} fresh */
export function showMessages(fresh) {
  const said = fresh.querySelector(`.${MESSAGES}`);
  document.querySelector(`.${MESSAGES}`)?.remove();
  if (said) document.querySelector("main")?.prepend(document.adoptNode(said));
  return Boolean(said?.querySelector(".message-error, .message-warning"));
}

/** Asks for the page and shows it; who may not see it any more is shown why. */
export async function refresh() {
  const answer = await fetch(location.pathname, { headers: { "X-Requested-With": "fetch" } });
  if (answer.status === 403) location.reload();
  const fresh = answer.ok ? readPage(await answer.text()) : null;
  if (fresh) showPage(fresh);
}
