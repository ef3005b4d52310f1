import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { reconnectingSocket } from "../../static/js/reconnecting-socket.js";

let lines;
let received;
let shown;
let online;

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
  lines = [];
  received = [];
  shown = new Set();
  online = new Set();
  globalThis.location = { protocol: "https:", host: "club.example" };
  globalThis.document = {
    hidden: true,
    addEventListener: (name, listener) => shown.add(listener),
    removeEventListener: (name, listener) => shown.delete(listener),
  };
  globalThis.addEventListener = (name, listener) => online.add(listener);
  globalThis.removeEventListener = (name, listener) => online.delete(listener);
  connect(30_000);
});

function connect(beat) {
  let since = 1;
  reconnectingSocket({
    path: () => `/ws/lobby/?since=${since}`,
    beat,
    onOpen: () => received.push("open"),
    onMessage: (message) => { since = message.since ?? since; received.push(message.t); },
    onClose: () => received.push("close"),
    open: (url) => {
      const line = { url, readyState: 0, sent: [], send: (text) => line.sent.push(text), close: () => { line.readyState = 3; } };
      lines.push(line);
      return line;
    },
    random: () => 0.5,
  });
}

const open = (line) => { line.readyState = 1; line.onopen(); };
const pass = (ms) => { for (let left = ms; left > 0; left -= 500) mock.timers.tick(500); };
const drop = (line, code = 1006) => { line.readyState = 3; line.onclose({ code }); };

test("it receives, sends heartbeats in a hidden tab too, and resumes from where it was", () => {
  open(lines[0]);
  lines[0].onmessage({ data: '{"t":"hello","since":7}' });
  lines[0].onmessage({ data: "what?" });
  for (const _beat of [1, 2]) {
    mock.timers.tick(30_000);
    lines[0].onmessage({ data: '{"t":"pong"}' });
  }
  assert.deepEqual(lines[0].sent, ['{"t":"ping"}', '{"t":"ping"}']);
  drop(lines[0]);
  mock.timers.tick(1500);
  assert.deepEqual(lines.map(({ url }) => url), ["wss://club.example/ws/lobby/?since=1", "wss://club.example/ws/lobby/?since=7"]);
  assert.deepEqual(received, ["open", "hello", "pong", "pong", "close"]);
  assert.equal(lines[0].sent.length, 2);
});

test("it comes back ever more slowly", () => {
  const pauses = [];
  for (let tries = 1; tries < 8; tries += 1) {
    drop(lines.at(-1));
    let waited = 0;
    while (lines.length === tries) { mock.timers.tick(500); waited += 500; }
    pauses.push(waited);
  }
  assert.deepEqual(pauses, [1500, 2500, 4500, 8500, 16_500, 30_500, 30_500]);
});

test("after a restart it comes back within three seconds", () => {
  open(lines[0]);
  drop(lines[0], 4012);
  mock.timers.tick(1500);
  assert.equal(lines.length, 2);
});

test("one window too many stays disconnected until it becomes visible again", () => {
  open(lines[0]);
  drop(lines[0], 4430);
  mock.timers.tick(600_000);
  assert.equal(lines.length, 1);
  document.hidden = false;
  for (const listener of [...shown]) listener();
  for (const listener of [...shown]) listener();
  assert.equal(lines.length, 2);
});

test("when the network is back, or the page is looked at again, it reconnects at once, and once", () => {
  for (const [at, better] of [[1, online], [2, shown]]) {
    drop(lines.at(-1));
    document.hidden = better !== shown;
    const [listener] = better;
    listener();
    assert.equal(lines.length, at + 1);
    open(lines.at(-1));
    mock.timers.tick(25_000);
    assert.equal(lines.length, at + 1);
    assert.deepEqual([online.size, shown.size], [1, 1]);
  }
});

test("the network alone does not bring back one window too many", () => {
  drop(lines[0], 4430);
  for (const listener of [...online]) listener();
  assert.equal(lines.length, 1);
});

test("a line whose heartbeat is not answered within 20 seconds is dead, and another is tried", () => {
  open(lines[0]);
  pass(49_500);
  assert.deepEqual(received, ["open"]);
  pass(500);
  assert.deepEqual([received, lines[0].readyState], [["open", "close"], 3]);
  pass(1500);
  assert.equal(lines.length, 2);
});

test("a line that is never answered is given up, too", () => {
  pass(21_500);
  assert.deepEqual([lines[0].readyState, lines.length], [3, 2]);
});

test("further heartbeats do not lengthen the wait for the answer to the first", () => {
  lines = [];
  connect(5000);
  open(lines[0]);
  pass(24_500);
  assert.deepEqual([lines[0].readyState, lines[0].sent.length], [1, 4]);
  pass(500);
  assert.equal(lines[0].readyState, 3);
});

test("a page that is looked at again, or back in the network, knows after eight seconds whether its line lives", () => {
  for (const gap of [shown, online]) {
    const line = lines.at(-1);
    open(line);
    document.hidden = gap !== shown;
    for (const listener of gap) listener();
    assert.deepEqual(line.sent, ['{"t":"ping"}']);
    line.onmessage({ data: '{"t":"pong"}' });
    mock.timers.tick(8000);
    assert.equal(line.readyState, 1);
    for (const listener of gap) listener();
    mock.timers.tick(8000);
    assert.equal(line.readyState, 3);
    mock.timers.tick(1500);
    assert.notEqual(lines.at(-1), line);
  }
});
