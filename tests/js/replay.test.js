import assert from "node:assert/strict";
import { test } from "node:test";
import { linesOf } from "../../static/js/match/move-list.js";
import { atEnd, go, hashOf, lastPlay, opened, spotOf } from "../../static/js/match/replay.js";
import { read } from "./fixtures/read.js";

const recorded = read("replay");
const content = { ...recorded, games: recorded.games.map((game) => opened(game, game)) };
const at = (game, frame) => ({ game, frame });

test("a game begins with its start", () => {
  const { frames, count, start } = content.games[0];
  assert.deepEqual([frames[0].action.text, frames[0].position, frames.length], ["start", start, count + 1]);
});

test("a reader comes to either end of a game that is not here yet", () => {
  const { start, frames, outcome, ...head } = content.games[1];
  const half = { ...content, games: [content.games[0], head] };
  assert.deepEqual(go(half, at(0, 6), "next"), at(1, 0));
  assert.deepEqual(go(half, at(0, 6), "last"), at(1, 4));
  assert.deepEqual([spotOf(half, "#g2m3"), hashOf(half, at(1, 3))], [at(1, 3), "#g2m3"]);
  const other = { ...content, games: [{ ...content.games[0], frames: undefined }, content.games[1]] };
  assert.deepEqual(go(other, at(1, 0), "back"), at(0, 6));
  assert.deepEqual(go(other, at(1, 0), "first"), at(0, 0));
});

test("a reader steps over rolls and from game to game", () => {
  assert.deepEqual(go(content, at(0, 2), "next"), at(0, 4));
  assert.deepEqual(go(content, at(0, 4), "back"), at(0, 2));
  assert.deepEqual(go(content, at(0, 5), "next"), at(1, 0));
  assert.deepEqual(go(content, at(1, 0), "back"), at(0, 6));
  assert.deepEqual(go(content, at(0, 0), "back"), at(0, 0));
  assert.deepEqual(go(content, at(1, 4), "next"), at(1, 4));
  assert.equal(atEnd(content, at(1, 4)), true);
  assert.equal(atEnd(content, at(0, 5)), false);
});

test("first and last go to the ends of the game, then of the next one", () => {
  assert.deepEqual(go(content, at(1, 3), "first"), at(1, 0));
  assert.deepEqual(go(content, at(1, 0), "first"), at(0, 0));
  assert.deepEqual(go(content, at(0, 2), "last"), at(0, 6));
  assert.deepEqual(go(content, at(0, 6), "last"), at(1, 4));
});

test("every position has a permanent address", () => {
  assert.equal(hashOf(content, at(1, 3)), "#g2m3");
  for (const spot of [at(0, 0), at(0, 5), at(1, 4)]) assert.deepEqual(spotOf(content, hashOf(content, spot)), spot);
  assert.deepEqual(spotOf(content, "#g2m999"), at(1, 4));
  assert.deepEqual(spotOf(content, "#nonsense"), at(0, 0));
  assert.deepEqual(spotOf(content, ""), at(0, 0));
});

test("the last play is named with the dice it used", () => {
  assert.deepEqual(lastPlay(content, at(0, 3)), { seat: "white", dice: [5, 3], text: "13/8 6/3" });
  assert.equal(lastPlay(content, at(0, 1)), null);
});

test("the list of plays has a line a turn, White's cell and Black's", () => {
  const lines = linesOf(content.games[0].frames.map((frame) => frame.action));
  assert.deepEqual(lines, [{
    number: 1,
    white: [{ dice: "53", text: "13/8 6/3", n: 2 }],
    black: [{ dice: "66", text: "13/7(2) 8/2(2)", n: 5 }],
  }]);
});

test("the server's pass belongs to the one who could not move", () => {
  const texts = (cells) => cells.map(({ text }) => text).join(" + ");
  const seats = (list) => linesOf(list.map(([seat, text], i) => ({ seat, text, n: i + 1 }))).map(({ white, black }) => [texts(white), texts(black)]);
  assert.deepEqual(seats([["white", "roll"], ["chance", "dice 66"], ["server", "pass"], ["black", "roll"], ["chance", "dice 31"], ["black", "8/5 6/5"]]), [["pass", "8/5 6/5"]]);
  assert.deepEqual(seats([["white", "roll"], ["chance", "dice 31"], ["white", "8/5 6/5"], ["server", "pass"], ["white", "double"], ["black", "drop"]]), [["8/5 6/5", "pass"], ["double", "drop"]]);
  assert.deepEqual(seats([["server", "hold black"], ["white", "roll"], ["chance", "dice 31"], ["server", "flag white"]]), [["flag", ""]]);
});
