import assert from "node:assert/strict";
import { test } from "node:test";
import { Line, action, answer, event, pass, range, seen, start } from "./fixtures/lines.js";

test("on opening it asks for what came after its version", () => {
  start(5);
  Line.all[0].open();
  assert.deepEqual(Line.all[0].sent, [{ t: "sync", after: 4 }]);
  assert.deepEqual(seen.links, ["open"]);
});

test("an event that follows our version is taken with its actions, a repeated one is not", () => {
  const socket = start(5);
  Line.all[0].open();
  Line.all[0].receive(event(5, 7));
  Line.all[0].receive(event(5, 7));
  assert.deepEqual(seen.states, [[7, [6, 7]]]);
  assert.equal(socket.version, 7);
});

test("a gap takes the state and asks for the actions between", () => {
  start(5);
  Line.all[0].open();
  Line.all[0].receive(event(8, 9));
  assert.deepEqual(seen.states, [[9, []]]);
  assert.deepEqual(Line.all[0].sent.at(-1), { t: "sync", after: 5 });
  Line.all[0].receive({ t: "actions", from: 5, version: 9, actions: range(5, 9) });
  assert.deepEqual(seen.record, [9, 6, 7, 8, 9]);
});

test("an older state is failed", () => {
  start(5);
  Line.all[0].open();
  Line.all[0].receive({ t: "state", version: 4 });
  assert.deepEqual(seen.states, []);
});

test("a heartbeat with a newer version asks for it, unless its event comes in a moment", () => {
  start(5);
  Line.all[0].open();
  pass(4000);
  assert.ok(Line.all[0].sent.some((frame) => frame.t === "ping"));
  Line.all[0].receive({ t: "pong", version: 6 });
  assert.deepEqual(Line.all[0].sent.at(-1), { t: "ping" });
  pass(400);
  assert.deepEqual(Line.all[0].sent.at(-1), { t: "sync", after: 5 });
});

test("the stamp of a heartbeat goes back at once, so that the server can measure the way", () => {
  start(5);
  Line.all[0].open();
  Line.all[0].receive({ t: "pong", version: 5, stamp: 3 });
  assert.deepEqual(Line.all[0].sent.at(-1), { t: "lag", stamp: 3 });
});

test("an act that the site cannot save now is kept, and sent again with the same id until it is answered", () => {
  const socket = start(5);
  Line.all[0].open();
  const id = socket.act("roll");
  Line.all[0].receive({ t: "refused", id, version: 5, code: "unwritable", ruling: "", text: "not now" });
  assert.deepEqual(seen.messages, []);
  assert.deepEqual(seen.unwritable, ["not now"]);
  pass(7000);
  const acts = () => Line.all[0].sent.filter((frame) => frame.t === "act");
  assert.deepEqual(acts(), [
    { t: "act", id, after: 5, action: "roll" },
    { t: "act", id, after: 5, action: "roll" },
  ]);
  Line.all[0].receive({ t: "ack", id, version: 6 });
  pass(7000);
  assert.equal(acts().length, 2);
});

test("an act without answer is sent again with the same id after a loss", () => {
  const socket = start(5);
  Line.all[0].open();
  const id = socket.act("roll");
  assert.match(id, /^[0-9a-f]{16}-1$/);
  Line.all[0].drop();
  pass(3000);
  Line.all[1].open();
  const acts = Line.all[1].sent.filter((frame) => frame.t === "act");
  assert.deepEqual(acts, [{ t: "act", id, after: 5, action: "roll" }]);
  Line.all[1].receive({ t: "ack", id, version: 5 });
  pass(8000);
  assert.equal(Line.all[1].sent.filter((frame) => frame.t === "act").length, 1);
});

test("an act that stays unanswered on a living line is sent again", () => {
  const socket = start(5);
  Line.all[0].open();
  socket.act("roll");
  for (let i = 0; i < 4; i += 1) { pass(2000); Line.all[0].receive({ t: "pong", version: 5 }); }
  assert.equal(Line.all[0].sent.filter((frame) => frame.t === "act").length, 2);
});

test("a gap of 3,000 actions comes in pages: the state at once, the record without a hole", () => {
  const socket = start(5);
  Line.all[0].open();
  for (let asked = Line.all[0].sent.at(-1).after; asked < 3005; asked = Line.all[0].sent.at(-1).after) {
    const until = Math.min(asked + 100, 3005);
    Line.all[0].receive({ t: "actions", from: asked, version: 3005, actions: range(asked, until), more: until < 3005 });
    if (until === 3005) break;
  }
  assert.equal(socket.version, 3005);
  assert.deepEqual(seen.states, [[3005, []], [3005, []]]);
  assert.deepEqual(seen.record, range(4, 3005).map(({ n }) => n));
  assert.equal(Line.all[0].sent.filter(({ t }) => t === "sync").length, 31);
});

test("a page that wakes up asks at once, or connects at once", () => {
  const socket = start(5);
  Line.all[0].open();
  pass(2000);
  socket.wake();
  assert.deepEqual(Line.all[0].sent.at(-1), { t: "sync", after: 5 });
  Line.all[0].drop();
  socket.wake();
  assert.equal(Line.all.length, 2);
});

test("a lost network is shown at once, and the next try restores the connection", () => {
  const socket = start(5);
  Line.all[0].open();
  socket.lost();
  assert.equal(socket.link, "offline");
  assert.equal(Line.all[0].readyState, 3);
  pass(2000);
  Line.all[1].open();
  assert.equal(socket.link, "open");
  assert.deepEqual(Line.all[1].sent[0], { t: "sync", after: 4 });
});

test("a roll carries its element, and what the dice need is sent again until it is answered", async () => {
  const socket = start();
  const line = Line.all[0];
  line.open();
  const id = socket.act("roll", { c: "ab".repeat(32) });
  const elementId = socket.give({ t: "dice", end: "cd".repeat(32), commit: "ef".repeat(32) });
  const acts = () => line.sent.filter(({ t }) => t === "act" || t === "dice");
  assert.deepEqual(acts(), [
    { t: "act", id, after: 5, action: "roll", c: "ab".repeat(32) },
    { t: "dice", end: "cd".repeat(32), commit: "ef".repeat(32), id: elementId },
  ]);
  line.receive({ t: "pong", version: 5 });
  pass(7000);
  assert.equal(acts().length, 4);
  assert.deepEqual(acts()[2], acts()[0]);
  line.receive({ t: "ack", id, version: 7 });
  line.receive({ t: "ack", id: elementId, version: 5 });
  line.receive({ t: "pong", version: 7 });
  pass(7000);
  assert.equal(acts().length, 4);
});
