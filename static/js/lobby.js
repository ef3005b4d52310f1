/**
 * The lobby's lists stay fresh, and so does the page of a match that waits for its players: at each word from the socket,
 * every 15 s where there is none, and when the page wakes; never while a finger is down or the page is being left.
 * An open game that is joined, or an opponent who arrives, takes the player to the match. While an own game waits, its time runs.
 */
import { livePart } from "./live-part.js";
import { gettext } from "./i18n.js";
import "./dependent-fields.js";

const EVERY = 15000;

const SECOND = 1000;

/** A form was sent: its answer says where to go, and a match with the computer that it began does not. */
let leaving = false;
document.addEventListener("submit", ({ defaultPrevented }) => (leaving ||= !defaultPrevented)); // else a script sends it
addEventListener("pageshow", () => (leaving = false));

const refresh = livePart("lists", () => leaving || document.body.dispatchEvent(new CustomEvent("lobby")), prepare);

/** @param {number} seconds */
function clockFace(seconds) {
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60)];
  return hours ? `${hours}:${two(minutes % 60)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** Since when, on this device's clock, each game has waited. @type {WeakMap<Element, number>} */
const since = new WeakMap();

function tick() {
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-elapsed]"))) {
    const start = since.get(element) ?? Date.now() - Number(element.dataset.elapsed) * SECOND;
    since.set(element, start);
    element.textContent = clockFace(Math.max(0, Math.floor((Date.now() - start) / SECOND)));
  }
}

/** Links can be copied where the browser has a clipboard: not over plain HTTP. */
function prepare() {
  tick();
  for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-copy]"))) {
    button.hidden = !navigator.clipboard;
  }
}

prepare();
setInterval(tick, SECOND);
document.addEventListener("click", async (event) => {
  const button = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("[data-copy]"));
  const field = /** @type {HTMLInputElement | null} */ (button && document.getElementById(button.dataset.copy ?? ""));
  if (!button || !field) return;
  await navigator.clipboard.writeText(field.value);
  button.textContent = gettext("Copied");
});
document.addEventListener("focusin", (event) => {
  if (event.target instanceof HTMLInputElement && "select" in event.target.dataset) event.target.select();
});

document.addEventListener("tablero:lobby", refresh);
document.addEventListener("tablero:hello", refresh); // the lists may have changed before the socket was open
for (const word of ["tablero:challenge", "tablero:ladder", "tablero:ready", "tablero:resume"]) {
  document.addEventListener(word, (event) => {
    if (!document.querySelector("#lists")) return;
    event.preventDefault(); // the list above everything shows it
    refresh();
  });
}
/** The matches that had begun when this page was made. Word of it may come late, and nobody is taken back to the board. */
const begun = new Set([...document.querySelectorAll("a[id^='go-']")].map((link) => link.getAttribute("href")));

document.addEventListener("tablero:go", (event) => {
  const { url } = /** @type {CustomEvent<{url?: string}>} */ (event).detail;
  if (!url?.startsWith("/match/")) return;
  event.preventDefault();
  if (!leaving && !begun.has(url)) location.assign(url);
});

setInterval(() => {
  if (!document.hidden && document.documentElement.dataset.lobbySocket !== "open") refresh();
}, EVERY);
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) refresh();
});
