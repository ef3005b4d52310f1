import assert from "node:assert/strict";
import { test } from "node:test";
import { Messages } from "../../static/js/chat/messages.js";

const line = (id, more = {}) => ({ id, room: "players", by: "bea", mine: false, at: "2026-11-22T08:00:00Z", text: `${id}`, gone: false, ...more });
const frame = (messages, more = {}) => ({ t: "talk", room: "players", rooms: ["players"], over: false, may: [], why: null, messages, gone: [], more: false, anew: false, ...more });
const ids = (lines, room = "players") => lines.of(room).map(({ id }) => id);

test("a message appears once and in order, however often and late it arrives", () => {
  const lines = new Messages();
  assert.equal(lines.add(line(2)), true);
  assert.deepEqual(lines.take(frame([line(1), line(2)])).map(({ id }) => id), [1]);
  assert.equal(lines.add(line(2)), false);
  assert.deepEqual(ids(lines), [1, 2]);
  assert.deepEqual([lines.first, lines.last], [1, 2]);
});

test("a new list removes the messages of muted people, and keeps messages older than the list", () => {
  const lines = new Messages();
  lines.take(frame([line(1), line(2), line(3, { by: "carlos" }), line(4)]));
  lines.take(frame([line(2), line(4)], { anew: true, more: true }));
  assert.deepEqual(ids(lines), [1, 2, 4]);
  lines.take(frame([], { anew: true }));
  assert.deepEqual(ids(lines), []);
});

test("each room has its own list, and a room that is not read any more is empty", () => {
  const lines = new Messages();
  lines.take(frame([line(1), line(2, { room: "watchers" })], { rooms: ["players", "watchers"] }));
  assert.deepEqual([ids(lines), ids(lines, "watchers")], [[1], [2]]);
  lines.take(frame([line(1)], { anew: true, more: true }));
  assert.deepEqual(ids(lines, "watchers"), []);
});

test("a removed message loses its text and is not unread", () => {
  const lines = new Messages();
  lines.take(frame([line(1), line(2), line(3, { mine: true })]));
  assert.equal(lines.unread(0), 2);
  assert.equal(lines.unread(1), 1);
  lines.take(frame([], { gone: [2, 99] }));
  assert.deepEqual(lines.of("players")[1], line(2, { text: "", gone: true }));
  assert.equal(lines.unread(1), 0);
});
