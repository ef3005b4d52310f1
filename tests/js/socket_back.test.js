import assert from "node:assert/strict";
import { test } from "node:test";
import { Line, action, asked, event, pass, seen, start } from "./fixtures/lines.js";

test("a restored backup is accepted: its first message on a new connection is older than ours", () => {
  start(5);
  Line.all[0].open();
  Line.all[0].receive({ t: "state", version: 5 });
  Line.all[0].drop();
  pass(3000);
  Line.all[1].open();
  Line.all[1].receive({ t: "state", version: 3 });
  assert.equal(seen.back, 1);
  assert.deepEqual(seen.states, [[5, []]]);
  pass(60_000);
  assert.equal(Line.all.length, 2); // the page that comes in its place speaks from now on
});

test("a restored backup that has passed our version is accepted: it has another action under our last number", () => {
  const socket = start(5);
  Line.all[0].open();
  Line.all[0].receive(event(5, 7));
  Line.all[0].drop();
  pass(3000);
  Line.all[1].open();
  assert.deepEqual(Line.all[1].sent.at(-1), { t: "sync", after: 6 }); // what we know last is told once more
  Line.all[1].receive({ t: "state", version: 9 });
  const other = [action(7, "2026-11-21T20:30:00+00:00"), action(8), action(9)];
  Line.all[1].receive({ t: "actions", from: 6, version: 9, actions: other });
  assert.equal(seen.back, 1);
  assert.deepEqual(seen.record, [6, 7]);
  assert.equal(socket.version, 9);
});

test("a site that goes on where we left it is no backup, whatever was played meanwhile", () => {
  start(5);
  Line.all[0].open();
  Line.all[0].receive({ t: "actions", from: 4, version: 5, actions: [action(5)] });
  Line.all[0].drop();
  pass(3000);
  Line.all[1].open();
  assert.deepEqual(Line.all[1].sent.at(-1), { t: "sync", after: 4 });
  Line.all[1].receive({ t: "state", version: 7 });
  Line.all[1].receive({ t: "actions", from: 4, version: 7, actions: [action(5), action(6), action(7)] });
  assert.equal(seen.back, 0);
  assert.deepEqual(seen.record, [5, 5, 6, 7]);
});

test("a message that was overtaken on its way is no backup", () => {
  const socket = start(5);
  Line.all[0].open();
  Line.all[0].receive({ t: "state", version: 5 });
  Line.all[0].receive(event(5, 7));
  Line.all[0].receive({ t: "state", version: 6 });
  assert.equal(seen.back, 0);
  assert.equal(socket.version, 7);
  Line.all[0].drop();
  socket.receive(event(7, 8)); // by another way, after the line was asked for
  pass(3000);
  Line.all[1].open();
  socket.receive(event(8, 9));
  Line.all[1].receive({ t: "state", version: 8 });
  assert.equal(seen.back, 0);
});
