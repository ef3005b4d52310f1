/** The texts of a live board: the line under it, and a sentence for screen readers. Pure. */
import { higherFirst } from "../board/dice.js";
import { fill, gettext } from "../i18n.js";
import { statusOf } from "../match/status.js";
import { actionLabel } from "../match/action-text.js";
import { SIDES } from "../board/sides.js";
import { halves, nameOf, waitedFor } from "../match/format.js";
import { stateOf } from "./feed.js";

/** The last play, as `bea 3-1: 8/5 6/5`. @param {LiveBoard} board */
export function lastPlay({ last, about, position }) {
  if (!last) return "";
  const name = about.players[last.seat]?.name ?? "…";
  // Damas has dice only at its opening.
  const dice = last.dice?.length && position.family !== "squares" ? ` ${higherFirst(last.dice).join("-")}` : "";
  return `${name}${dice}: ${actionLabel(last.text)}`;
}

/** Whose turn it is, or how it ended. @param {LiveBoard} board */
export function headline(board) {
  return statusOf(stateOf(board)).headline;
}

/** What is played: `Backgammon · 5 points`. @param {LiveBoard} board */
export function terms({ about: { words } }) {
  return [words.game, words.length].filter(Boolean).join(" · ");
}

/**
 * Everything that the picture shows: players, score, pips, who is to move.
 * @param {LiveBoard} board
 */
export function sentence(board) {
  const { score, position } = board;
  const state = stateOf(board);
  const sides = SIDES.map((side) => {
    const values = { name: nameOf(state, side), points: halves(score[side]), pips: position.pips?.[side] ?? 0 };
    return fill(position.pips ? gettext("%(name)s %(points)s, pip count %(pips)s") : gettext("%(name)s %(points)s"), values);
  });
  return [`${terms(board)}.`, `${sides.join("; ")}.`, headline(board)].join(" ");
}

/** @param {LiveBoard} board */
export function turnOf(board) {
  return waitedFor(stateOf(board));
}
