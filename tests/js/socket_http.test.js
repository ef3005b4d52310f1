import assert from "node:assert/strict";
import { test } from "node:test";
import { Line, action, answer, asked, event, pass, range, seen, settle, start } from "./fixtures/lines.js";

test("over HTTP another action under our last number is seen too", async () => {
  start(5);
  Line.all[0].drop();
  pass(2000);
  answer({ status: 200, body: { t: "actions", from: 4, version: 5, actions: [action(5)] } });
  Line.all[1].drop();
  await settle();
  answer({ status: 200, body: { t: "actions", from: 4, version: 6, actions: [action(5, "2026-11-21T20:30:00+00:00"), action(6)] } });
  pass(3000);
  await settle();
  assert.equal(seen.back, 1);
});

test("over HTTP too a site that was put back is believed, and an answer that came late is not", async () => {
  const socket = start(5);
  Line.all[0].drop();
  pass(2000);
  answer({ status: 200, body: { t: "actions", from: 5, version: 5, actions: [] } });
  Line.all[1].drop();
  socket.receive(event(5, 6)); // while the answer is on its way
  await settle();
  assert.equal(seen.back, 0);
  answer({ status: 200, body: { t: "actions", from: 3, version: 3, actions: [] } });
  socket.sync();
  await settle();
  assert.equal(seen.back, 1);
});

test("a long gap comes in pages over HTTP too", async () => {
  const socket = start(5);
  Line.all[0].drop();
  pass(2000);
  answer(
    { status: 200, body: { t: "actions", from: 4, version: 804, actions: range(4, 404), more: true } },
    { status: 200, body: { t: "actions", from: 404, version: 804, actions: range(404, 804), more: false } },
  );
  Line.all[1].drop();
  await settle();
  await settle();
  assert.deepEqual(asked.map(([, url]) => url), ["/api/v1/matches/m/sync/?after=4", "/api/v1/matches/m/sync/?after=404"]);
  assert.deepEqual(seen.record, range(4, 804).map(({ n }) => n));
  assert.equal(socket.version, 804);
});

test("where sockets are blocked play goes on over HTTP", async () => {
  const socket = start(5);
  Line.all[0].drop();
  pass(2000);
  Line.all[1].drop();
  await settle();
  assert.deepEqual(asked[0].slice(0, 2), ["GET", "/api/v1/matches/m/sync/?after=4"]);
  assert.equal(socket.link, "http");
  answer({ status: 200, body: { version: 7 } }, { status: 200, body: { t: "actions", from: 5, version: 7, actions: [action(6), action(7)] } });
  const id = socket.act("roll");
  await settle();
  const post = asked.find(([method]) => method === "POST");
  assert.deepEqual(post.slice(0, 3), ["POST", "/api/v1/matches/m/act/", { id, after: 5, action: "roll" }]);
  assert.equal(post[3]["X-CSRFToken"], "token");
  await settle();
  assert.equal(seen.messages[0].t, "ack");
  assert.deepEqual(seen.states.at(-1), [7, [6, 7]]);
});

test("a refusal over HTTP is a refusal", async () => {
  const socket = start(5);
  Line.all[0].drop();
  pass(2000);
  Line.all[1].drop();
  await settle();
  answer({ status: 409, body: { code: "illegal", ruling: "B5", text: "no" } });
  const id = socket.act("8/5");
  await settle();
  assert.deepEqual(seen.messages[0], { t: "refused", id, version: 5, code: "illegal", ruling: "B5", text: "no" });
});

test("without any line it says so, and the act waits", async () => {
  const socket = start(5);
  Line.all[0].drop();
  pass(2000);
  answer(new Error("no net"), new Error("no net"), new Error("no net"));
  Line.all[1].drop();
  await settle();
  assert.equal(socket.link, "offline");
  const id = socket.act("roll");
  await settle();
  pass(4000);
  Line.all.at(-1).open();
  assert.ok(Line.all.at(-1).sent.some((frame) => frame.t === "act" && frame.id === id));
});

test("what the dice need goes over HTTP where sockets are blocked", async () => {
  const socket = start(5);
  Line.all[0].drop();
  pass(2000);
  Line.all[1].drop();
  await settle();
  answer({ status: 200, body: { version: 5 } });
  const id = socket.give({ t: "dice", c: "ab".repeat(32) });
  await settle();
  const post = asked.find(([method]) => method === "POST");
  assert.deepEqual(post.slice(0, 3), ["POST", "/api/v1/matches/m/dice/", { c: "ab".repeat(32), id }]);
  await settle();
  assert.deepEqual([seen.messages[0].t, seen.messages[0].id], ["ack", id]);
});
