/**
 * The bell in the header: how many notifications are unread, and that those are read which lead to the page that is being looked at.
 * The server counts; a word of the lobby's socket brings the number.
 */
import { fill, gettext, ngettext } from "../i18n.js";

const MOST = 99;

/** @returns {HTMLElement | null} */
const find = () => document.querySelector("[data-bell]");

/** Tells the server that what leads to this page has been seen, now or as soon as the page is looked at. */
function seen() {
  const bell = find();
  if (!bell || document.hidden) return;
  delete bell.dataset.here;
  const field = /** @type {HTMLInputElement | null} */ (document.querySelector("[name=csrfmiddlewaretoken]"));
  const token = field?.value ?? "";
  const body = new URLSearchParams({ path: location.pathname });
  fetch(bell.dataset.hereUrl ?? "", { method: "POST", body, keepalive: true, headers: { "X-CSRFToken": token } }).catch(
    () => undefined, // the next visit tells it
  );
}

/** @param {number} unread */
export function label(unread) {
  if (!unread) return gettext("Notifications: nothing new");
  return fill(ngettext("Notifications: %(number)s unread", "Notifications: %(number)s unread", unread), { number: unread });
}

/** @param {number} unread */
export function badge(unread) {
  return unread > MOST ? `${MOST}+` : String(unread);
}

/** A page has come up: what leads to it is read. */
export function bell() {
  if (find()?.dataset.here !== undefined) seen();
  document.addEventListener("visibilitychange", () => {
    if (find()?.dataset.here !== undefined) seen();
  });
}

/**
 * The count has changed.
 * @param {{unread?: number, url?: string}} message
 */
export function showCount(message) {
  const place = find();
  const unread = message.unread ?? 0;
  if (!place) return;
  if (message.url === location.pathname) {
    place.dataset.here = "";
    if (!document.hidden) {
      seen(); // the count that follows knows of it
      return;
    }
  }
  const count = /** @type {HTMLElement} */ (place.querySelector(".bell-count"));
  const before = Number.parseInt(count.textContent ?? "", 10) || 0;
  count.textContent = badge(unread);
  count.hidden = !unread;
  place.setAttribute("aria-label", label(unread));
  if (unread > before) {
    place.classList.add("bell-rings");
    setTimeout(() => place.classList.remove("bell-rings"), 700);
  }
}
