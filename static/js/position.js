/** The position page: plays shown on the board, checkers moved by hand to try them, ids copied. */
import { createPointsBoard } from "./points/board.js";
import { gettext } from "./i18n.js";

/** @param {string} id */
const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

const situation = /** @type {import("./points/board.js").Situation} */ (JSON.parse(byId("position-data").textContent ?? ""));
/** @type {"ccw" | "cw"} */
let direction = document.querySelector("[data-direction=cw]") ? "cw" : "ccw";
const board = createPointsBoard(byId("position-board"), { bottom: "white", direction });
const tools = /** @type {HTMLElement} */ (document.querySelector(".position-tools"));
const undo = /** @type {HTMLButtonElement} */ (tools.querySelector("[data-do=undo]"));
const shown = /** @type {HTMLOutputElement} */ (tools.querySelector("output"));

board.events.on("play", () => {
  undo.disabled = !board.started;
  shown.textContent = board.text;
  for (const button of document.querySelectorAll("[data-play]")) button.removeAttribute("aria-current");
});
board.set({ ...situation, last: null });
tools.hidden = false;
undo.hidden = !situation.position.tree;

document.addEventListener("click", (event) => {
  const button = /** @type {HTMLElement} */ (event.target).closest?.("button");
  if (!button) return;
  const { do: action, play, copy } = button.dataset;
  if (action === "undo") board.undo();
  else if (action === "flip") turn(button);
  else if (action === "text") board.setText(toggled(button));
  else if (play) show(button, play);
  else if (copy) keep(byId(copy));
});

/** @param {HTMLElement} button */
function toggled(button) {
  const on = button.getAttribute("aria-pressed") !== "true";
  button.setAttribute("aria-pressed", String(on));
  return on;
}

/** @param {HTMLElement} button */
function turn(button) {
  toggled(button);
  direction = direction === "cw" ? "ccw" : "cw";
  board.setDirection(direction);
}

/** @param {HTMLElement} button @param {string} play */
function show(button, play) {
  board.reset();
  if (play === "pass" || !board.type(play)) return;
  button.setAttribute("aria-current", "true");
  board.element.scrollIntoView({ block: "nearest" });
}

/** @param {HTMLElement} source */
async function keep(source) {
  const text = source instanceof HTMLAnchorElement ? source.href : (source.textContent ?? "");
  await navigator.clipboard.writeText(text);
  byId("copied").textContent = gettext("Copied.");
}

// Without https (a club's own network) browsers have no clipboard for pages: the ids are selected by hand there.
if (navigator.clipboard) for (const button of document.querySelectorAll("[data-copy]")) button.removeAttribute("hidden");
