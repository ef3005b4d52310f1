/**
 * The lobby's lists stay fresh, and so does the page of a match that waits for its players: at each word from the socket,
 * every 15 s where there is none, and when the page wakes; never while a finger is down.
 * An accepted seek, or a rival who has come, takes the player to the table.
 */
const EVERY = 15000;

let pressed = false; // a button that is replaced under a finger is never clicked
let waiting = false;

function refresh() {
  if (pressed) waiting = true;
  else document.body.dispatchEvent(new CustomEvent("lobby"));
}

document.addEventListener("pointerdown", () => (pressed = true));
for (const end of ["pointerup", "pointercancel"]) {
  document.addEventListener(end, () =>
    setTimeout(() => {
      pressed = false; // the click has come by now
      if (waiting) refresh();
      waiting = false;
    }),
  );
}
document.addEventListener("htmx:beforeSwap", (event) => {
  const { detail } = /** @type {CustomEvent<{target: Element, shouldSwap: boolean}>} */ (event);
  if (!pressed || (detail.target.id !== "lists" && detail.target.id !== "ready")) return;
  detail.shouldSwap = false;
  waiting = true;
});

document.addEventListener("tablero:lobby", refresh);
document.addEventListener("tablero:hello", refresh); // the lists may have changed before the socket was open
for (const word of ["tablero:challenge", "tablero:ready"]) {
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
