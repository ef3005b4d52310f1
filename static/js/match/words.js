/** Sentences of a match: whose turn it is, what was just done, how a game ended. */
import { fill, gettext, isolate, ngettext } from "../words.js";
import { rival } from "../board/state.js";
import { written } from "../board/typed.js";

/** @typedef {{headline: string, detail: string}} Status */

/** @param {State} state @param {Side} side */
export function nameOf(state, side) {
  return isolate(state.match.players[side]?.name ?? (side === "white" ? gettext("White") : gettext("Black")));
}

/** The side that everybody waits for, or null. @param {State} state @returns {Side | null} */
export function waitedFor(state) {
  if (state.match.status !== "live") return null;
  if (state.offer) return rival(state.offer.seat);
  const { turn } = state.position;
  return turn === "white" || turn === "black" ? turn : null;
}

/** @param {number[] | null} dice */
function thrown(dice) {
  return dice ? dice.join("-") : "";
}

/**
 * What this viewer should know first.
 * @param {State} state
 * @returns {Status}
 */
export function statusOf(state) {
  const { match, position, you, offer, may } = state;
  if (match.status === "over") return { headline: matchResult(state), detail: "" };
  if (match.status === "cancelled") return { headline: gettext("This match was cancelled."), detail: "" };
  if (match.status === "open") return { headline: gettext("Waiting for a rival."), detail: "" };
  if (offer) return offered(state, offer);
  if (position.phase === "opening") return opening(state);
  const side = waitedFor(state);
  if (!side) return { headline: position.phase === "over" ? gettext("The game is over.") : gettext("The dice fall."), detail: "" };
  const values = { name: nameOf(state, side), dice: thrown(position.dice), value: position.cube?.offered ?? 0 };
  if (side === you) {
    if (position.phase === "doubled") {
      return {
        headline: fill(gettext("%(name)s doubles to %(value)s."), { ...values, name: nameOf(state, rival(side)) }),
        detail: gettext("Take the cube, or drop and lose the game at its present value."),
      };
    }
    if (position.phase === "roll") {
      const both = may.includes("double");
      return { headline: gettext("Your turn"), detail: both ? gettext("Roll, or double first.") : gettext("Roll the dice.") };
    }
    return { headline: fill(gettext("Your turn: play %(dice)s"), values), detail: "" };
  }
  if (position.phase === "doubled") {
    return { headline: fill(gettext("%(name)s decides: take or drop %(value)s"), values), detail: "" };
  }
  if (position.phase === "roll") return { headline: fill(gettext("%(name)s is to roll"), values), detail: "" };
  return { headline: fill(gettext("%(name)s plays %(dice)s"), values), detail: "" };
}

/** @param {State} state @returns {Status} */
function opening({ you, ready, match, may }) {
  if (you && ready.includes(you)) return { headline: gettext("Waiting for your rival to roll."), detail: gettext("Opening roll") };
  if (you && may.includes("roll")) {
    return { headline: fill(gettext("Game %(number)s"), { number: match.game }), detail: gettext("Opening roll: the higher die starts.") };
  }
  return { headline: fill(gettext("Game %(number)s"), { number: match.game }), detail: gettext("Opening roll") };
}

/** @param {State} state @param {NonNullable<State["offer"]>} offer @returns {Status} */
function offered(state, offer) {
  const values = { name: nameOf(state, offer.seat), what: level(offer.level), points: points(offer.points) };
  if (offer.seat === state.you) {
    return { headline: gettext("You offered to resign."), detail: fill(gettext("%(what)s, %(points)s"), values) };
  }
  return { headline: fill(gettext("%(name)s offers to resign."), values), detail: fill(gettext("%(what)s, %(points)s"), values) };
}

/** @param {number | string} which */
export function level(which) {
  if (which === "match") return gettext("The whole match");
  return { 1: gettext("Single game"), 2: gettext("Gammon"), 3: gettext("Backgammon") }[Number(which)] ?? String(which);
}

/** @param {number} count */
export function points(count) {
  return fill(ngettext("%(count)s point", "%(count)s points", count), { count });
}

/** @param {State} state */
export function matchResult(state) {
  const { result, score } = state.match;
  if (!result?.winner) return gettext("The match is over.");
  const values = {
    name: nameOf(state, result.winner),
    loser: nameOf(state, rival(result.winner)),
    score: `${score[result.winner]}–${score[rival(result.winner)]}`,
  };
  if (result.by === "flag") return fill(gettext("%(name)s wins: the time of %(loser)s ran out."), values);
  if (result.by === "resign") return fill(gettext("%(name)s wins: %(loser)s resigned the match."), values);
  return fill(gettext("%(name)s wins the match %(score)s."), values);
}

/**
 * How the last game ended, read from two scores.
 * @param {State} before
 * @param {State} after
 */
export function gameResult(before, after) {
  for (const side of /** @type {Side[]} */ (["white", "black"])) {
    const won = after.match.score[side] - before.match.score[side];
    if (won <= 0) continue;
    const kind = after.ended && after.ended.winner === side ? after.ended.kind : "";
    const values = { name: nameOf(after, side), points: points(won), kind: level({ gammon: 2, backgammon: 3 }[kind] ?? 0) };
    if (values.kind === "0") return side === after.you ? fill(gettext("You win %(points)s."), values) : fill(gettext("%(name)s wins %(points)s."), values);
    return side === after.you
      ? fill(gettext("%(kind)s! You win %(points)s."), values)
      : fill(gettext("%(kind)s! %(name)s wins %(points)s."), values);
  }
  return "";
}

/**
 * What an action says aloud.
 * @param {Action} action
 * @param {State} state
 */
export function announce({ seat, text }, state) {
  const dice = /^dice ([1-6])([1-6])/.exec(text);
  if (dice) return fill(gettext("Dice: %(one)s and %(two)s."), { one: dice[1], two: dice[2] });
  if (seat === "chance" || text === "roll") return "";
  // The server acts for the side that had to: it passes for him who cannot move, and says whose time ran out.
  if (seat === "server" && text === "pass") return gettext("No legal play: the turn passes.");
  const name = seat === "server" ? "" : nameOf(state, seat);
  const values = { name, play: written(text) };
  if (text.includes("/")) return fill(gettext("%(name)s plays %(play)s."), values);
  /** @type {Record<string, string>} */
  const said = {
    pass: gettext("%(name)s has no legal play."),
    double: gettext("%(name)s doubles."),
    beaver: gettext("%(name)s beavers."),
    take: gettext("%(name)s takes."),
    drop: gettext("%(name)s drops."),
    accept: gettext("%(name)s accepts the resignation."),
    reject: gettext("%(name)s rejects the resignation."),
    hold: gettext("A player is away: the server rolls for him."),
    flag: gettext("The time ran out."),
  };
  if (text.startsWith("resign")) return fill(gettext("%(name)s offers to resign."), values);
  const [verb] = text.split(" ");
  return verb in said ? fill(said[verb], values) : "";
}

/** @param {string} text one action, as a cell of the list of plays */
export function short(text) {
  /** @type {Record<string, string>} */
  const words = {
    pass: gettext("No play"),
    double: gettext("Doubles"),
    beaver: gettext("Beavers"),
    take: gettext("Takes"),
    drop: gettext("Drops"),
    accept: gettext("Accepts"),
    reject: gettext("Rejects"),
    flag: gettext("Time ran out"),
    start: gettext("Start of the game"),
  };
  if (text.startsWith("resign")) return gettext("Resigns");
  return words[text] ?? written(text);
}
