import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { Outbox, SignedOut } from "../../static/js/desk/outbox.js";

/** @type {Record<string, string>} */
let stored;
/** @type {Record<string, string>[]} */
let posted;
/** @type {(fields: Record<string, string>) => Promise<any>} */
let server;
/** @type {boolean[]} */
let lines;

const storage = {
  getItem: (/** @type {string} */ key) => stored[key] ?? null,
  setItem: (/** @type {string} */ key, /** @type {string} */ value) => { stored[key] = value; },
  removeItem: (/** @type {string} */ key) => { delete stored[key]; },
};

const saves = async () => ({ ok: true, body: { text: "1-1: Ana won 7–4.", act: 12 } });
const fails = async () => { throw new TypeError("no network"); };
const settled = async () => { for (let turn = 0; turn < 20; turn += 1) await Promise.resolve(); };

function open() {
  return new Outbox({
    post: (fields) => { posted.push(fields); return server(fields); },
    onLine: (online) => { lines.push(online); },
    onChange: () => undefined,
    storage,
    place: "desk",
  });
}

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  [stored, posted, lines, server] = [{}, [], [], saves];
});

test("a saved result keeps its act, to be undone, and is no longer stored", async () => {
  const outbox = open();
  await outbox.add({ key: "main-1-1" }, "12 7-4", "Ana 7–4 Bea");
  assert.deepEqual(outbox.entries.map(({ status, act, message }) => [status, act, message]), [["saved", 12, "1-1: Ana won 7–4."]]);
  assert.deepEqual([stored, lines], [{}, [true]]);
});

test("a refused result keeps what was typed and says who was there before", async () => {
  server = async () => ({ ok: false, body: { text: "This match already has a result.", entered: "carlos", correct: "/correct/" } });
  const outbox = open();
  await outbox.add({ key: "main-1-1" }, "12 7-4", "Ana 7–4 Bea");
  const [{ status, line, entered, correct }] = outbox.entries;
  assert.deepEqual([status, line, entered, correct], ["refused", "12 7-4", "carlos", "/correct/"]);
});

test("without a network results wait and are sent in their order when it is back, each under its own name", async () => {
  server = fails;
  const outbox = open();
  await outbox.add({ key: "main-1-1" }, "1 7-4", "");
  await outbox.add({ key: "main-1-2" }, "2 7-4", "");
  assert.deepEqual([outbox.waiting, lines.at(-1)], [2, false]);
  server = saves;
  mock.timers.tick(4000);
  await settled();
  assert.deepEqual([outbox.waiting, lines.at(-1)], [0, true]);
  const arrived = posted.slice(-2);
  assert.deepEqual(arrived.map(({ key }) => key), ["main-1-1", "main-1-2"]);
  assert.equal(new Set(posted.map(({ key, sent }) => key + sent)).size, 2, "a repetition has the same name");
});

test("what was not answered is sent after a reload, under the same name", async () => {
  server = fails;
  await open().add({ key: "main-1-1" }, "1 7-4", "");
  server = saves;
  const again = open();
  assert.equal(again.waiting, 1);
  await again.send();
  assert.equal(again.waiting, 0);
  assert.equal(new Set(posted.map(({ sent }) => sent)).size, 1);
});

test("a result is sent once although others are added meanwhile", async () => {
  const outbox = open();
  await Promise.all([outbox.add({ key: "a" }, "", ""), outbox.add({ key: "b" }, "", "")]);
  await settled();
  assert.deepEqual(posted.map(({ key }) => key), ["a", "b"]);
});

test("a session that is over is not asked again", async () => {
  server = async () => { throw new SignedOut(); };
  const outbox = open();
  await outbox.add({ key: "a" }, "", "");
  mock.timers.tick(60_000);
  await settled();
  assert.deepEqual([posted.length, outbox.waiting], [1, 1]);
});

test("a storage that is broken loses nothing of the page", async () => {
  stored.desk = "{";
  const outbox = open();
  await outbox.add({ key: "a" }, "", "");
  assert.equal(outbox.waiting, 0);
});
