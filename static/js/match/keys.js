/**
 * Keys of a live match. Those that cannot be taken back (the cube, an offer) only bring the focus to their button, where
 * Enter presses it. They can be switched off on a device, as WCAG 2.1.4 wants it of single keys.
 */
import { part } from "./panel.js";

const SWITCH = "tablero:keys";

/** @type {Record<string, string>} */
const PRESSED = {
  r: '[data-act="roll"], [data-do="next"]',
  e: '[data-do="done"]',
  u: '[data-do="undo"]',
  h: '[data-do="hint"]',
  b: '[data-do="take-back"]',
  f: '[data-do="flip"]',
  v: '[data-do="text"]',
  s: '[data-do="sound"]',
  n: '[data-do="next-board"]',
  "?": '[data-do="keys"]',
};
/** @type {Record<string, string>} */
const FOCUSED = {
  d: '[data-act="double"]',
  t: '[data-act="take"], [data-act="accept"]',
  x: '[data-act="drop"], [data-act="reject"]',
};
/** What takes letters itself. */
const WRITES = "input:not([type=checkbox], [type=radio]), select, textarea, [contenteditable]";

/**
 * @typedef {object} Page
 * @property {() => void} openTyped shows the field for a typed play
 * @property {() => void} catchUp shows the buttons as the match is now: somebody may be faster than the next frame
 */

/**
 * @param {HTMLElement} root
 * @param {Page} page
 */
export function listenToKeys(root, page) {
  const box = /** @type {HTMLInputElement} */ (part(root, "keys-on"));
  box.checked = localStorage.getItem(SWITCH) !== "off";
  box.addEventListener("change", () => localStorage.setItem(SWITCH, box.checked ? "on" : "off"));
  document.addEventListener("keydown", (event) => {
    const { target, key } = event;
    const taken = event.defaultPrevented || event.repeat || event.ctrlKey || event.altKey || event.metaKey;
    if (taken || !box.checked || document.querySelector("dialog[open]")) return;
    if (target instanceof Element && target.closest(WRITES)) return;
    if (answer(root, key.length === 1 ? key.toLowerCase() : key, page)) event.preventDefault();
  });
}

/** Does what a key asks for; whether there was anything. @param {HTMLElement} root @param {string} key @param {Page} page */
function answer(root, key, page) {
  if (key === "/") {
    page.openTyped();
    return true;
  }
  page.catchUp();
  if (key === "c") return openChat(root);
  const found = buttonFor(root, PRESSED[key] ?? FOCUSED[key]);
  if (key in FOCUSED) found?.focus();
  else found?.click();
  return found !== undefined;
}

/** The button that can be pressed now. @param {HTMLElement} root @param {string | undefined} selector */
function buttonFor(root, selector) {
  if (!selector) return undefined;
  const found = /** @type {NodeListOf<HTMLButtonElement>} */ (root.querySelectorAll(selector));
  return [...found].find((button) => !button.disabled && button.checkVisibility());
}

/** @param {HTMLElement} root */
function openChat(root) {
  const box = root.querySelector(".chat-box");
  if (!(box instanceof HTMLDetailsElement)) return false;
  box.open = true;
  const field = box.querySelector("#chat-text");
  const seen = field instanceof HTMLElement && field.checkVisibility() ? field : box.querySelector("summary");
  seen?.focus();
  return true;
}

/** Lists the keys. @param {HTMLElement} root */
export function showKeys(root) {
  const dialog = /** @type {HTMLDialogElement} */ (part(root, "keys-dialog"));
  if (!dialog.open) dialog.showModal();
}
