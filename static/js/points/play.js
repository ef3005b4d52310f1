/**
 * One play, made half-move by half-move, by walking the tree of plays that the server sent. Nothing here knows a rule
 * of the game: a half-move is legal because it stands in the tree. Everything is pure; a Play is never changed.
 *
 * All numbers are the mover's own: 25 the bar, 26 the stock, 0 off.
 */

export const BAR = 25;
export const STOCK = 26;
export const OFF = 0;

/**
 * @typedef {object} Play
 * @property {Tree} tree
 * @property {Half[]} halves the half-moves made so far
 * @property {number} node the node we stand on; -1 when the play is complete
 */

/**
 * @param {Tree} tree
 * @returns {Play}
 */
export function begin(tree) {
  return { tree, halves: [], node: tree.length && tree[0].length ? 0 : -1 };
}

/**
 * The half-moves that are legal now.
 * @param {Play} play
 * @returns {Half[]}
 */
export function choices(play) {
  return play.node < 0 ? [] : play.tree[play.node];
}

/** The same play from its beginning. @param {Play} play */
export function restart({ tree }) {
  return begin(tree);
}

/** No checker has to go on. */
export function pickedIn() {
  return null;
}

/** @param {Play} play */
export function isStarted({ halves }) {
  return halves.length > 0;
}

/** @param {Play} play */
export function isComplete(play) {
  return play.node < 0;
}

/**
 * @param {Play} play
 * @param {Half} half one of `choices(play)`
 * @returns {Play}
 */
export function advance(play, half) {
  if (!choices(play).includes(half)) throw new Error(`not in the tree: ${half[0]}/${half[1]}`);
  return { tree: play.tree, halves: [...play.halves, half], node: half[4] };
}

/**
 * @param {Play} play
 * @param {Half[]} path
 * @returns {Play}
 */
export function advanceAll(play, path) {
  return path.reduce(advance, play);
}

/**
 * The play without its last half-move.
 * @param {Play} play
 * @returns {Play}
 */
export function undo(play) {
  return advanceAll(begin(play.tree), play.halves.slice(0, -1));
}

/**
 * From where some checker can move now.
 * @param {Play} play
 * @returns {number[]}
 */
export function sources(play) {
  return [...new Set(choices(play).map((half) => half[0]))];
}

/**
 * Half-moves in the order in which the dice lie on the table: the left die first.
 * @param {Half[]} halves
 * @param {number[]} order
 */
function byDie(halves, order) {
  /** @param {Half} half */
  const rank = (half) => {
    const at = order.indexOf(half[2]);
    return at < 0 ? order.length : at;
  };
  return [...halves].sort((a, b) => rank(a) - rank(b));
}

/**
 * Every place that the checker on `from` can reach, alone, with one die or more, and the half-moves that take it there:
 * the fewest, and among equals those of the left die first.
 * @param {Play} play
 * @param {number} from
 * @param {number[]} order the dice from left to right
 * @returns {Map<number, Half[]>}
 */
export function reach(play, from, order) {
  /** @type {Map<number, Half[]>} */
  const found = new Map();
  /** @type {{play: Play, at: number, path: Half[]}[]} */
  let ring = [{ play, at: from, path: [] }];
  while (ring.length) {
    /** @type {typeof ring} */
    const next = [];
    for (const { play: reached, at, path } of ring) {
      for (const half of byDie(choices(reached), order)) {
        if (half[0] !== at) continue;
        const longer = [...path, half];
        if (!found.has(half[1])) found.set(half[1], longer);
        next.push({ play: advance(reached, half), at: half[1], path: longer });
      }
    }
    ring = next;
  }
  return found;
}

/**
 * What a click on a checker plays: the left die if it can, else the other one.
 * @param {Play} play
 * @param {number} from
 * @param {number[]} order
 * @returns {Half | null}
 */
export function tap(play, from, order) {
  return byDie(choices(play).filter((half) => half[0] === from), order)[0] ?? null;
}

/**
 * What two equal plays have in common: the checkers that left, arrived and were hit, whatever the order.
 * @param {Half[]} halves
 */
function result(halves) {
  /** @type {Map<number, number>} */
  const moved = new Map();
  const hits = [];
  for (const [from, to, , hit] of halves) {
    moved.set(from, (moved.get(from) ?? 0) - 1);
    moved.set(to, (moved.get(to) ?? 0) + 1);
    if (hit) hits.push(to);
  }
  const left = [...moved].filter(([, count]) => count).sort((a, b) => a[0] - b[0]);
  return JSON.stringify([left, hits.sort((a, b) => a - b)]);
}

/**
 * All complete plays below a node, one by one.
 * @param {Play} play
 * @returns {Generator<Play>}
 */
export function* completions(play) {
  if (isComplete(play)) {
    yield play;
    return;
  }
  for (const half of choices(play)) yield* completions(advance(play, half));
}

/**
 * The only play there is, when all orders of the half-moves lead to one position; else null.
 * @param {Tree | null | undefined} tree
 * @returns {Play | null}
 */
export function forced(tree) {
  if (!tree || !tree.length || !tree[0].length) return null;
  /** @type {Play | null} */
  let only = null;
  let key = "";
  for (const play of completions(begin(tree))) {
    if (!only) {
      only = play;
      key = result(play.halves);
    } else if (result(play.halves) !== key) {
      return null;
    }
  }
  return only;
}

/** @param {number} place */
function name(place) {
  if (place === BAR) return "bar";
  if (place === STOCK) return "stock";
  return place === OFF ? "off" : String(place);
}

/**
 * The play in notation, half-move by half-move: `8/5 6/5*`.
 * @param {Half[]} halves
 */
export function notationOf(halves) {
  return halves.map(([from, to, , hit]) => `${name(from)}/${name(to)}${hit ? "*" : ""}`).join(" ");
}

/** @param {Play} play */
export function textOf({ halves }) {
  return notationOf(halves);
}

/**
 * Which of the drawn dice are spent. Doubles are drawn as four dice.
 * @param {number[]} order the dice from left to right
 * @param {Half[]} halves
 * @returns {{value: number, used: boolean}[]}
 */
export function diceLeft(order, halves) {
  const drawn = spread(order).map((value) => ({ value, used: false }));
  for (const half of halves) {
    const die = drawn.find(({ value, used }) => !used && value === half[2]) ?? drawn.find(({ used }) => !used);
    if (die) die.used = true;
  }
  return drawn;
}

/**
 * @param {number[]} dice
 * @returns {number[]} four numbers for doubles
 */
export function spread(dice) {
  return dice.length === 2 && dice[0] === dice[1] ? [dice[0], dice[0], dice[0], dice[0]] : [...dice];
}
