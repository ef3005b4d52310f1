import assert from "node:assert/strict";
import { test } from "node:test";
import { face, read } from "../../static/js/match/clock.js";

const clock = { white: 600_000, black: 30_000, delay: 12_000, delay_left: 9_000, running: "black" };

test("first the delay runs, then the reserve", () => {
  assert.deepEqual(read(clock, 0).left, { white: 600_000, black: 30_000 });
  assert.equal(read(clock, 4_000).delay, 5_000);
  assert.equal(read(clock, 9_000).left.black, 30_000);
  assert.deepEqual(read(clock, 10_500), { left: { white: 600_000, black: 28_500 }, delay: 0, running: "black" });
});

test("nothing falls below zero, and a standing clock stands", () => {
  assert.equal(read(clock, 999_999).left.black, 0);
  assert.deepEqual(read({ ...clock, running: null }, 50_000).left, { white: 600_000, black: 30_000 });
});

test("the face of the clock", () => {
  assert.equal(face(600_000), "10:00");
  assert.equal(face(65_900), "1:05");
  assert.equal(face(9_940), "0:09.9");
  assert.equal(face(9_000), "0:09.0");
  assert.equal(face(0), "0:00.0");
  assert.equal(face(3_725_000), "1:02:05");
  assert.equal(face(183_600_000), "2 d 3 h");
});

test("overtime comes after the reserve, and is shown as such", () => {
  const agreed = { ...clock, overtime: { white: 60_000, black: 60_000 } };
  assert.deepEqual(read(agreed, 10_000), {
    left: { white: 600_000, black: 29_000 }, delay: 0, running: "black", over: { white: false, black: false },
  });
  const late = read(agreed, 9_000 + 30_000 + 15_000);
  assert.deepEqual([late.left.black, late.over], [45_000, { white: false, black: true }]);
  assert.equal(read({ ...agreed, black: 0, overtime: { white: 60_000, black: 40_000 } }, 9_000).left.black, 40_000);
});

test("correspondence the turn has its days and nothing else", () => {
  const days = { white: 0, black: 0, delay: 259_200_000, delay_left: 90_000_000, running: "white" };
  assert.deepEqual(read(days, 3_600_000), { left: { white: 86_400_000, black: 259_200_000 }, delay: 0, running: "white" });
});
