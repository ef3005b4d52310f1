/**
 * The lobby's lists stay fresh, and so does the page of a match that waits for its players: at each word from the socket,
 * every 15 s where there is none, and when the page wakes; never while a finger is down.
 * An accepted seek, or an opponent who arrives, takes the player to the match.
 */
import { livePart } from "./live-part.js";
import "./dependent-fields.js";

const EVERY = 15000;

const refresh = livePart("lists", () => document.body.dispatchEvent(new CustomEvent("lobby")));

document.addEventListener("tablero:lobby", refresh);
document.addEventListener("tablero:hello", refresh); // the lists may have changed before the socket was open
for (const word of ["tablero:challenge", "tablero:ladder", "tablero:ready", "tablero:resume"]) {
  document.addEventListener(word, (event) => {
    if (!document.querySelector("#lists")) return;
    event.preventDefault(); // the list above everything shows it
    refresh();
  });
}
document.addEventListener("tablero:go", (event) => {
  const { url } = /** @type {CustomEvent<{url?: string}>} */ (event).detail;
  if (!url?.startsWith("/match/")) return;
  event.preventDefault();
  location.assign(url);
});

setInterval(() => {
  if (!document.hidden && document.documentElement.dataset.lobbySocket !== "open") refresh();
}, EVERY);
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) refresh();
});
