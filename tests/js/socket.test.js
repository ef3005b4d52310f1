import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { MatchSocket } from "../../static/js/match/socket.js";

class Line {
  static all = [];
  constructor(url) {
    this.url = url;
    this.readyState = 0;
    this.sent = [];
    Line.all.push(this);
  }
  send(text) { this.sent.push(JSON.parse(text)); }
  close(code = 1006) { this.drop(code); }
  open() { this.readyState = 1; this.onopen({}); }
  say(message) { this.onmessage({ data: JSON.stringify(message) }); }
  drop(code = 1006) { if (this.readyState !== 3) { this.readyState = 3; this.onclose({ code }); } }
}

let now;
let asked;
let answers;
let seen;

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
  Line.all = [];
  now = 0;
  asked = [];
  answers = [];
  seen = { states: [], messages: [], links: [], record: [], back: 0 };
});

function pass(ms) {
  for (let left = ms; left > 0; left -= 500) {
    now += 500;
    mock.timers.tick(500);
  }
}

const settle = async () => { for (let i = 0; i < 12; i += 1) await Promise.resolve(); };

function start(version = 5, you = "white") {
  const socket = new MatchSocket({
    socketUrl: "/ws/match/m/",
    apiUrl: "/api/v1/matches/m/",
    version,
    you,
    onState: (state, actions) => seen.states.push([state.version, actions.map((action) => action.n)]),
    onRecord: (actions) => seen.record.push(...actions.map((action) => action.n)),
    onMessage: (message) => seen.messages.push(message),
    onLink: (link) => seen.links.push(link),
    onBack: () => { seen.back += 1; },
    csrf: () => "token",
    open: (url) => new Line(url),
    fetch: async (url, request) => {
      asked.push([request.method ?? "GET", url, request.body ? JSON.parse(request.body) : null, request.headers]);
      const answer = answers.shift() ?? { status: 200, body: { t: "actions", from: 0, version: socket.version, actions: [] } };
      if (answer instanceof Error) throw answer;
      return { ok: answer.status < 400, status: answer.status, json: async () => answer.body };
    },
    now: () => now,
    random: () => 0.5,
  });
  socket.start();
  return socket;
}

const action = (n, at = `2026-11-21T20:00:0${n}+00:00`) => ({ n, game: 1, seat: "white", text: "roll", at });
const event = (from, version) => ({
  t: "event", from, version, actions: Array.from({ length: version - from }, (_, i) => action(from + 1 + i)),
});

test("on opening it asks for what came after its version", () => {
  start(5);
  Line.all[0].open();
  assert.deepEqual(Line.all[0].sent, [{ t: "sync", after: 4 }]);
  assert.deepEqual(seen.links, ["open"]);
});

test("an event that follows our version is taken with its actions, a repeated one is not", () => {
  const socket = start(5);
  Line.all[0].open();
  Line.all[0].say(event(5, 7));
  Line.all[0].say(event(5, 7));
  assert.deepEqual(seen.states, [[7, [6, 7]]]);
  assert.equal(socket.version, 7);
});

test("a gap takes the state and asks for the actions between", () => {
  start(5);
  Line.all[0].open();
  Line.all[0].say(event(8, 9));
  assert.deepEqual(seen.states, [[9, []]]);
  assert.deepEqual(Line.all[0].sent.at(-1), { t: "sync", after: 5 });
  Line.all[0].say({ t: "actions", from: 5, version: 9, actions: range(5, 9) });
  assert.deepEqual(seen.record, [9, 6, 7, 8, 9]);
});

test("an older state is not taken", () => {
  start(5);
  Line.all[0].open();
  Line.all[0].say({ t: "state", version: 4 });
  assert.deepEqual(seen.states, []);
});

test("a site that was put back to a backup is believed: its first word on a new line is older than ours", () => {
  start(5);
  Line.all[0].open();
  Line.all[0].say({ t: "state", version: 5 });
  Line.all[0].drop();
  pass(3000);
  Line.all[1].open();
  Line.all[1].say({ t: "state", version: 3 });
  assert.equal(seen.back, 1);
  assert.deepEqual(seen.states, [[5, []]]);
  pass(60_000);
  assert.equal(Line.all.length, 2); // the page that comes in its place speaks from now on
});

test("a site that was put back and has passed our version since is believed: it tells another action under our last number", () => {
  const socket = start(5);
  Line.all[0].open();
  Line.all[0].say(event(5, 7));
  Line.all[0].drop();
  pass(3000);
  Line.all[1].open();
  assert.deepEqual(Line.all[1].sent.at(-1), { t: "sync", after: 6 }); // what we know last is told once more
  Line.all[1].say({ t: "state", version: 9 });
  const other = [action(7, "2026-11-21T20:30:00+00:00"), action(8), action(9)];
  Line.all[1].say({ t: "actions", from: 6, version: 9, actions: other });
  assert.equal(seen.back, 1);
  assert.deepEqual(seen.record, [6, 7]);
  assert.equal(socket.version, 9);
});

