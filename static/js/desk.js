/**
 * What a browser adds to the director's desk: results by a line or a click, forms without a reload, a page that follows
 * the tournament while somebody writes, and results that wait for the network. Everything works without, by forms.
 */
import "./draw-nonce.js";
import "./dependent-fields.js";
import { ResultLine } from "./desk/command.js";
import { refresh } from "./desk/fresh-page.js";
import { sendFormsInPlace } from "./desk/forms.js";
import { completeNames } from "./desk/people.js";

/** On a phone the task is shown that the address names, and the first one without an address. */
function showTask(/** @type {Element | null} */ target) {
  const page = document.getElementById("tournament");
  const task = /** @type {HTMLElement | null} */ (target?.closest("[data-task]") ?? null)?.dataset.task ?? "now";
  if (page) page.dataset.shown = task.split(" ")[0];
}

/** Browsers open the details around a link's target, but not all of them. */
function openTarget() {
  const target = location.hash ? document.getElementById(location.hash.slice(1)) : null;
  showTask(target);
  const around = target?.closest("details");
  if (!around || around.open) return;
  around.open = true;
  target?.scrollIntoView();
}

/** A pairing that somebody unfolds is shown whole, with the button at its end. */
addEventListener("click", ({ target }) => {
  const table = target instanceof Element ? target.closest(".desk-table summary")?.closest("details") : null;
  if (table) requestAnimationFrame(() => table.open && table.scrollIntoView({ block: "nearest" }));
});
addEventListener("hashchange", openTarget);
openTarget();

/** @type {ResultLine | null} */
let line = null;

function openLine() {
  const bar = document.getElementById("result-line");
  if (!bar) return;
  line ??= new ResultLine(bar);
  bar.hidden = !line.pairings.length && !line.outbox.entries.length;
}

/** A click on a name in the row of a pairing: that player has won. */
document.addEventListener("click", (event) => {
  const winner = event.target instanceof Element ? event.target.closest("button[data-wins]") : null;
  const row = /** @type {HTMLElement | null} */ (winner?.closest(".desk-table") ?? null);
  if (!line || !row || !(winner instanceof HTMLButtonElement)) return;
  event.preventDefault();
  const lost = /** @type {HTMLInputElement | null} */ (row.querySelector("input[data-lost]"));
  line.click(row.dataset.key ?? "", winner.value, lost?.value.trim() ?? "");
  openLine();
});

const page = document.getElementById("tournament");
if (page && document.getElementById("tournament-live")) {
  openLine();
  sendFormsInPlace();
  completeNames();
  document.addEventListener("tablero:desk", () => {
    line?.follow();
    openLine();
  });
  page.addEventListener("tablero:tournament", () => refresh().catch(() => line?.probe()));
  page.addEventListener("tablero:connection", (event) => {
    if (!(/** @type {CustomEvent<{joined: boolean}>} */ (event).detail.joined)) line?.probe();
    else line?.outbox.send();
  });
  document.addEventListener("tablero:unsent", () => line?.probe());
}
