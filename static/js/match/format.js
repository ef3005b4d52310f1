/** The words that every page of a match shares: names, points, and how a game, a match or a session ended. */
import { fill, gettext, isolate, ngettext } from "../i18n.js";
import { SIDES, opponentOf } from "../board/sides.js";

/** @typedef {(side: Side) => string} Names */

/** @param {Pick<State, "match">} state @param {Side} side */
export function nameOf({ match }, side) {
  return isolate(match.players[side]?.name ?? (side === "white" ? gettext("White") : gettext("Black")));
}

/** The side that everybody waits for, or null. An offer of a draw stops nobody. @param {State} state @returns {Side | null} */
export function waitedFor({ match, offer, position }) {
  if (match.status !== "live") return null;
  if (offer && !offer.draw) return opponentOf(offer.seat);
  const { turn } = position;
  return turn === "white" || turn === "black" ? turn : null;
}

/** The colour of a side's pieces in this game. @param {GameView} position @param {Side} side @returns {Side} */
export function coloured({ colours }, side) {
  return colours?.[side] ?? side;
}

/** Has the side to roll just played a whole named double? @param {State} state */
export function rollsAgain({ position, last }) {
  return position.phase === "roll" && !!last && last.seat === position.turn && last.text.includes("/");
}

/** How long until the game is drawn by itself, where that is near. @param {GameView} position */
export function drawNear({ countdown }) {
  if (!countdown) return "";
  const { left } = countdown;
  return fill(ngettext("Draw in %(count)s move if nobody wins.", "Draw in %(count)s moves if nobody wins.", left), { count: left });
}

/** A score as it is written: whole, or with a half. @param {number} count */
export function halves(count) {
  const whole = Math.floor(count);
  return count === whole ? String(count) : `${whole || ""}½`;
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

/** How the match ended, to one of its players or to anybody; to a player a plain win or loss is one line. @param {Pick<State, "match"> & {you?: Side | null}} state */
export function matchResult(state) {
  const { result, score } = state.match;
  if (!result) return gettext("The match is over.");
  const { winner, by } = result;
  const standing = SIDES.map((side) => `${nameOf(state, side)} ${halves(score[side])}`).join(", ");
  if (by === "ended") return fill(gettext("Session over: %(score)s."), { score: standing });
  if (by === "stopped") return fill(gettext("Match called off: %(score)s."), { score: standing });
  if (by === "unfinished") return fill(gettext("Match unfinished: %(score)s."), { score: standing });
  if (!winner) return fill(gettext("Match over: %(score)s."), { score: standing });
  const values = {
    name: nameOf(state, winner),
    loser: nameOf(state, opponentOf(winner)),
    score: `${halves(score[winner])}–${halves(score[opponentOf(winner)])}`,
  };
  if (by === "flag") return fill(gettext("%(name)s won: %(loser)s ran out of time."), values);
  if (by === "resign") return fill(gettext("%(name)s won: %(loser)s resigned the match."), values);
  if (by === "absent") return fill(gettext("%(name)s won: %(loser)s was away for too long."), values);
  if (state.you) return fill(winner === state.you ? gettext("You won %(score)s") : gettext("You lost %(score)s"), values);
  return fill(gettext("%(name)s won %(score)s."), values);
}

/**
 * What a rated match changed: for a player their own rating, for anybody else both; empty where it changed nothing.
 * @param {Pick<State, "match" | "you">} state
 * @param {string} language whose numbers are written
 */
export function ratingChange({ match, you }, language) {
  const { ratings } = match;
  if (!ratings) return "";
  const plain = new Intl.NumberFormat(language, { minimumFractionDigits: 2, maximumFractionDigits: 2, useGrouping: false });
  /** @param {Side} side */
  const describeChange = (side) => {
    const { before, after } = ratings[side];
    const change = `${after < before ? "−" : "+"}${plain.format(Math.abs(after - before))}`;
    return `${change} → ${plain.format(after)}`;
  };
  if (you) return fill(gettext("Your rating: %(change)s"), { change: describeChange(you) });
  return SIDES.map((side) => `${nameOf({ match }, side)} ${describeChange(side)}`).join(" · ");
}

/**
 * How a game ended, to one of its players or to anybody.
 * @param {Outcome} outcome
 * @param {Names} names
 * @param {Side | null} [you]
 */
export function gameOver({ winner, points: count, kind }, names, you = null) {
  if (!winner) return drawn(kind);
  const values = { name: names(winner), loser: names(opponentOf(winner)), points: points(count), kind: "" };
  const youWon = winner === you;
  if (kind === "flag") return fill(gettext("%(name)s wins %(points)s: %(loser)s ran out of time."), values);
  if (kind === "blocked") {
    return youWon ? gettext("You win: your opponent has no legal move.") : fill(gettext("%(name)s wins: %(loser)s has no legal move."), values);
  }
  if (kind === "gammon" || kind === "backgammon") {
    values.kind = level(kind === "gammon" ? 2 : 3);
    return fill(youWon ? gettext("%(kind)s! You win %(points)s.") : gettext("%(kind)s! %(name)s wins %(points)s."), values);
  }
  return fill(youWon ? gettext("You win %(points)s.") : gettext("%(name)s wins %(points)s."), values);
}

/** @param {string} kind */
function drawn(kind) {
  /** @type {Record<string, string>} */
  const why = {
    agreement: gettext("Draw by agreement."),
    claim: gettext("Draw claimed under the rules."),
    kings: gettext("Draw: only kings left, and nobody won within the move limit."),
  };
  return why[kind] ?? gettext("The game is a draw.");
}

/**
 * How the game between two states ended, or an empty text: read from the scores.
 * @param {State} before
 * @param {State} after
 */
export function gameResult(before, after) {
  const gained = SIDES.filter((side) => after.match.score[side] > before.match.score[side]);
  if (!gained.length) return "";
  const [winner] = gained;
  const read = {
    winner: gained.length === 1 ? winner : null,
    points: after.match.score[winner] - before.match.score[winner],
    kind: "",
  };
  return gameOver(after.ended ?? read, (side) => nameOf(after, side), after.you);
}
