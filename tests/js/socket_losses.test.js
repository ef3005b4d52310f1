import assert from "node:assert/strict";
import { test } from "node:test";
import { Line, action, answer, asked, pass, seen, settle, start } from "./fixtures/lines.js";
import { retryDelay } from "../../static/js/match/retry.js";

test("a silent connection is dead within nine seconds, and another is tried", () => {
  start(5);
  Line.all[0].open();
  pass(8000);
  assert.equal(Line.all[0].readyState, 1);
  assert.equal(Line.all[0].sent.filter(({ t }) => t === "ping").length, 2);
  pass(1000);
  assert.equal(Line.all[0].readyState, 3);
  pass(1000);
  assert.equal(Line.all.length, 2);
});

test("a line that the site does not answer is given up after 16 seconds, and another is tried", () => {
  start(5);
  pass(16_000);
  assert.equal(Line.all.length, 1);
  pass(1000);
  assert.equal(Line.all[0].readyState, 3);
  pass(1000);
  assert.equal(Line.all.length, 2);
  Line.all[1].open();
  assert.deepEqual(Line.all[1].sent[0], { t: "sync", after: 4 });
});

test("after a restart it reconnects within three seconds, and shows nothing else", async () => {
  start(5);
  Line.all[0].open();
  Line.all[0].receive({ t: "restart" });
  Line.all[0].drop(4012);
  assert.equal(Line.all.length, 1);
  pass(3000);
  assert.equal(Line.all.length, 2);
  answer(new Error("no site yet"), new Error("no site yet"));
  Line.all[1].drop();
  await settle();
  pass(1000);
  answer({ status: 200, body: { t: "actions", from: 5, version: 5, actions: [] } });
  Line.all[2].drop();
  await settle();
  pass(1000);
  Line.all[3].open();
  assert.deepEqual(seen.links, ["open", "restarting", "open"]);
});

test("a site that does not come back from its restart is away", async () => {
  const socket = start(5);
  Line.all[0].open();
  Line.all[0].drop(4012);
  for (let second = 0; second < 70; second += 1) {
    answer(new Error("no site"), new Error("no site"));
    Line.all.at(-1).drop();
    pass(1000);
    await settle();
    if (second < 58) assert.equal(socket.link, "restarting");
  }
  assert.equal(socket.link, "offline");
});

test("a site that takes long to restart is asked less often", () => {
  const wait = (tries) => retryDelay(1006, tries, { link: "restarting", options: { random: () => 0.5 } });
  assert.deepEqual([1, 19, 20, 60].map(wait), [650, 650, 2600, 2600]);
});

test("an act under way at a restart is sent again under its id", () => {
  const socket = start(5);
  Line.all[0].open();
  const id = socket.act("roll");
  Line.all[0].receive({ t: "restart" });
  Line.all[0].drop(4012);
  pass(3000);
  Line.all[1].open();
  assert.deepEqual(Line.all[1].sent.at(-1), { t: "act", id, after: 5, action: "roll" });
});

test("a thousand windows do not come back in one moment", () => {
  const pauses = [0, 0.25, 0.5, 0.75, 0.999].map((random) => {
    Line.all = [];
    const socket = start(5);
    socket.options.random = () => random;
    Line.all[0].open();
    Line.all[0].drop(4012);
    let waited = 0;
    while (Line.all.length === 1) { pass(500); waited += 500; }
    socket.stop();
    return waited;
  });
  assert.deepEqual(pauses, [500, 1000, 1500, 2500, 3000]);
});

test("logged out, a player is asked once more, for another page may have changed the session", () => {
  start(5);
  Line.all[0].open();
  Line.all[0].drop(4401);
  pass(1000);
  Line.all[1].open();
  Line.all[1].receive({ t: "state", version: 5, you: "white" });
  Line.all[1].drop(4401);
  pass(1500);
  Line.all[2].open();
  Line.all[2].receive({ t: "state", version: 5, you: null });
  assert.deepEqual(seen.states, [[5, []]]);
  pass(60_000);
  assert.equal(Line.all.length, 3);
  assert.deepEqual(seen.links, ["open", "connecting", "open", "connecting", "open", "logged-out"]);
});

test("logged out twice, it stays out", () => {
  start(5);
  Line.all[0].open();
  Line.all[0].drop(4401);
  pass(1000);
  Line.all[1].drop(4401);
  pass(60_000);
  assert.equal(Line.all.length, 2);
  assert.equal(seen.links.at(-1), "logged-out");
});

test("a spectator who was logged out watches on", () => {
  start(5, null);
  Line.all[0].open();
  Line.all[0].drop(4401);
  pass(1000);
  Line.all[1].open();
  Line.all[1].receive({ t: "state", version: 5, you: null });
  assert.deepEqual(seen.links, ["open", "connecting", "open"]);
});

test("too many messages, it waits", () => {
  start(5);
  Line.all[0].open();
  Line.all[0].drop(4429);
  pass(15_000);
  assert.equal(Line.all.length, 1);
  pass(10_000);
  assert.equal(Line.all.length, 2);
});

test("put out by a block, it says so and stays out", () => {
  start(5, null);
  Line.all[0].open();
  Line.all[0].drop(4403);
  pass(60_000);
  assert.equal(Line.all.length, 1);
  assert.deepEqual(seen.links, ["open", "kept-out"]);
});

test("open in too many windows, it rests until it is asked to be the one", () => {
  const socket = start(5);
  Line.all[0].open();
  Line.all[0].drop(4430);
  assert.equal(socket.link, "too-many");
  pass(60_000);
  socket.wake();
  assert.equal(Line.all.length, 1);
  socket.resume();
  socket.resume();
  assert.equal(Line.all.length, 2);
  Line.all[1].open();
  assert.deepEqual(seen.links, ["open", "too-many", "open"]);
  pass(4000);
  assert.deepEqual(Line.all[1].sent, [{ t: "sync", after: 4 }, { t: "ping" }]);
});
