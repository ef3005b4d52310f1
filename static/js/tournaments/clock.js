/**
 * A match clock for a match over the board, as a value: reserves, the delay of a turn, and the moment since when the time
 * of a player runs. The time is passed in and nothing ticks, so a page that slept or was loaded again reads the right
 * time. The rules are those of `games/clocks.py`: first the delay runs, then the reserve, then the overtime.
 *
 * When a flag falls the clock stops and says so; a person decides what follows, and may let it run on.
 */

/** @typedef {0 | 1} Player the first or the second player of the pairing */

/**
 * @typedef {object} Settings all in milliseconds
 * @property {number} reserve for the whole match, or for each game (`eachGame`)
 * @property {number} delay of each turn
 * @property {number} bonus for each turn that ends
 * @property {number} overtime once a match, after the reserve
 * @property {boolean} eachGame
 */

/**
 * @typedef {object} MatchClock
 * @property {number[]} reserve of both players
 * @property {number[]} overtime of both players
 * @property {number} delayLeft of the turn
 * @property {Player | null} running whose time runs
 * @property {Player | null} paused whose time stands still until it is resumed
 * @property {number} since the moment that the other values are of, while time runs
 * @property {boolean[]} flags whose time was up
 * @property {MatchClock | null} before the clock at the last touch, for its undo
 */

/** @param {Player} player @returns {Player} */
export function opponentOf(player) {
  return player === 0 ? 1 : 0;
}

/** Both reserves full, nobody's time running. @param {Settings} settings @returns {MatchClock} */
export function newClock({ reserve, overtime }) {
  return {
    reserve: [reserve, reserve],
    overtime: [overtime, overtime],
    delayLeft: 0,
    running: null,
    paused: null,
    since: 0,
    flags: [false, false],
    before: null,
  };
}

/** @param {number[]} pair @param {Player} player @param {number} change */
function changed(pair, player, change) {
  return pair.map((value, at) => (at === player ? value + change : value));
}

/**
 * The clock as it is now: what was used is charged. A device whose time was set back charges nothing.
 * @param {MatchClock} clock
 * @param {number} now
 * @returns {MatchClock}
 */
export function clockAt(clock, now) {
  const { running, reserve, overtime, delayLeft, flags } = clock;
  if (running === null) return clock;
  const used = Math.max(0, now - clock.since);
  const free = Math.min(used, delayLeft);
  const off = Math.min(used - free, reserve[running]);
  const over = Math.min(used - free - off, overtime[running]);
  const charged = {
    ...clock,
    reserve: changed(reserve, running, -off),
    overtime: changed(overtime, running, -over),
    delayLeft: delayLeft - free,
    since: now,
  };
  const left = charged.delayLeft + charged.reserve[running] + charged.overtime[running];
  if (left > 0 || flags[running]) return charged;
  return { ...charged, running: null, paused: running, flags: flags.map((flag, at) => flag || at === running) };
}

/**
 * A player touches their own half: their turn ends and the opponent's begins. The first touch starts the opponent's
 * time. A touch out of turn, or on a paused clock, does nothing: the same clock is returned.
 * @param {MatchClock} clock
 * @param {Settings} settings
 * @param {Player} player
 * @param {number} now
 * @returns {MatchClock}
 */
export function touch(clock, settings, player, now) {
  const before = clockAt(clock, now);
  if (before.paused !== null) return before.flags === clock.flags ? clock : before;
  if (before.running !== null && before.running !== player) return clock;
  const bonus = before.running === null ? 0 : settings.bonus;
  return {
    ...before,
    reserve: changed(before.reserve, player, bonus),
    running: opponentOf(player),
    delayLeft: settings.delay,
    since: now,
    before: { ...before, before: null },
  };
}

/** Stop the time. @param {MatchClock} clock @param {number} now @returns {MatchClock} */
export function pause(clock, now) {
  const stopped = clockAt(clock, now);
  return stopped.running === null ? stopped : { ...stopped, running: null, paused: stopped.running };
}

/** Let the time run again, in the same turn. @param {MatchClock} clock @param {number} now @returns {MatchClock} */
export function resume(clock, now) {
  return clock.paused === null ? clock : { ...clock, running: clock.paused, paused: null, since: now };
}

/**
 * Take the last touch back: the turn that it ended goes on, and what the opponent used since is given back. A paused
 * clock stays paused.
 * @param {MatchClock} clock
 * @param {number} now
 * @returns {MatchClock}
 */
export function undoTouch(clock, now) {
  const { before, paused } = clock;
  if (!before) return clock;
  if (paused !== null) return { ...before, running: null, paused: before.running };
  return { ...before, since: now };
}

/**
 * The clock between two games: both stand until the first touch. Where every game has its own reserve, it is full again.
 * @param {MatchClock} clock
 * @param {Settings} settings
 * @param {number} now
 * @returns {MatchClock}
 */
export function nextGame(clock, settings, now) {
  const ended = clockAt(clock, now);
  const full = newClock(settings);
  const own = settings.eachGame ? { reserve: full.reserve, flags: full.flags } : {};
  return { ...ended, ...own, delayLeft: 0, running: null, paused: null, before: null };
}

/** Whether no time has run yet. @param {MatchClock} clock @param {Settings} settings */
export function isUnused(clock, settings) {
  const { reserve, overtime } = newClock(settings);
  const full = clock.reserve.every((left, at) => left === reserve[at]) && clock.overtime.every((left, at) => left === overtime[at]);
  return full && clock.running === null && clock.paused === null;
}

/**
 * What a half shows: the reserve, or the overtime after it, and the delay of the player to move.
 * @param {MatchClock} clock as of now
 * @param {Player} player
 * @param {Settings} settings
 */
export function readHalf(clock, player, settings) {
  const turn = clock.running ?? clock.paused;
  const over = clock.reserve[player] === 0 && settings.overtime > 0;
  return {
    left: over ? clock.overtime[player] : clock.reserve[player],
    over,
    delay: turn === player ? clock.delayLeft : null,
    toMove: turn === player,
    running: clock.running === player,
    flag: clock.flags[player],
  };
}