test("a site that goes on where we left it is no backup, whatever was played meanwhile", () => {
  start(5);
  Line.all[0].open();
  Line.all[0].say({ t: "actions", from: 4, version: 5, actions: [action(5)] });
  Line.all[0].drop();
  pass(3000);
  Line.all[1].open();
  assert.deepEqual(Line.all[1].sent.at(-1), { t: "sync", after: 4 });
  Line.all[1].say({ t: "state", version: 7 });
  Line.all[1].say({ t: "actions", from: 4, version: 7, actions: [action(5), action(6), action(7)] });
  assert.equal(seen.back, 0);
  assert.deepEqual(seen.record, [5, 5, 6, 7]);
});

test("over HTTP another action under our last number is seen too", async () => {
  start(5);
  Line.all[0].drop();
  pass(2000);
  answers = [{ status: 200, body: { t: "actions", from: 4, version: 5, actions: [action(5)] } }];
  Line.all[1].drop();
  await settle();
  answers = [{ status: 200, body: { t: "actions", from: 4, version: 6, actions: [action(5, "2026-11-21T20:30:00+00:00"), action(6)] } }];
  pass(3000);
  await settle();
  assert.equal(seen.back, 1);
});

test("a word that was overtaken on its way is no backup", () => {
  const socket = start(5);
  Line.all[0].open();
  Line.all[0].say({ t: "state", version: 5 });
  Line.all[0].say(event(5, 7));
  Line.all[0].say({ t: "state", version: 6 });
  assert.equal(seen.back, 0);
  assert.equal(socket.version, 7);
  Line.all[0].drop();
  socket.receive(event(7, 8)); // by another way, after the line was asked for
  pass(3000);
  Line.all[1].open();
  socket.receive(event(8, 9));
  Line.all[1].say({ t: "state", version: 8 });
  assert.equal(seen.back, 0);
});

test("over HTTP too a site that was put back is believed, and an answer that came late is not", async () => {
  const socket = start(5);
  Line.all[0].drop();
  pass(2000);
  answers = [{ status: 200, body: { t: "actions", from: 5, version: 5, actions: [] } }];
  Line.all[1].drop();
  socket.receive(event(5, 6)); // while the answer is on its way
  await settle();
  assert.equal(seen.back, 0);
  answers = [{ status: 200, body: { t: "actions", from: 3, version: 3, actions: [] } }];
  socket.sync();
  await settle();
  assert.equal(seen.back, 1);
});

test("a heartbeat with a newer version asks for it, unless its event comes in a moment", () => {
  start(5);
  Line.all[0].open();
  pass(4000);
  assert.ok(Line.all[0].sent.some((frame) => frame.t === "ping"));
  Line.all[0].say({ t: "pong", version: 6 });
  assert.deepEqual(Line.all[0].sent.at(-1), { t: "ping" });
  pass(400);
  assert.deepEqual(Line.all[0].sent.at(-1), { t: "sync", after: 5 });
});

test("the stamp of a heartbeat goes back at once, so that the server can measure the way", () => {
  start(5);
  Line.all[0].open();
  Line.all[0].say({ t: "pong", version: 5, stamp: 3 });
  assert.deepEqual(Line.all[0].sent.at(-1), { t: "lag", stamp: 3 });
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
  Line.all[1].say({ t: "ack", id, version: 5 });
  pass(8000);
  assert.equal(Line.all[1].sent.filter((frame) => frame.t === "act").length, 1);
});

test("an act that stays unanswered on a living line is sent again", () => {
  const socket = start(5);
  Line.all[0].open();
  socket.act("roll");
  for (let i = 0; i < 4; i += 1) { pass(2000); Line.all[0].say({ t: "pong", version: 5 }); }
  assert.equal(Line.all[0].sent.filter((frame) => frame.t === "act").length, 2);
});

