/**
 * What the page of a match clock keeps in the browser, by pairing: the settings, the clock, the games and the report. A
 * reload, a locked screen or a lost connection loses nothing. What is stored and cannot be read is left aside.
 */
import { newClock, nextGame, pause } from "./clock.js";
import { withGame } from "./score-sheet.js";

/** @typedef {import("./clock.js").Player} Player */
/** @typedef {import("./clock.js").Settings} Settings */
/** @typedef {import("./clock.js").MatchClock} MatchClock */
/** @typedef {import("./score-sheet.js").Game} Game */
/** @typedef {import("./score-sheet.js").MatchTerms} MatchTerms */
/** @typedef {Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">} Store */

/**
 * @typedef {object} ClockState
 * @property {number} version
 * @property {number} at when it was stored
 * @property {Settings} settings
 * @property {MatchClock} clock
 * @property {Game[]} games
 * @property {MatchClock | null} ended the clock at the end of the last game, while none was touched since
 * @property {Player} near whose half is not turned
 * @property {string} sent the name of the report that is on its way: the server takes each once
 * @property {boolean} reported
 */

const VERSION = 1;
const PREFIX = "tablero.clock.";
const KEPT = 30 * 86_400_000;

/** @param {Settings} settings @param {Player} near @returns {ClockState} */
export function newState(settings, near) {
  return {
    version: VERSION, at: 0, settings, clock: newClock(settings), games: [], ended: null, near, sent: "", reported: false,
  };
}

/**
 * Record a game: the clock stands until the next one begins. The same state if this game cannot be.
 * @param {ClockState} state
 * @param {MatchTerms} match
 * @param {Game} game
 * @param {number} now
 * @returns {ClockState}
 */
export function recordGame(state, match, game, now) {
  const games = withGame(match, state.games, game);
  if (games === state.games) return state;
  const clock = nextGame(state.clock, state.settings, now);
  return { ...state, games, clock, ended: pause(state.clock, now), sent: "", reported: false };
}

/**
 * Remove the last game. If no half was touched since, its clock is there again, paused.
 * @param {ClockState} state
 * @returns {ClockState}
 */
export function removeGame(state) {
  if (!state.games.length) return state;
  const games = state.games.slice(0, -1);
  return { ...state, games, clock: state.ended ?? state.clock, ended: null, sent: "", reported: false };
}

/** @param {ClockState} state @param {MatchClock} clock after a touch or its undo @returns {ClockState} */
export function withClock(state, clock) {
  return clock === state.clock ? state : { ...state, clock, ended: null };
}

/** @param {Store} storage @param {string} place @returns {ClockState | null} */
export function readState(storage, place) {
  try {
    const stored = JSON.parse(storage.getItem(place) ?? "null");
    return stored?.version === VERSION ? stored : null;
  } catch {
    return null;
  }
}

/**
 * Store a state; false in a browser that stores nothing.
 * @param {Store} storage
 * @param {string} place
 * @param {ClockState} state
 * @param {number} now
 */
export function writeState(storage, place, state, now) {
  try {
    storage.setItem(place, JSON.stringify({ ...state, at: now }));
    return true;
  } catch {
    return false;
  }
}

/** Remove the clocks of matches that were played long ago. @param {Store} storage @param {number} now */
export function removeOld(storage, now) {
  try {
    const places = Array.from({ length: storage.length }, (_, at) => storage.key(at) ?? "");
    for (const place of places.filter((name) => name.startsWith(PREFIX))) {
      const at = readState(storage, place)?.at ?? 0;
      if (now - at > KEPT) storage.removeItem(place);
    }
  } catch {
    // a browser without storage has nothing to remove
  }
}
