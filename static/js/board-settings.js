/** The settings of boards and sounds: a choice shows at once on the preview; saving keeps it. */
import { Sounds } from "./match/sound.js";
import { createPointsBoard } from "./points/board.js";

const { dataset } = document.documentElement;
const form = /** @type {HTMLFormElement} */ (document.querySelector("[data-board-settings]"));
const board = createPointsBoard(/** @type {HTMLElement} */ (document.querySelector("[data-part=preview]")), { bottom: "white" });
const sounds = new Sounds(true);
board.events.on("sound", (name) => sounds.play(name));

/** @param {Record<number, number>} counts */
function points(counts) {
  return Array.from({ length: 24 }, (_, i) => counts[i + 1] ?? 0);
}

/** A board in play, after White's 5-3 or before it. @param {boolean} played @returns {PositionView} */
function position(played) {
  /** @type {Record<number, number>} */
  const white = played ? { 24: 2, 13: 3, 10: 1, 8: 4, 6: 5 } : { 24: 2, 13: 5, 8: 3, 6: 5 };
  return {
    family: "points",
    phase: "move",
    turn: played ? "black" : "white",
    board: {
      white: { points: points(white), bar: 0, off: 0, stock: 0 },
      black: { points: points({ 24: 2, 13: 4, 8: 3, 6: 4, 4: 1 }), bar: 1, off: 0, stock: 0 },
    },
    pips: null,
    dice: played ? [6, 1] : [5, 3],
    cube: { value: 2, owner: "white", offered: null, dead: false },
    outcome: null,
    tree: null,
  };
}

const around = { you: null, may: [], last: null, game: 1 };
let played = false;
board.set({ ...around, position: position(false) });

/** Plays a move to show the speed and the sounds, and the next time back to the beginning. */
function demonstrate() {
  played = !played;
  const actions = /** @type {Action[]} */ ([{ n: 1, game: 1, seat: "white", text: "13/8 13/10" }]);
  if (played) {
    board.set({ ...around, position: position(true) }, actions);
    window.setTimeout(() => sounds.play("roll"), 300);
  } else {
    board.set({ ...around, position: position(false) });
    sounds.play("roll");
  }
}

form.addEventListener("input", ({ target }) => {
  if (!(target instanceof HTMLInputElement)) return;
  const { name } = target;
  if (name === "haptics") dataset.haptics = target.checked ? "1" : "0";
  else if (["board", "checkers", "dice", "animation", "volume"].includes(name)) dataset[name] = target.value;
});
form.addEventListener("change", ({ target }) => {
  if (!(target instanceof HTMLInputElement)) return;
  if (target.name === "volume") sounds.play("step");
  if (target.name === "animation") demonstrate();
});
const button = /** @type {HTMLButtonElement} */ (document.querySelector("[data-do=try]"));
button.hidden = false;
button.addEventListener("click", demonstrate);
