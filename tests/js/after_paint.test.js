/** What nobody waits for comes after the paint, and only once. */
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { afterPaint, oncePainted } from "../../static/js/after-paint.js";

/** @type {(() => void)[]} */
let frames;
/** @type {string[]} */
let done;

beforeEach(() => {
  frames = [];
  done = [];
  globalThis.document = { hidden: false };
  globalThis.requestAnimationFrame = (work) => frames.push(work);
});

const painted = async () => {
  for (const frame of frames.splice(0)) frame();
  await new Promise((resolve) => setTimeout(resolve));
};

test("work is done after the next paint, not before it", async () => {
  afterPaint(() => done.push("buttons"));
  await new Promise((resolve) => setTimeout(resolve));
  assert.deepEqual(done, []);
  await painted();
  assert.deepEqual(done, ["buttons"]);
});

test("work that is asked for three times before a paint is done once, and can be asked for again", async () => {
  const show = oncePainted(() => done.push("buttons"));
  for (let i = 0; i < 3; i += 1) show.soon();
  await painted();
  assert.deepEqual(done, ["buttons"]);
  show.soon();
  await painted();
  assert.deepEqual(done, ["buttons", "buttons"]);
});

test("work that is due is done at once for who cannot wait, and not again after the paint", async () => {
  const show = oncePainted(() => done.push("buttons"));
  show.now();
  assert.deepEqual(done, []);
  show.soon();
  show.now();
  assert.deepEqual(done, ["buttons"]);
  await painted();
  assert.deepEqual(done, ["buttons"]);
  show.soon();
  await painted();
  assert.deepEqual(done, ["buttons", "buttons"]);
});

test("a page that nobody sees is not painted: its work does not wait for that", async () => {
  document.hidden = true;
  afterPaint(() => done.push("title"));
  assert.deepEqual(frames, []);
  await new Promise((resolve) => setTimeout(resolve));
  assert.deepEqual(done, ["title"]);
});
