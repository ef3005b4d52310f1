/** The replay of a finished match: where we stand in it, and the moves of a reader through it. Pure. */
import { isPlay } from "./action-text.js";

/** @typedef {{game: number, frame: number}} Spot game counts from 0; frame 0 is the start, frame n the game's n-th action */

/**
 * A game with its frames: its start is frame 0, so that frame n stands after the game's n-th action.
 * @param {ReplayHead} head
 * @param {ReplayGameFrames} chapter
 * @returns {ReplayGame}
 */
export function opened(head, { start, frames, outcome }) {
  /** @type {ReplayFrame} */
  const first = { action: { seat: "server", text: "start", n: frames[0].action.n - 1 }, position: start };
  return { ...head, frames: [first, ...frames], outcome };
}

/**
 * The frames of a game that is open already; nobody stands in another one.
 * @param {ReplayContent} content
 * @param {number} game
 */
export function framesOf(content, game) {
  return content.games[game].frames ?? [];
}

/**
 * @param {ReplayContent} content
 * @param {Spot} spot
 * @returns {Spot}
 */
function within(content, { game, frame }) {
  const g = Math.max(0, Math.min(content.games.length - 1, game));
  return { game: g, frame: Math.max(0, Math.min(content.games[g].count, frame)) };
}

/**
 * Dice and rolls are steps on the way; a reader steps from decision to decision.
 * @param {ReplayFrame} frame
 */
export function isStop({ action }) {
  return action.text !== "roll";
}

/**
 * From a spot in an open game; the game that it leads to may have to be opened.
 * @param {ReplayContent} content
 * @param {Spot} spot
 * @param {"first" | "back" | "next" | "last"} direction
 * @returns {Spot}
 */
export function go(content, spot, direction) {
  const { game } = spot;
  const { count } = content.games[game];
  const frames = framesOf(content, game);
  if (direction === "first") return spot.frame > 0 ? { game, frame: 0 } : within(content, { game: game - 1, frame: 0 });
  if (direction === "last") {
    if (spot.frame < count) return { game, frame: count };
    return within(content, { game: game + 1, frame: Infinity });
  }
  const step = direction === "next" ? 1 : -1;
  for (let at = spot.frame + step; at >= 0 && at < frames.length; at += step) {
    if (isStop(frames[at]) || at === 0) return { game, frame: at };
  }
  if (step > 0 && game + 1 < content.games.length) return { game: game + 1, frame: 0 };
  if (step < 0 && game > 0) return within(content, { game: game - 1, frame: Infinity });
  return spot;
}

/** Is there nothing after this? @param {ReplayContent} content @param {Spot} spot */
export function atEnd(content, spot) {
  const next = go(content, spot, "next");
  return next.game === spot.game && next.frame === spot.frame;
}

/**
 * The permanent address of a spot: `#g2m14` is game 2, its 14th recorded action.
 * @param {ReplayContent} content
 * @param {Spot} spot
 */
export function hashOf(content, { game, frame }) {
  return `#g${content.games[game].number}m${frame}`;
}

/**
 * @param {ReplayContent} content
 * @param {string} hash
 * @returns {Spot}
 */
export function spotOf(content, hash) {
  const found = /^#g(\d+)(?:m(\d+))?$/.exec(hash);
  if (!found) return { game: 0, frame: 0 };
  const game = content.games.findIndex(({ number }) => number === Number(found[1]));
  return within(content, { game: Math.max(0, game), frame: Number(found[2] ?? 0) });
}

/**
 * The last play before a spot, with its dice, as a live state would name it.
 * @param {ReplayContent} content
 * @param {Spot} spot
 * @returns {State["last"]}
 */
export function lastPlay(content, { game, frame }) {
  const frames = framesOf(content, game);
  for (let at = frame; at >= 0; at -= 1) {
    const { seat, text } = frames[at].action;
    if (text === "compel") return null;
    if ((seat !== "white" && seat !== "black") || !isPlay(text)) continue;
    const dice = at > 0 ? frames[at - 1].position.dice : null;
    return { seat, dice: dice ?? [], text };
  }
  return null;
}
