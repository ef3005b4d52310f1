import assert from "node:assert/strict";
import { test } from "node:test";

import { clockAt, isUnused, newClock, nextGame, pause, readHalf, resume, touch, undoTouch } from "../../static/js/tournaments/clock.js";

const settings = { reserve: 600_000, delay: 12_000, bonus: 0, overtime: 0, eachGame: false };
const started = touch(newClock(settings), settings, 1, 1_000); // the first player's time runs

test("the first touch starts the opponent's time", () => {
  assert.equal(newClock(settings).running, null);
  assert.deepEqual([started.running, started.delayLeft, started.since], [0, 12_000, 1_000]);
  assert.equal(isUnused(newClock(settings), settings), true);
  assert.equal(isUnused(started, settings), false);
  assert.equal(isUnused(pause(started, 1_000), settings), false);
});

test("the delay runs before the reserve", () => {
  assert.deepEqual([clockAt(started, 11_000).delayLeft, clockAt(started, 11_000).reserve], [2_000, [600_000, 600_000]]);
  assert.deepEqual([clockAt(started, 20_000).delayLeft, clockAt(started, 20_000).reserve], [0, [593_000, 600_000]]);
});

test("an hour of sleep is charged when the page wakes, and a time set back charges nothing", () => {
  const slow = { ...settings, reserve: 7_200_000 };
  const clock = touch(newClock(slow), slow, 1, 0);
  assert.deepEqual(clockAt(clock, 3_612_000).reserve, [3_600_000, 7_200_000]);
  assert.deepEqual(clockAt(clock, -5_000), { ...clock, since: -5_000 });
});

test("a touch ends one's own turn, with a fresh delay for the opponent", () => {
  const turned = touch(started, settings, 0, 23_000);
  assert.deepEqual([turned.running, turned.delayLeft, turned.reserve], [1, 12_000, [590_000, 600_000]]);
});

test("a touch out of turn does nothing", () => {
  assert.equal(touch(started, settings, 1, 5_000), started);
});

test("a bonus is added when a turn ends, and not at the first touch", () => {
  const fischer = { ...settings, delay: 0, bonus: 5_000 };
  const first = touch(newClock(fischer), fischer, 1, 0);
  assert.deepEqual(first.reserve, [600_000, 600_000]);
  assert.deepEqual(touch(first, fischer, 0, 2_000).reserve, [603_000, 600_000]);
});

test("a paused clock stands, ignores touches, and goes on in the same turn", () => {
  const paused = pause(started, 6_000);
  assert.deepEqual([paused.running, paused.paused, paused.delayLeft], [null, 0, 7_000]);
  assert.equal(clockAt(paused, 900_000), paused);
  assert.equal(touch(paused, settings, 0, 900_000), paused);
  assert.equal(pause(paused, 900_000), paused);
  const resumed = resume(paused, 900_000);
  assert.deepEqual([resumed.running, resumed.paused, resumed.delayLeft, resumed.since], [0, null, 7_000, 900_000]);
  assert.equal(resume(resumed, 900_001), resumed);
});

test("an undone touch gives the turn back, and the opponent what was used since", () => {
  const turned = touch(started, settings, 0, 20_000);
  const undone = undoTouch(turned, 60_000);
  assert.deepEqual([undone.running, undone.delayLeft, undone.reserve, undone.since], [0, 0, [593_000, 600_000], 60_000]);
  assert.equal(undoTouch(undone, 61_000), undone);
  assert.deepEqual(undoTouch(started, 4_000).running, null);
});

test("a paused clock stays paused when its last touch is undone", () => {
  const undone = undoTouch(pause(touch(started, settings, 0, 20_000), 30_000), 40_000);
  assert.deepEqual([undone.running, undone.paused, undone.reserve], [null, 0, [593_000, 600_000]]);
});

test("the flag falls exactly at zero and stops the clock", () => {
  assert.deepEqual(clockAt(started, 1_000 + 611_999).flags, [false, false]);
  const fallen = clockAt(started, 1_000 + 612_000);
  assert.deepEqual([fallen.flags, fallen.running, fallen.paused, fallen.reserve], [[true, false], null, 0, [0, 600_000]]);
  assert.deepEqual(clockAt(started, 9_000_000).reserve, [0, 600_000]);
});

test("a touch after the time was up only shows the flag", () => {
  const late = touch(started, settings, 0, 900_000);
  assert.deepEqual([late.flags, late.running, late.paused], [[true, false], null, 0]);
  assert.equal(touch(late, settings, 0, 900_001), late);
});

test("after a flag people may let the clock run on, and the flag stays", () => {
  const on = resume(clockAt(started, 900_000), 1_000_000);
  assert.deepEqual([clockAt(on, 1_050_000).running, clockAt(on, 1_050_000).flags], [0, [true, false]]);
  const turned = touch(on, settings, 0, 1_050_000);
  assert.deepEqual([turned.running, turned.flags], [1, [true, false]]);
});

test("undoing a touch takes back the flag that fell after it", () => {
  const turned = touch(started, settings, 0, 5_000);
  const undone = undoTouch(clockAt(turned, 9_000_000), 9_000_001);
  assert.deepEqual([undone.flags, undone.running, undone.paused], [[false, false], null, 0]);
});

test("overtime comes after the reserve", () => {
  const agreed = { ...settings, overtime: 60_000 };
  const clock = clockAt(touch(newClock(agreed), agreed, 1, 0), 622_000);
  assert.deepEqual([clock.reserve, clock.overtime, clock.flags], [[0, 600_000], [50_000, 60_000], [false, false]]);
  const shown = readHalf(clock, 0, agreed);
  assert.deepEqual([shown.left, shown.over], [50_000, true]);
  assert.deepEqual(clockAt(clock, 672_000).flags, [true, false]);
});

test("between games both stand until the first touch", () => {
  const next = nextGame(started, settings, 23_000);
  assert.deepEqual([next.running, next.paused, next.before, next.reserve], [null, null, null, [590_000, 600_000]]);
  assert.equal(touch(next, settings, 0, 30_000).running, 1);
});

test("where each game has its own reserve, the next one begins with all of it", () => {
  const each = { ...settings, eachGame: true };
  const next = nextGame(clockAt(touch(newClock(each), each, 1, 0), 9_000_000), each, 9_000_000);
  assert.deepEqual([next.reserve, next.flags], [[600_000, 600_000], [false, false]]);
});

test("a half shows whose turn it is and the rest of the delay", () => {
  const now = clockAt(started, 4_000);
  assert.deepEqual(readHalf(now, 0, settings), { left: 600_000, over: false, delay: 9_000, toMove: true, running: true, flag: false });
  assert.deepEqual(readHalf(now, 1, settings), { left: 600_000, over: false, delay: null, toMove: false, running: false, flag: false });
  assert.deepEqual([readHalf(pause(now, 4_000), 0, settings).toMove, readHalf(pause(now, 4_000), 0, settings).running], [true, false]);
});
