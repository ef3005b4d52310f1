/** A position to decide in: the play is made on the board, and what is said of it comes with arrows for both plays. */
import { createPointsBoard } from "./points/board.js";
import { recordedLegs } from "./points/state.js";
import { arrows, overlay } from "./rules/arrows.js";

const page = /** @type {HTMLElement} */ (document.querySelector(".puzzle"));
const situation = /** @type {import("./points/board.js").Situation} */ (
  JSON.parse(document.getElementById("puzzle-data")?.textContent ?? "")
);
const form = /** @type {HTMLFormElement | null} */ (page.querySelector(".puzzle-form"));
const field = /** @type {HTMLInputElement | null} */ (page.querySelector("#id_answer"));
const undo = /** @type {HTMLButtonElement | null} */ (page.querySelector("[data-do=undo]"));
const board = createPointsBoard(/** @type {HTMLElement} */ (document.getElementById("puzzle-board")), {
  bottom: "white",
  direction: page.dataset.direction === "cw" ? "cw" : "ccw",
});

board.events.on("play", () => {
  if (undo) undo.disabled = !board.started;
  if (field && (board.started || field.dataset.made)) field.value = board.text;
  if (field) field.dataset.made = board.started ? "made" : "";
});
board.set({ ...situation, last: null });
showVerdict();

page.addEventListener("click", (event) => {
  const button = /** @type {HTMLElement} */ (event.target).closest?.("button");
  if (button?.dataset.do === "undo") board.undo();
  else if (button?.dataset.do === "text") {
    const on = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(on));
    board.setText(on);
  }
});
field?.addEventListener("input", () => {
  field.dataset.made = "";
});
document.body.addEventListener("htmx:afterSwap", (event) => {
  if (/** @type {HTMLElement} */ (event.target).id === "verdict") showVerdict();
});

/** Draws what was said: the answer dashed, the best play in full; nothing more can be answered. */
function showVerdict() {
  const verdict = /** @type {HTMLElement | null} */ (page.querySelector("#verdict > :not([data-refused])"));
  if (!verdict) return;
  if (form) form.hidden = true;
  if (undo) undo.hidden = true;
  if ("best" in verdict.dataset) board.reset(); // where nothing better is shown, the play stays on the board
  board.lock();
  const { answer = "", best = "" } = verdict.dataset;
  const checkers = situation.position.board;
  const drawn = situation.position.tree ?? situation.position.dice ? marks(checkers, answer, best) : [];
  overlay(board.element.querySelector(".bd-play"), drawn);
  /** @type {HTMLElement | null} */ (verdict.querySelector("[data-next]"))?.focus({ preventScroll: true });
}

/** @param {Checkers} checkers @param {string} answer @param {string} best */
function marks(checkers, answer, best) {
  const wrong = answer && answer !== best ? arrows(board.plan, checkers, recordedLegs(answer), "played", { bend: -0.14 }) : [];
  return [...(best ? arrows(board.plan, checkers, recordedLegs(best), "better") : []), ...wrong];
}
