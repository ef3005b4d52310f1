/**
 * The lobby's lists stay fresh: at each word from the socket, every 15 s where there is none, and when the page wakes.
 * An accepted seek takes the player to the table.
 */
const EVERY = 15000;

const refresh = () => document.body.dispatchEvent(new CustomEvent("lobby"));

document.addEventListener("tablero:lobby", refresh);
document.addEventListener("tablero:challenge", (event) => {
  if (!document.querySelector("#lists")) return;
  event.preventDefault(); // the list above everything shows it
  refresh();
});
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
