/**
 * Refreshes the page of a ladder: at each event of the lobby's socket, every 15 s, and when the page becomes visible, but
 * never while somebody uses a form of it. Without this script the page works by reloading.
 */
import { livePart } from "./live-part.js";

const EVERY = 15000;
const SPREAD = 1500; // a club full of screens does not ask in the same moment

/**
 * Says in each moment's title when that is on the reader's own clock.
 * @param {ParentNode} part
 */
function localMoments(part) {
  const shown = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
  for (const time of /** @type {NodeListOf<HTMLTimeElement>} */ (part.querySelectorAll("time[data-moment]"))) {
    const moment = new Date(time.dateTime);
    if (!Number.isNaN(moment.getTime())) time.title = shown.format(moment);
  }
}

/** @param {HTMLElement} page */
function follow(page) {
  const refresh = livePart(
    "ladder-live",
    () => page.dispatchEvent(new CustomEvent("tablero:ladder-page")),
    localMoments,
  );
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let soon;
  function refreshSoon() {
    clearTimeout(soon);
    soon = setTimeout(refresh, Math.random() * SPREAD);
  }

  document.addEventListener("tablero:lobby", refreshSoon);
  document.addEventListener("tablero:hello", refreshSoon); // the ladder may have changed before the socket was open
  for (const word of ["tablero:ladder", "tablero:ready"]) {
    document.addEventListener(word, (event) => {
      const { url } = /** @type {CustomEvent<{url?: string}>} */ (event).detail;
      if (word === "tablero:ladder" && url !== location.pathname) return; // of another ladder
      if (word === "tablero:ladder") event.preventDefault(); // the page itself shows it
      refresh();
    });
  }
  setInterval(() => {
    if (!document.hidden) refresh();
  }, EVERY);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) refresh();
  });
}

localMoments(document);
const page = /** @type {HTMLElement | null} */ (document.querySelector("#ladder"));
if (page) follow(page);
