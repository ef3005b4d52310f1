/**
 * The pages of tournaments: start times also in the reader's own time, brackets opened at the reader's pairing, and a socket that
 * says when the page of a tournament is no longer what it was. Without it the page asks by itself. All of it works, a
 * reload at a time, without this script.
 */
import { countdown } from "./countdown.js";
import { livePart } from "./live-part.js";
import { reconnectingSocket } from "./reconnecting-socket.js";

const EVERY = 20000; // without a socket
const SCORES_EVERY = 60000; // with one, which says nothing of the points inside a match
const SPREAD = 1500; // a hall full of screens does not ask in the same moment

/** @param {ParentNode} part */
function localTimes(part) {
  for (const time of /** @type {NodeListOf<HTMLTimeElement>} */ (part.querySelectorAll("time[data-local]"))) {
    const moment = new Date(time.dateTime);
    const offset = /([+-])(\d\d):(\d\d)$/.exec(time.dateTime);
    const shownOffset = offset ? Number(`${offset[1]}1`) * (60 * Number(offset[2]) + Number(offset[3])) : 0;
    if (Number.isNaN(moment.getTime()) || shownOffset === -moment.getTimezoneOffset()) continue;
    const words = document.createElement("span");
    words.className = "quiet";
    const shown = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
    words.textContent = ` (${time.dataset.local}: ${shown.format(moment)})`;
    time.after(words);
  }
}

/**
 * Scrolls each bracket, and not the page, to the pairing where the reader, or the player searched for, stands.
 * @param {ParentNode} part
 */
function openAtPath(part) {
  for (const pane of part.querySelectorAll(".bracket")) {
    const stop = [...pane.querySelectorAll(".on-path:not(.is-waiting)")].at(-1);
    if (!stop) continue;
    for (const frame of [stop.closest(".round"), pane]) {
      if (!frame) continue;
      const [inner, outer] = [stop.getBoundingClientRect(), frame.getBoundingClientRect()];
      frame.scrollBy({
        left: inner.left - outer.left - (outer.width - inner.width) / 2,
        top: inner.top - outer.top - (outer.height - inner.height) / 2,
        behavior: "instant",
      });
    }
  }
}

/** How long a break still lasts, as people read a clock; nothing once it is over. */
function countDown() {
  for (const place of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-until]"))) {
    const left = Date.parse(place.dataset.until ?? "") - Date.now();
    place.textContent = left > 0 ? countdown(left) : "";
  }
}

/** @param {HTMLElement} page */
function follow(page) {
  let joined = false;
  let fetchedAt = 0;
  const ask = () => {
    fetchedAt = Date.now();
    page.dispatchEvent(new CustomEvent("tablero:tournament"));
  };
  // The desk (desk.js) brings itself up to date also while somebody writes in it.
  const refresh = page.hasAttribute("hx-get") ? livePart("tournament-live", ask, localTimes) : ask;
  const version = () => Number(page.querySelector("[data-version]")?.getAttribute("data-version"));

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let soon;
  /** @param {number} announced */
  function refreshIfNewer(announced) {
    if (announced === version()) return;
    clearTimeout(soon);
    soon = setTimeout(refresh, Math.random() * SPREAD);
  }

  /** @param {boolean} now */
  function connected(now) {
    joined = now;
    page.dispatchEvent(new CustomEvent("tablero:connection", { detail: { joined } }));
  }

  reconnectingSocket({
    path: () => `/ws/tournaments/${page.dataset.id}/`,
    beat: EVERY, // answered with the version, which may have been lost
    onOpen: () => { connected(true); },
    onMessage: (message) => {
      if (message.t === "tournament") refreshIfNewer(message.version);
    },
    onClose: () => { connected(false); },
  });
  setInterval(() => {
    const playing = page.querySelector(".is-live") !== null;
    if (document.hidden || (joined && (!playing || Date.now() - fetchedAt < SCORES_EVERY))) return;
    refresh();
  }, EVERY);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) refresh();
  });
  let taken = false; // an arena takes its players to their board; others go when they like
  document.addEventListener("tablero:ready", (event) => {
    event.preventDefault(); // the page itself shows the way to the board
    taken = true;
    refresh();
  });
  page.addEventListener("htmx:afterSettle", () => {
    const way = /** @type {HTMLFormElement | null} */ (page.querySelector("form[data-taken]"));
    if (!taken || !way || document.hidden) return;
    taken = false;
    way.requestSubmit();
  });
}

/** What is fetched when it is opened, and was open before the page was asked again, is fetched again. */
document.addEventListener("htmx:afterSettle", () => {
  for (const part of document.querySelectorAll("details[open] > .later-part:has(> p > a)")) {
    part.dispatchEvent(new CustomEvent("tablero:later"));
  }
});

localTimes(document);
openAtPath(document);
countDown();
setInterval(countDown, 1000);
const page = /** @type {HTMLElement | null} */ (document.querySelector("#tournament"));
if (page) follow(page);
