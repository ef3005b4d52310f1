/** The score sheet of a match to N points with a cube: its games, the score, and the Crawford game (ruling B14). */

/** @typedef {import("./clock.js").Player} Player */

/**
 * @typedef {object} MatchTerms
 * @property {number} length points
 * @property {number[]} start the points with which both begin
 * @property {boolean} cube
 * @property {boolean} crawford whether there is a Crawford game
 */

/**
 * @typedef {object} Game
 * @property {Player} winner
 * @property {number} cube its value at the end
 * @property {number} level 1 a single game, 2 a gammon, 3 a backgammon
 */

/** @typedef {"" | "crawford" | "after"} Stage of the game that is played: before, at or after the Crawford game */

export const LEVELS = [1, 2, 3];
const MOST_CUBE = 64;

/** @param {Pick<Game, "cube" | "level">} game */
export function pointsOf({ cube, level }) {
  return cube * level;
}

/** @param {MatchTerms} match @param {Game[]} games @returns {number[]} */
export function scoreOf({ start }, games) {
  return start.map((points, player) =>
    games.filter(({ winner }) => winner === player).reduce((sum, game) => sum + pointsOf(game), points));
}

/** Who has reached the length of the match. @param {MatchTerms} match @param {Game[]} games @returns {Player | null} */
export function winnerOf(match, games) {
  const at = scoreOf(match, games).findIndex((points) => points >= match.length);
  return at < 0 ? null : /** @type {Player} */ (at);
}

/**
 * The number of the Crawford game, from 1: the first game after a player is one point away from the match. 0: not yet,
 * or there is none.
 * @param {MatchTerms} match
 * @param {Game[]} games
 */
export function crawfordGame(match, games) {
  if (!match.crawford || match.length < 2) return 0;
  for (let played = 0; played <= games.length; played += 1) {
    const score = scoreOf(match, games.slice(0, played));
    if (Math.max(...score) >= match.length) return 0;
    if (score.includes(match.length - 1)) return played + 1;
  }
  return 0;
}

/** The stage of the game after these. @param {MatchTerms} match @param {Game[]} games @returns {Stage} */
export function stageOf(match, games) {
  const number = crawfordGame(match, games);
  if (!number) return "";
  return number === games.length + 1 ? "crawford" : "after";
}

/**
 * The values that the cube can have in the game after these: up to the first one that wins the match.
 * @param {MatchTerms} match
 * @param {Game[]} games
 */
export function cubeValues(match, games) {
  const values = [1];
  if (!match.cube || stageOf(match, games) === "crawford") return values;
  const away = match.length - Math.min(...scoreOf(match, games));
  for (let value = 2; value <= MOST_CUBE; value *= 2) {
    values.push(value);
    if (value >= away) break;
  }
  return values;
}

/**
 * The games with one more; the same games if the match is over or this game cannot be.
 * @param {MatchTerms} match
 * @param {Game[]} games
 * @param {Game} game
 */
export function withGame(match, games, game) {
  const possible = winnerOf(match, games) === null && cubeValues(match, games).includes(game.cube) && LEVELS.includes(game.level);
  return possible ? [...games, game] : games;
}

/**
 * The lines of the sheet: each game with the score after it.
 * @param {MatchTerms} match
 * @param {Game[]} games
 */
export function linesOf(match, games) {
  const crawford = crawfordGame(match, games);
  return games.map((game, at) => ({
    ...game,
    number: at + 1,
    points: pointsOf(game),
    score: scoreOf(match, games.slice(0, at + 1)),
    crawford: crawford === at + 1,
  }));
}
