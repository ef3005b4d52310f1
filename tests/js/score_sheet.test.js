import assert from "node:assert/strict";
import { test } from "node:test";

import { newSent, reportBody, sendReport, SignedOut } from "../../static/js/tournaments/clock-report.js";
import { newState, readState, recordGame, removeGame, removeOld, withClock, writeState } from "../../static/js/tournaments/clock-state.js";
import { clockAt, touch } from "../../static/js/tournaments/clock.js";
import { crawfordGame, cubeValues, linesOf, pointsOf, scoreOf, stageOf, winnerOf, withGame } from "../../static/js/tournaments/score-sheet.js";

const match = { length: 5, start: [0, 0], cube: true, crawford: true };
const settings = { reserve: 600_000, delay: 12_000, bonus: 0, overtime: 0, eachGame: false };
const game = (winner, cube = 1, level = 1) => ({ winner, cube, level });

function storage(entries = {}) {
  const kept = new Map(Object.entries(entries));
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => kept.set(key, value),
    removeItem: (key) => kept.delete(key),
    key: (at) => [...kept.keys()][at] ?? null,
    get length() { return kept.size; },
  };
}

test("a game is worth its cube times single, gammon or backgammon", () => {
  assert.equal(pointsOf(game(0, 2, 3)), 6);
  assert.deepEqual(scoreOf(match, [game(0, 2), game(1, 1, 2), game(0)]), [3, 2]);
  assert.deepEqual(scoreOf({ ...match, start: [0, 2] }, [game(1)]), [0, 3]);
});

test("the match is won at its length or above", () => {
  assert.equal(winnerOf(match, [game(0, 4)]), null);
  assert.equal(winnerOf(match, [game(0, 4), game(0, 1, 2)]), 0);
  assert.equal(winnerOf(match, [game(1, 2, 3)]), 1);
});

test("the first game after a player is one point away is the Crawford game, and only that one", () => {
  const four = [game(0, 4)];
  assert.equal(stageOf(match, [game(0, 2)]), "");
  assert.equal(stageOf(match, four), "crawford");
  assert.equal(stageOf(match, [...four, game(1)]), "after");
  assert.equal(stageOf(match, [...four, game(1), game(1, 2), game(1)]), "after"); // the opponent reaches 4, too
  assert.equal(crawfordGame(match, [...four, game(1)]), 2);
  assert.equal(stageOf(match, [...four, game(0)]), "after"); // it was won in the Crawford game
});

test("a match without the cube, to one point or without the rule has no Crawford game", () => {
  assert.equal(stageOf({ ...match, length: 1 }, []), "");
  assert.equal(stageOf({ ...match, crawford: false }, [game(0, 4)]), "");
  assert.equal(crawfordGame(match, [game(0, 4, 2)]), 0); // nobody was one point away
});

test("penalty points can make the first game the Crawford game", () => {
  assert.equal(stageOf({ ...match, start: [4, 0] }, []), "crawford");
});

test("the cube stays at 1 in the Crawford game, and ends where it wins the match", () => {
  assert.deepEqual(cubeValues(match, []), [1, 2, 4, 8]);
  assert.deepEqual(cubeValues(match, [game(0, 4)]), [1]);
  assert.deepEqual(cubeValues(match, [game(0, 4), game(1)]), [1, 2, 4]);
  assert.deepEqual(cubeValues({ ...match, cube: false }, []), [1]);
  assert.deepEqual(cubeValues({ ...match, length: 99 }, []).at(-1), 64);
});

test("no game is added that cannot be", () => {
  const four = [game(0, 4)];
  assert.equal(withGame(match, four, game(1, 2)), four);
  assert.equal(withGame(match, [], game(1, 3)).length, 0);
  assert.equal(withGame(match, [], game(1, 1, 4)).length, 0);
  const won = [game(1, 2, 3)];
  assert.equal(withGame(match, won, game(0)), won);
  assert.deepEqual(withGame(match, four, game(1)), [...four, game(1)]);
});

test("the sheet says the score after each game and which one was the Crawford game", () => {
  assert.deepEqual(linesOf(match, [game(0, 2, 2), game(1)]), [
    { winner: 0, cube: 2, level: 2, number: 1, points: 4, score: [4, 0], crawford: false },
    { winner: 1, cube: 1, level: 1, number: 2, points: 1, score: [4, 1], crawford: true },
  ]);
});

