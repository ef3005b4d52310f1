/** What happened, as steps to show before the new position settles: recorded actions become slides of men. Pure. */
import { menNow, moved, moverOf, sceneOf, steps } from "./state.js";
import { isComplete, spread } from "./play.js";

/** @typedef {import("./state.js").View} View */
/** @typedef {{scene: Scene, ms: number, sound: "step" | "hit" | "roll" | null}} Moment */

const SLIDE = 240;
const TUMBLE = 650;
const REST = 1400;

/**
 * @param {View} view what is drawn now
 * @param {Action[]} actions what came after it
 * @param {number | null} game the number of the game the drawing belongs to
 * @returns {Moment[]}
 */
export function story(view, actions, game) {
  /** @type {Moment[]} */
  const moments = [];
  const base = quiet(sceneOf(view));
  let men = view.position.board;
  let dice = base.dice;
  /** @type {Side | null} */
  let roller = null;
  const rollers = new Set();
  const told = actions.filter((action) => game === null || action.game === game);
  told.forEach((action, at) => {
    const { seat, text } = action;
    if (text === "roll" && (seat === "white" || seat === "black")) {
      roller = seat;
      rollers.add(seat);
    }
    const thrown = /^dice ([1-6])([1-6])/.exec(text);
    // At an opening roll White's die is the first, and the higher one starts.
    if (thrown && rollers.size === 2) roller = thrown[1] > thrown[2] ? "white" : "black";
    if (thrown && roller && told.slice(at + 1).some((later) => later.text.includes("/"))) {
      const values = spread([Number(thrown[1]), Number(thrown[2])]);
      const side = roller;
      dice = values.map((value) => ({ value, used: false, dim: false, mine: side === view.bottom, mark: side }));
      moments.push({ scene: { ...base, board: men, dice, rollKey: `${side} ${text} ${at}` }, ms: TUMBLE, sound: "roll" });
    }
    if ((seat !== "white" && seat !== "black") || !text.includes("/")) return;
    if (at === 0 && drawnAlready(view, seat)) {
      men = menNow(view);
      return;
    }
    for (const leg of steps(text)) {
      men = moved(men, seat, leg);
      moments.push({ scene: { ...base, board: men, dice, mover: seat }, ms: SLIDE, sound: leg.hit ? "hit" : "step" });
    }
  });
  if (told.length && told.length < actions.length) {
    moments.push({ scene: { ...base, board: men, dice: [] }, ms: REST, sound: null });
  }
  return moments;
}

/** My own play stands on the board before its event comes. @param {View} view @param {Side} seat */
function drawnAlready(view, seat) {
  return !!view.play && moverOf(view) === seat && view.play.halves.length > 0 && isComplete(view.play);
}

/** @param {Scene} scene @returns {Scene} */
function quiet(scene) {
  return { ...scene, movable: [], picked: null, targets: [], marks: { from: [], to: [] }, swappable: false };
}