test("a line that says nothing is dead within nine seconds, and another is tried", () => {
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

test("a restart brings it back within three seconds, and is all that is said of it", async () => {
  start(5);
  Line.all[0].open();
  Line.all[0].say({ t: "restart" });
  Line.all[0].drop(4012);
  assert.equal(Line.all.length, 1);
  pass(3000);
  assert.equal(Line.all.length, 2);
  answers = [new Error("no site yet"), new Error("no site yet")];
  Line.all[1].drop();
  await settle();
  pass(1000);
  answers = [{ status: 200, body: { t: "actions", from: 5, version: 5, actions: [] } }];
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
  for (let second = 0; second < 25; second += 1) {
    answers = [new Error("no site"), new Error("no site")];
    Line.all.at(-1).drop();
    pass(1000);
    await settle();
    if (second < 18) assert.equal(socket.link, "restarting");
  }
  assert.equal(socket.link, "offline");
});

test("an act under way at a restart is sent again under its id", () => {
  const socket = start(5);
  Line.all[0].open();
  const id = socket.act("roll");
  Line.all[0].say({ t: "restart" });
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
  Line.all[1].say({ t: "state", version: 5, you: "white" });
  Line.all[1].drop(4401);
  pass(1500);
  Line.all[2].open();
  Line.all[2].say({ t: "state", version: 5, you: null });
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
  Line.all[1].say({ t: "state", version: 5, you: null });
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

const range = (from, to) => Array.from({ length: to - from }, (_, i) => action(from + 1 + i));

test("a gap of 3,000 actions comes in pages: the state at once, the record without a hole", () => {
  const socket = start(5);
  Line.all[0].open();
  for (let asked = Line.all[0].sent.at(-1).after; asked < 3005; asked = Line.all[0].sent.at(-1).after) {
    const until = Math.min(asked + 100, 3005);
    Line.all[0].say({ t: "actions", from: asked, version: 3005, actions: range(asked, until), more: until < 3005 });
    if (until === 3005) break;
  }
  assert.equal(socket.version, 3005);
  assert.deepEqual(seen.states, [[3005, []], [3005, []]]);
  assert.deepEqual(seen.record, range(4, 3005).map(({ n }) => n));
  assert.equal(Line.all[0].sent.filter(({ t }) => t === "sync").length, 31);
});

test("a long gap comes in pages over HTTP too", async () => {
  const socket = start(5);
  Line.all[0].drop();
  pass(2000);
  answers = [
    { status: 200, body: { t: "actions", from: 4, version: 804, actions: range(4, 404), more: true } },
    { status: 200, body: { t: "actions", from: 404, version: 804, actions: range(404, 804), more: false } },
  ];
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
  answers = [{ status: 200, body: { version: 7 } }, { status: 200, body: { t: "actions", from: 5, version: 7, actions: [action(6), action(7)] } }];
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
  answers = [{ status: 409, body: { code: "illegal", ruling: "B5", text: "no" } }];
  const id = socket.act("8/5");
  await settle();
  assert.deepEqual(seen.messages[0], { t: "refused", id, version: 5, code: "illegal", ruling: "B5", text: "no" });
});

test("without any line it says so, and the act waits", async () => {
  const socket = start(5);
  Line.all[0].drop();
  pass(2000);
  answers = [new Error("no net"), new Error("no net"), new Error("no net")];
  Line.all[1].drop();
  await settle();
  assert.equal(socket.link, "offline");
  const id = socket.act("roll");
  await settle();
  pass(4000);
  Line.all.at(-1).open();
  assert.ok(Line.all.at(-1).sent.some((frame) => frame.t === "act" && frame.id === id));
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

test("a network that is gone is said at once, and the next try mends it", () => {
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
  const given = socket.give({ t: "dice", end: "cd".repeat(32), commit: "ef".repeat(32) });
  const acts = () => line.sent.filter(({ t }) => t === "act" || t === "dice");
  assert.deepEqual(acts(), [
    { t: "act", id, after: 5, action: "roll", c: "ab".repeat(32) },
    { t: "dice", end: "cd".repeat(32), commit: "ef".repeat(32), id: given },
  ]);
  line.say({ t: "pong", version: 5 });
  pass(7000);
  assert.equal(acts().length, 4);
  assert.deepEqual(acts()[2], acts()[0]);
  line.say({ t: "ack", id, version: 7 });
  line.say({ t: "ack", id: given, version: 5 });
  line.say({ t: "pong", version: 7 });
  pass(7000);
  assert.equal(acts().length, 4);
});

test("what the dice need goes over HTTP where sockets are blocked", async () => {
  const socket = start(5);
  Line.all[0].drop();
  pass(2000);
  Line.all[1].drop();
  await settle();
  answers = [{ status: 200, body: { version: 5 } }];
  const id = socket.give({ t: "dice", c: "ab".repeat(32) });
  await settle();
  const post = asked.find(([method]) => method === "POST");
  assert.deepEqual(post.slice(0, 3), ["POST", "/api/v1/matches/m/dice/", { c: "ab".repeat(32), id }]);
  await settle();
  assert.deepEqual([seen.messages[0].t, seen.messages[0].id], ["ack", id]);
});
