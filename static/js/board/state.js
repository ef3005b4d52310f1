/**
 * What is drawn: the position that the server sent, plus the half-moves made so far at this screen. Pure.
 */
import { BAR, OFF, STOCK, begin, diceLeft, reach, sources, spread } from "./play.js";
import { legs } from "./typed.js";

/** @typedef {import("./play.js").Play} Play */

/**
 * @typedef {object} View
 * @property {PositionView} position
 * @property {{seat: Side, dice: number[] | null, text: string} | null} last
 * @property {Side} bottom the side at the bottom of the screen
 * @property {boolean} mine may this viewer move now?
 * @property {boolean} canDouble
 * @property {Play | null} play the play under way, when there is a tree
 * @property {number[]} order the dice from left to right
 * @property {number | null} picked the place a man was picked up from, in the mover's numbering
 */

/** @param {Side} side @returns {Side} */
export function rival(side) {
  return side === "white" ? "black" : "white";
}

/**
 * @param {PositionView} position
 * @param {{you?: Side | null, bottom?: Side, last?: View["last"], may?: string[]}} around
 * @returns {View}
 */
export function fresh(position, { you = null, bottom = you ?? "white", last = null, may = [] } = {}) {
  const mine = you !== null && position.turn === you && may.includes("move") && !!position.tree;
  return {
    position,
    last,
    bottom,
    mine,
    canDouble: may.includes("double"),
    play: mine && position.tree ? begin(position.tree) : null,
    order: position.dice ? [...position.dice] : [],
    picked: null,
  };
}

/**
 * The men after one half-move of `mover`. A hit man goes to his bar.
 * @param {Men2} men
 * @param {Side} mover
 * @param {{from: number, to: number, hit: boolean}} half
 * @returns {Men2}
 */
export function moved(men, mover, { from, to, hit }) {
  const other = rival(mover);
  const own = { ...men[mover], points: [...men[mover].points] };
  const his = { ...men[other], points: [...men[other].points] };
  if (from === BAR) own.bar -= 1;
  else if (from === STOCK) own.stock -= 1;
  else own.points[from - 1] -= 1;
  if (to === OFF) own.off += 1;
  else own.points[to - 1] += 1;
  if (hit && to !== OFF) {
    his.points[24 - to] -= 1;
    his.bar += 1;
  }
  return /** @type {Men2} */ ({ [mover]: own, [other]: his });
}

/**
 * The men as drawn now.
 * @param {View} view
 * @returns {Men2}
 */
export function menNow(view) {
  const { position, play } = view;
  if (!play || position.turn === "chance" || position.turn === "over") return position.board;
  const mover = position.turn;
  return play.halves.reduce((men, [from, to, , hit]) => moved(men, mover, { from, to, hit: !!hit }), position.board);
}

/**
 * The steps of a recorded play, for drawing it. The text marks a hit on the last man written to land there; the first to
 * land is drawn hitting.
 * @param {string} text
 */
export function steps(text) {
  const all = legs(text) ?? [];
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
  const whose = mover === bottom ? "me" : "them";
  if (n === BAR) return `bar-${whose}`;
  if (n === OFF) return `off-${whose}`;
  if (n === STOCK) return `stock-${whose}`;
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
  const [kind, whose] = place.split("-");
  if ((whose === "me") !== (mover === bottom)) return null;
  return { bar: BAR, off: OFF, stock: STOCK }[kind] ?? null;
}

/** @param {View} view @returns {Side | null} */
export function moverOf(view) {
  const { turn } = view.position;
  return turn === "white" || turn === "black" ? turn : null;
}

/**
 * Everything the board draws, from the viewer's side.
 * @param {View} view
 * @returns {Scene}
 */
export function sceneOf(view) {
  const { position, play, bottom, picked } = view;
  const mover = moverOf(view);
  /** @param {number} n @returns {Place} */
  const place = (n) => placeOf(n, mover ?? bottom, bottom);
  const from = play && mover ? sources(play) : [];
  const targets = play && mover && picked !== null ? [...reach(play, picked, view.order).keys()] : [];
  return {
    bottom,
    board: menNow(view),
    dice: diceOf(view),
    rollKey: position.dice ? `${position.turn} ${position.dice.join("")}` : "",
    cube: cubeOf(view),
    movable: from.map(place),
    picked: picked === null ? null : place(picked),
    targets: targets.map(place),
    marks: marksOf(view),
    mover,
    swappable: !!play && view.order.length === 2 && view.order[0] !== view.order[1],
  };
}

/** @param {View} view @returns {DieDrawn[]} */
function diceOf(view) {
  const { position, play, bottom, last } = view;
  const mover = moverOf(view);
  if (position.phase === "opening" && position.dice?.length) {
    const [white, black] = position.dice;
    return /** @type {[Side, number][]} */ ([["white", white], ["black", black]])
      .filter(([, value]) => value)
      .map(([side, value]) => ({ value, used: false, dim: false, mine: side === bottom, mark: side }));
  }
  if (position.dice?.length && mover) {
    const mine = mover === bottom;
    return diceLeft(view.order, play?.halves ?? []).map((die) => ({ ...die, dim: false, mine, mark: mover }));
  }
  if (last && position.phase !== "over" && position.phase !== "opening") {
    const mine = last.seat === bottom;
    return spread(last.dice ?? []).map((value) => ({ value, used: false, dim: true, mine, mark: last.seat }));
  }
  return [];
}

/** @param {View} view @returns {Scene["cube"]} */
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

/** The rival's last play, marked until this side starts its own. @param {View} view */
function marksOf({ last, bottom, play, position }) {
  if (!last || position.phase === "opening" || (play && play.halves.length)) return { from: [], to: [] };
  const legsOfLast = steps(last.text);
  /** @param {number} n @returns {Place} */
  const place = (n) => placeOf(n, last.seat, bottom);
  const left = new Set(legsOfLast.map((leg) => leg.from));
  const reached = new Set(legsOfLast.map((leg) => leg.to));
  return {
    from: [...left].filter((n) => !reached.has(n)).map(place),
    to: [...reached].filter((n) => n !== OFF && !left.has(n)).map(place),
  };
}
