/**
 * What is drawn: the position that the server sent, plus the half-moves made so far at this screen. Pure.
 */
import { higherFirst, openingDice } from "../board/dice.js";
import { moverOf, opponentOf } from "../board/sides.js";
import { beginView } from "../board/view.js";
import { parseLegs } from "./notation.js";
import { BAR, OFF, STOCK, advanceAll, begin, diceLeft, forced, isComplete, isStarted, reach, sources, spread } from "./play.js";

/** @typedef {import("./play.js").Play} Play */

/**
 * `order`: the dice from left to right; `picked` in the mover's numbering.
 * @typedef {import("../board/view.js").View<PositionView, Play, number> & {canDouble: boolean, order: number[]}} View
 */

/**
 * @param {PositionView} position
 * @param {{you?: Side | null, bottom?: Side, last?: View["last"], may?: string[]}} around
 * @returns {View}
 */
export function viewOf(position, around = {}) {
  return {
    ...beginView(position, around, begin),
    canDouble: around.may?.includes("double") ?? false,
    order: higherFirst(position.dice ?? []),
  };
}

/** @param {PositionView} position */
export function taskOf({ board, tree, dice }) {
  return [board, tree, dice];
}

/** What was begun in a view, for the next one of the same task. @param {View} before @param {View} next @returns {Partial<View>} */
export function resume({ play, order, picked }, next) {
  return play && next.play ? { play: advanceAll(next.play, samePath(next.play, play)), order, picked } : {};
}

/**
 * The half-moves of `old` as they stand in the equal tree of `next`.
 * @param {Play} next
 * @param {Play} old
 */
function samePath(next, old) {
  let node = 0;
  return old.halves.map((half) => {
    const same = next.tree[node].find((other) => other[0] === half[0] && other[1] === half[1] && other[2] === half[2]);
    if (!same) throw new Error("not the same tree");
    node = same[4];
    return same;
  });
}

/** The only play there is, where this viewer is to move. @param {View} view */
export function forcedIn({ canMove, position }) {
  return canMove ? forced(position.tree) : null;
}

/**
 * The checkers after one half-move of `mover`. A hit checker goes to its bar.
 * @param {Checkers} checkers
 * @param {Side} mover
 * @param {{from: number, to: number, hit: boolean}} half
 * @returns {Checkers}
 */
export function moved(checkers, mover, { from, to, hit }) {
  const opponent = opponentOf(mover);
  const own = { ...checkers[mover], points: [...checkers[mover].points] };
  const opponentSide = { ...checkers[opponent], points: [...checkers[opponent].points] };
  if (from === BAR) own.bar -= 1;
  else if (from === STOCK) own.stock -= 1;
  else own.points[from - 1] -= 1;
  if (to === OFF) own.off += 1;
  else own.points[to - 1] += 1;
  if (hit && to !== OFF) {
    opponentSide.points[24 - to] -= 1;
    opponentSide.bar += 1;
  }
  return /** @type {Checkers} */ ({ [mover]: own, [opponent]: opponentSide });
}

/**
 * The checkers as drawn now.
 * @param {View} view
 * @returns {Checkers}
 */
export function checkersNow({ position, play }) {
  const mover = moverOf(position);
  if (!play || !mover) return position.board;
  return play.halves.reduce((checkers, [from, to, , hit]) => moved(checkers, mover, { from, to, hit: !!hit }), position.board);
}

/**
 * The pip counts after the half-moves made so far: a hit checker starts again from the bar.
 * @param {View} view
 * @returns {Record<Side, number> | null}
 */
export function pipsNow({ position, play }) {
  const mover = moverOf(position);
  if (!position.pips || !play || !mover) return position.pips;
  const pips = { ...position.pips };
  for (const [from, to, , hit] of play.halves) {
    pips[mover] -= Math.min(from, BAR) - to;
    if (hit) pips[opponentOf(mover)] += to;
  }
  return pips;
}

/**
 * How many checkers of a side stand where.
 * @param {Pick<PointsScene, "bottom" | "board">} scene @param {Side} side
 * @returns {Map<Place, number>}
 */
export function checkersByPlace({ bottom, board }, side) {
  const atBottom = side === bottom;
  const { points, bar, off, stock } = board[side];
  const owner = atBottom ? "me" : "them";
  /** @type {[Place, number][]} */
  const all = points.map((count, i) => [atBottom ? i + 1 : 24 - i, count]);
  all.push([`bar-${owner}`, bar], [`off-${owner}`, off], [`stock-${owner}`, stock ?? 0]);
  return new Map(all.filter(([, count]) => count > 0));
}