test("a recorded game stops the clock, and removing it brings the clock back", () => {
  const fresh = newState(settings, 0);
  const playing = withClock(fresh, touch(fresh.clock, settings, 1, 0));
  const recorded = recordGame(playing, match, game(0, 2), 22_000);
  assert.deepEqual([recorded.games.length, recorded.clock.running, recorded.clock.paused], [1, null, null]);
  const removed = removeGame(recorded);
  assert.deepEqual([removed.games.length, removed.clock.paused, removed.clock.reserve], [0, 0, [590_000, 600_000]]);
  const later = removeGame(withClock(recorded, touch(recorded.clock, settings, 0, 30_000)));
  assert.equal(later.clock.running, 1); // the next game had begun: its clock stays
  assert.equal(recordGame(recorded, match, game(0, 3), 0), recorded);
  assert.equal(removeGame(fresh), fresh);
});

test("a removed game takes its report with it", () => {
  const won = { ...recordGame(newState(settings, 0), match, game(1, 8), 0), sent: "ab-1", reported: true };
  assert.deepEqual([removeGame(won).sent, removeGame(won).reported], ["", false]);
});

test("a reload reads what was stored, with the time that went by", () => {
  const kept = storage();
  const state = withClock(newState(settings, 1), touch(newState(settings, 1).clock, settings, 0, 1_000));
  assert.equal(writeState(kept, "tablero.clock.a", state, 2_000), true);
  const read = readState(kept, "tablero.clock.a");
  assert.deepEqual(read, { ...state, at: 2_000 });
  assert.deepEqual(clockAt(read.clock, 33_000).reserve, [600_000, 580_000]);
});

test("what cannot be read is left aside, and a browser without storage says so", () => {
  assert.equal(readState(storage({ a: "{" }), "a"), null);
  assert.equal(readState(storage({ a: '{"version":0}' }), "a"), null);
  assert.equal(readState(storage(), "a"), null);
  const full = { ...storage(), setItem: () => { throw new Error("full"); } };
  assert.equal(writeState(full, "a", newState(settings, 0), 0), false);
});

test("clocks of a month ago are removed, and nothing else", () => {
  const day = 86_400_000;
  const kept = storage({ other: "1" });
  writeState(kept, "tablero.clock.old", newState(settings, 0), 0);
  writeState(kept, "tablero.clock.new", newState(settings, 0), 20 * day);
  removeOld(kept, 31 * day);
  assert.deepEqual([kept.getItem("tablero.clock.old"), kept.getItem("other"), kept.length], [null, "1", 2]);
});

const result = { key: "main-1-1", numbers: [3, 8], winner: 1, score: [2, 6], sent: "0123456789abcdef-1" };

test("a player reports as JSON and a director as the desk does", () => {
  const player = reportBody({ as: "player", url: "/" }, result);
  assert.deepEqual(JSON.parse(player.body), { key: "main-1-1", winner: 8, won: 6, lost: 2 });
  const director = reportBody({ as: "director", url: "/" }, result);
  assert.equal(director.body, "key=main-1-1&winner=8&won=6&lost=2&how=played&of=3+8&sent=0123456789abcdef-1");
  assert.match(newSent(), /^[0-9a-f]{16}-1$/);
});

test("an answer is read, a lost session and a lost connection are told apart", async () => {
  const way = { as: "player", url: "/r/" };
  const request = reportBody(way, result);
  const answered = (status, body, type = "application/json") => async () => new Response(body, { status, headers: { "Content-Type": type } });
  assert.deepEqual(await sendReport(way, request, "t", answered(200, '{"version":4}')), { ok: true, text: "" });
  assert.deepEqual(await sendReport(way, request, "t", answered(409, '{"text":"No."}')), { ok: false, text: "No." });
  await assert.rejects(sendReport(way, request, "t", answered(403, "<html>", "text/html")), SignedOut);
  await assert.rejects(sendReport(way, request, "t", answered(401, "{}")), SignedOut);
  await assert.rejects(sendReport(way, request, "t", answered(502, "<html>", "text/html")), { message: "502" });
});
