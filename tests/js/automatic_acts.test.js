import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { AutomaticActs } from "../../static/js/match/automatic-acts.js";
import { live } from "./fixtures/states.js";

globalThis.window = globalThis;

/** A page of a player who wants everything to go by itself; it writes down what happens. */
function page({ state = live({ may: ["roll"], position: { phase: "roll" } }), ...changed } = {}) {
  const log = [];
  const board = { forced: true, started: false, complete: false, announce: () => undefined };
  board.playForced = () => {
    log.push("play");
    board.started = board.complete = true;
  };
  const shown = {
    board,
    state: () => state,
    sent: () => false,
    waits: () => false,
    asks: () => false,
    rolls: () => true,
    forced: () => true,
    game: () => 1,
    roll: () => log.push("roll"),
    done: () => log.push("done"),
    ...changed,
  };
  return { log, shown, acts: new AutomaticActs(shown) };
}

test("a roll is made once for each state", () => {
  const { log, acts } = page();
  acts.run();
  acts.run();
  assert.deepEqual(log, ["roll"]);
});

test("nothing is rolled where the player could double, has acted, or wants to press", () => {
  for (const changed of [
    { state: live({ may: ["roll", "double"], position: { phase: "roll" } }) },
    { sent: () => true },
    { waits: () => true },
    { rolls: () => false },
  ]) {
    const { log, acts, shown } = page(changed);
    shown.board.forced = false;
    acts.run();
    assert.deepEqual(log, []);
  }
});

test("the opening roll of the next game waits until the player has started that game", () => {
  const { log, acts, shown } = page({ state: live({ may: ["roll"], position: { phase: "opening" } }), game: () => 0 });
  shown.board.forced = false;
  acts.run();
  assert.deepEqual(log, []);
});

test("a forced play is shown for a moment before it begins and before it is sent", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { log, acts } = page({ state: live({ may: ["move"], position: { phase: "move" } }) });
  acts.run();
  mock.timers.tick(799);
  assert.deepEqual(log, []);
  mock.timers.tick(1);
  assert.deepEqual(log, ["play"]);
  mock.timers.tick(800);
  assert.deepEqual(log, ["play", "done"]);
  mock.timers.reset();
});

test("a forced play neither begins nor is sent while the player is asked something", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  let asked = true;
  const { log, acts } = page({ state: live({ may: ["move"], position: { phase: "move" } }), asks: () => asked });
  acts.run();
  mock.timers.tick(1600);
  assert.deepEqual(log, []);
  asked = false;
  mock.timers.tick(800);
  assert.deepEqual(log, ["play"]);
  asked = true;
  mock.timers.tick(1600);
  assert.deepEqual(log, ["play"]);
  asked = false;
  mock.timers.tick(800);
  assert.deepEqual(log, ["play", "done"]);
  mock.timers.reset();
});