/**
 * The steps of a recorded play, for drawing it. The text marks a hit on the last checker written to land there; the
 * first to land is drawn hitting.
 * @param {string} text
 */
export function recordedLegs(text) {
  const all = parseLegs(text) ?? [];
  const hit = new Set(all.filter((leg) => leg.hit).map((leg) => leg.to));
  return all.map((leg) => ({ ...leg, hit: hit.delete(leg.to) }));
}

/**
 * A mover's number as a place on the viewer's board.
 * @param {number} n
 * @param {Side} mover
 * @param {Side} bottom
 * @returns {Place}
 */
export function placeOf(n, mover, bottom) {
  const owner = mover === bottom ? "me" : "them";
  if (n === BAR) return `bar-${owner}`;
  if (n === OFF) return `off-${owner}`;
  if (n === STOCK) return `stock-${owner}`;
  return mover === bottom ? n : 25 - n;
}

/**
 * A place on the viewer's board as a mover's number; null where the mover has no such place.
 * @param {Place} place
 * @param {Side} mover
 * @param {Side} bottom
 */
export function numberOf(place, mover, bottom) {
  if (typeof place === "number") return mover === bottom ? place : 25 - place;
  const [kind, owner] = place.split("-");
  if ((owner === "me") !== (mover === bottom)) return null;
  return { bar: BAR, off: OFF, stock: STOCK }[kind] ?? null;
}

/**
 * Everything the board draws, from the viewer's side.
 * @param {View} view
 * @returns {PointsScene}
 */
export function sceneOf(view) {
  const { position, play, bottom, picked } = view;
  const mover = moverOf(view.position);
  /** @param {number} n @returns {Place} */
  const place = (n) => placeOf(n, mover ?? bottom, bottom);
  const from = play && mover ? sources(play) : [];
  const finishing = !!play && isStarted(play) && isComplete(play);
  const targets = play && mover && picked !== null ? [...reach(play, picked, view.order).keys()] : [];
  return {
    bottom,
    board: checkersNow(view),
    dice: diceOf(view),
    rollKey: position.dice ? `${position.turn} ${position.dice.join("")}` : "",
    cube: cubeOf(view),
    movable: from.map(place),
    picked: picked === null ? null : place(picked),
    targets: targets.map(place),
    marks: marksOf(view),
    mover,
    swappable: !!play && !finishing && view.order.length === 2 && view.order[0] !== view.order[1],
    finishing,
  };
}

/** @param {View} view @returns {DieDrawn[]} */
function diceOf(view) {
  const { position, play, bottom, last } = view;
  const mover = moverOf(view.position);
  if (position.phase === "opening" && position.dice?.length) return openingDice(position.dice, bottom);
  if (position.dice?.length && mover) {
    const atBottom = mover === bottom;
    return diceLeft(view.order, play?.halves ?? []).map((die) => ({ ...die, dim: false, atBottom, mark: mover }));
  }
  // An offered cube lies where the dice of the last roll lay.
  if (last && !position.cube?.offered && position.phase !== "over" && position.phase !== "opening") {
    const atBottom = last.seat === bottom;
    return spread(higherFirst(last.dice ?? [])).map((value) => ({ value, used: false, dim: true, atBottom, mark: last.seat }));
  }
  return [];
}

/** @param {View} view @returns {PointsScene["cube"]} */
function cubeOf({ position, bottom, canDouble }) {
  const { cube } = position;
  if (!cube) return null;
  const live = canDouble;
  if (cube.offered) {
    return { value: cube.offered, at: position.turn === bottom ? "offer-me" : "offer-them", dead: false, live: false };
  }
  if (!cube.owner) return { value: cube.value, at: "middle", dead: cube.dead, live };
  return { value: cube.value, at: cube.owner === bottom ? "me" : "them", dead: cube.dead, live };
}

/** The opponent's last play, marked until this side starts its own. @param {View} view */
function marksOf({ last, bottom, play, position }) {
  if (!last || position.phase === "opening" || (play && play.halves.length)) return { from: [], to: [] };
  const legs = recordedLegs(last.text);
  /** @param {number} n @returns {Place} */
  const place = (n) => placeOf(n, last.seat, bottom);
  const left = new Set(legs.map((leg) => leg.from));
  const reached = new Set(legs.map((leg) => leg.to));
  return {
    from: [...left].filter((n) => !reached.has(n)).map(place),
    to: [...reached].filter((n) => n !== OFF && !left.has(n)).map(place),
  };
}
