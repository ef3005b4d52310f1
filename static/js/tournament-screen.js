/**
 * The screen on the wall of the club. It shows one panel after the other, counts down to what begins next, and follows
 * the tournament: a socket says when something changed, and scores are asked for in between. Nobody ever touches it, so it
 * gives up nothing: without a connection it tries again for ever, and says that it does.
 */

import { countdown } from "./countdown.js";

export const TURN = 12000; // a panel
export const RETRY_FIRST = 1000;
export const RETRY_LAST = 30000;
export const EVERY = 15000; // asks for live scores, and without a socket for everything
export const LOST = 60000; // without an answer: it says so
const SPREAD = 1500; // several screens do not ask in the same moment

/**
 * Which panel follows: the next one, by its key, so that a panel that came or went disturbs no other.
 * @param {string[]} keys - of the panels there are
 * @param {string} shown - the one that is shown
 * @param {string[]} before - the keys as they were when it was chosen
 * @returns {string}
 */
export function nextPanel(keys, shown, before) {
  const at = keys.indexOf(shown);
  if (at >= 0) return keys[(at + 1) % keys.length] ?? "";
  const behind = before.slice(before.indexOf(shown) + 1).find((key) => keys.includes(key));
  return behind ?? keys[0] ?? "";
}

/**
 * How long to wait before the next try: longer each time, never longer than half a minute.
 * @param {number} wait
 */
export function nextDelay(wait) {
  return Math.min(2 * wait, RETRY_LAST);
}

/** @param {HTMLElement} screen */
function follow(screen) {
  const panels = () => /** @type {HTMLElement[]} */ ([...screen.querySelectorAll("[data-panel]")]);
  const keys = () => panels().map((panel) => panel.dataset.panel ?? "");
  const version = () => Number(screen.querySelector("[data-version]")?.getAttribute("data-version"));
  let before = keys();
  let shown = before[0] ?? "";
  let answered = Date.now();

  /** @param {string} key */
  function show(key) {
    shown = key;
    before = keys();
    for (const panel of panels()) panel.classList.toggle("is-shown", panel.dataset.panel === key);
  }

  async function refresh() {
    try {
      const answer = await fetch(screen.dataset.live ?? "", { headers: { Accept: "text/html" }, cache: "no-store" });
      if (!answer.ok) return;
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
      screen.replaceChildren(...fresh.body.childNodes);
      answered = Date.now();
      show(keys().includes(shown) ? shown : nextPanel(keys(), shown, before));
      tick();
    } catch {
      // no connection: the next look comes
    }
  }

  function tick() {
    const clock = document.querySelector("#screen-clock");
    const time = new Intl.DateTimeFormat(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: screen.dataset.zone });
    if (clock) clock.textContent = time.format(new Date());
    const until = screen.querySelector("[data-until]")?.getAttribute("data-until");
    const count = screen.querySelector(".screen-count");
    if (until && count) count.textContent = countdown(new Date(until).getTime() - Date.now());
    const lost = /** @type {HTMLElement | null} */ (document.querySelector("#screen-lost"));
    if (lost) lost.hidden = Date.now() - answered < LOST;
  }

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let soon;
  let wait = RETRY_FIRST;

  function join() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/ws/tournaments/${screen.dataset.id}/`);
    socket.addEventListener("open", () => (wait = RETRY_FIRST));
    socket.addEventListener("message", (event) => {
      try {
        const message = JSON.parse(event.data);
        if (message.t !== "tournament" || message.version === version()) return;
        clearTimeout(soon);
        soon = setTimeout(refresh, Math.random() * SPREAD);
      } catch {
        // a word that we do not know yet
      }
    });
    socket.addEventListener("close", () => {
      setTimeout(join, wait + Math.random() * 1000);
      wait = nextDelay(wait);
    });
  }

  show(shown);
  tick();
  join();
  setInterval(() => show(nextPanel(keys(), shown, before)), TURN);
  setInterval(refresh, EVERY);
  setInterval(tick, 1000);
}

if (typeof document !== "undefined") {
  const screen = /** @type {HTMLElement | null} */ (document.querySelector("#tournament-screen"));
  if (screen) follow(screen);
}
