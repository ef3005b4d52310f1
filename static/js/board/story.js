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
    const named = /^name ([1-6])/.exec(text);
    if (named && (seat === "white" || seat === "black")) roller = seat;
    const thrown = /^dice ([1-6])([1-6])/.exec(text) ?? (named && [text, named[1], named[1]]);
    const rest = told.slice(at + 1);
    if (thrown && rollers.size === 2) {
      const [, white, black] = thrown;
      // At an opening roll White's die is the first, and the higher one starts: with these numbers, or with a new roll.
      roller = white > black ? "white" : "black";
      if (rest.some((later) => later.text.startsWith("dice"))) {
        dice = [fallen(Number(white), "white", view), fallen(Number(black), "black", view)];
        moments.push({ scene: { ...base, board: men, dice, rollKey: `opening ${text} ${at}` }, ms: TUMBLE, sound: "roll" });
        rollers.clear();
        return;
      }
      rollers.clear();
    }
    if (thrown && roller && rest.some((later) => later.text.includes("/"))) {
      const side = roller;
      dice = spread([Number(thrown[1]), Number(thrown[2])]).map((value) => fallen(value, side, view));
      moments.push({ scene: { ...base, board: men, dice, rollKey: `${side} ${text} ${at}` }, ms: TUMBLE, sound: named ? null : "roll" });
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

/** A die of a side on the table. @param {number} value @param {Side} side @param {View} view @returns {DieDrawn} */
function fallen(value, side, view) {
  return { value, used: false, dim: false, mine: side === view.bottom, mark: side };
}

/** My own play stands on the board before its event comes. @param {View} view @param {Side} seat */
function drawnAlready(view, seat) {
  return !!view.play && moverOf(view) === seat && view.play.halves.length > 0 && isComplete(view.play);
}

/** @param {Scene} scene @returns {Scene} */
function quiet(scene) {
  return { ...scene, movable: [], picked: null, targets: [], marks: { from: [], to: [] }, swappable: false };
}
