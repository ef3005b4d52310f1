/** What happened, as steps to show before the new position settles: recorded actions become slides of checkers. Pure. */
import { higherFirst, openingDice } from "../board/dice.js";
import { moverOf } from "../board/sides.js";
import { GAME_END, RECORDED_SLIDE } from "../board/timeline.js";
import { isComplete, spread } from "./play.js";
import { checkersNow, moved, recordedLegs, sceneOf } from "./state.js";

/** @typedef {import("./state.js").View} View */
/** @typedef {import("../board/timeline.js").AnimationStep<PointsScene>} AnimationStep */

const TUMBLE = 650;

/**
 * @param {View} view what is drawn now
 * @param {Action[]} actions what came after it
 * @param {{game: number | null}} around the number of the game the drawing belongs to
 * @returns {AnimationStep[]}
 */
export function animate(view, actions, { game }) {
  /** @type {AnimationStep[]} */
  const steps = [];
  const base = quiet(sceneOf(view));
  let checkers = view.position.board;
  let dice = base.dice;
  /** @type {Side | null} */
  let roller = null;
  const rollers = new Set();
  const shown = actions.filter((action) => game === null || action.game === game);
  shown.forEach((action, at) => {
    const { seat, text } = action;
    if (text === "roll" && (seat === "white" || seat === "black")) {
      roller = seat;
      rollers.add(seat);
    }
    const named = /^name ([1-6])/.exec(text);
    if (named && (seat === "white" || seat === "black")) roller = seat;
    const rolled = /^dice ([1-6])([1-6])/.exec(text) ?? (named && [text, named[1], named[1]]);
    const rest = shown.slice(at + 1);
    if (rolled && rollers.size === 2) {
      const [, white, black] = rolled;
      // At an opening roll White's die is the first, and the higher one starts: with these numbers, or with a new roll.
      roller = white > black ? "white" : "black";
      if (rest.some((later) => later.text.startsWith("dice"))) {
        dice = openingDice([Number(white), Number(black)], view.bottom);
        steps.push({ scene: { ...base, board: checkers, dice, rollKey: `opening ${text} ${at}` }, ms: TUMBLE, sound: "roll" });
        rollers.clear();
        return;
      }
      rollers.clear();
    }
    if (rolled && roller && rest.some((later) => later.text.includes("/"))) {
      const side = roller;
      dice = spread(higherFirst([Number(rolled[1]), Number(rolled[2])])).map((value) => ({ value, used: false, dim: false, atBottom: side === view.bottom, mark: side }));
      steps.push({ scene: { ...base, board: checkers, dice, rollKey: `${side} ${text} ${at}` }, ms: TUMBLE, sound: named ? null : "roll" });
    }
    if ((seat !== "white" && seat !== "black") || !text.includes("/")) return;
    if (at === 0 && isDrawnAlready(view, seat)) {
      checkers = checkersNow(view);
      return;
    }
    for (const leg of recordedLegs(text)) {
      checkers = moved(checkers, seat, leg);
      steps.push({ scene: { ...base, board: checkers, dice, mover: seat }, ms: RECORDED_SLIDE, sound: leg.hit ? "hit" : "step" });
    }
  });
  if (shown.length && shown.length < actions.length) {
    steps.push({ scene: { ...base, board: checkers, dice: [] }, ms: GAME_END, sound: null });
  }
  return steps;
}

/** My own play stands on the board before its event comes. @param {View} view @param {Side} seat */
function isDrawnAlready(view, seat) {
  return !!view.play && moverOf(view.position) === seat && view.play.halves.length > 0 && isComplete(view.play);
}

/** @param {PointsScene} scene @returns {PointsScene} */
function quiet(scene) {
  return { ...scene, movable: [], picked: null, targets: [], marks: { from: [], to: [] }, swappable: false, finishing: false };
}
