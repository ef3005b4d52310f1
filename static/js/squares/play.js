/**
 * One move of damas, made by choosing squares out of the moves that the server sent. Nothing here knows a rule of the
 * game: a square may be chosen because a listed move ends there or lands there on its way. Where several captures remain,
 * every chosen square leaves those that pass it; with one left the move is complete. Pure; a Play is never changed.
 */

/**
 * @typedef {object} Play
 * @property {SquaresMove[]} moves every legal move
 * @property {SquaresMove[]} left those that what was chosen so far allows
 * @property {number[]} path the squares where the piece stood, from its start; empty before it moves
 * @property {number | null} goal the square where the move shall end, while several ways lead there
 * @property {Play | null} back the play before the last choice
 */

/**
 * @param {SquaresMove[]} moves
 * @returns {Play}
 */
export function begin(moves) {
  return { moves, left: moves, path: [], goal: null, back: null };
}

/** Has anything been chosen? @param {Play} play */
export function isStarted(play) {
  return play.back !== null;
}

/** @param {Play} play */
export function isComplete(play) {
  return play.left.length === 1 && play.path.length === play.left[0].path.length;
}

/** Where the piece of a started move stands, or null. @param {Play} play */
export function standing(play) {
  if (!isStarted(play)) return null;
  return play.path.at(-1) ?? play.left[0].from;
}

/** From where some piece can move now; in the middle of a capture, the piece that captures. @param {Play} play */
export function sources(play) {
  if (isComplete(play)) return [];
  const at = standing(play);
  return at === null ? [...new Set(play.moves.map(({ from }) => from))] : [at];
}

/**
 * The play after the piece on `from` was sent to `to`, or null when no listed move allows it. A square where several ways
 * end becomes the goal; a square on the way is walked to when all that pass it arrive there in the same way.
 * @param {Play} play
 * @param {number} from
 * @param {number} to
 * @returns {Play | null}
 */
export function choose(play, from, to) {
  if (!sources(play).includes(from)) return null;
  const able = isStarted(play) ? play.left : play.moves.filter((move) => move.from === from);
  const at = Math.max(0, play.path.length - 1);
  const ends = play.goal === to ? [] : able.filter((move) => move.to === to);
  if (ends.length === 1) return completed(play, ends[0]);
  if (ends.length > 1) return { ...play, left: ends, goal: to, back: play };
  const next = able.filter(({ path }) => path[at + 1] === to);
  const through = next.length ? next : able.filter(({ path }) => path.indexOf(to, at + 1) > 0);
  if (!through.length) return null;
  if (through.length === 1) return completed(play, through[0]);
  const prefix = through[0].path.slice(0, through[0].path.indexOf(to, at + 1) + 1);
  if (through.every(({ path }) => prefix.every((square, i) => path[i] === square))) {
    return { ...play, left: through, path: prefix, back: play };
  }
  return through.length < able.length ? { ...play, left: through, back: play } : null;
}

/** @param {Play} play @param {SquaresMove} move @returns {Play} */
function completed(play, move) {
  return { ...play, left: [move], path: move.path, back: play };
}

/**
 * What the piece on `from` reaches: squares where a move ends, and others on the way that say which move is meant.
 * @param {Play} play
 * @param {number} from
 * @returns {{ends: number[], waypoints: number[]}}
 */
export function reach(play, from) {
  if (!sources(play).includes(from)) return { ends: [], waypoints: [] };
  const able = isStarted(play) ? play.left : play.moves.filter((move) => move.from === from);
  const at = Math.max(0, play.path.length - 1);
  const ends = new Set(able.map((move) => move.to).filter((square) => choose(play, from, square)));
  const waypoints = new Set(able.flatMap(({ path }) => path.slice(at + 1, -1)));
  return {
    ends: [...ends].sort((a, b) => a - b),
    waypoints: [...waypoints].filter((square) => !ends.has(square) && choose(play, from, square)).sort((a, b) => a - b),
  };
}

/** The play without its last choice. @param {Play} play */
export function undo(play) {
  return play.back ?? play;
}

/** The same move from its beginning. @param {Play} play */
export function restart({ moves }) {
  return begin(moves);
}

/** In the middle of a capture the same piece goes on. @param {Play} play */
export function pickedIn(play) {
  return isComplete(play) ? null : standing(play);
}

/** The only move there is, made; else null. @param {SquaresMove[]} moves */
export function forced(moves) {
  return moves.length === 1 ? completed(begin(moves), moves[0]) : null;
}

/**
 * The steps that show how `after` came of `before`: the piece on one square of its path after the other.
 * @param {Play} before
 * @param {Play} after
 * @returns {Play[]}
 */
export function stages(before, after) {
  const first = Math.max(2, before.path.length + 1);
  /** @type {Play[]} */
  const found = [];
  for (let length = first; length < after.path.length; length += 1) found.push({ ...after, path: after.path.slice(0, length) });
  return [...found, after];
}

/** The action when the move is complete, else the squares walked so far: `17x28`. @param {Play} play */
export function textOf(play) {
  return isComplete(play) ? play.left[0].text : play.path.join("x");
}
