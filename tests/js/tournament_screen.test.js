import assert from "node:assert/strict";
import { test } from "node:test";

import { countdown } from "../../static/js/countdown.js";
import { RETRY_FIRST, RETRY_LAST, nextDelay, nextPanel } from "../../static/js/tournament-screen.js";

test("the panels follow one another and begin again", () => {
  const keys = ["now-1", "tree-main", "results"];
  assert.equal(nextPanel(keys, "now-1", keys), "tree-main");
  assert.equal(nextPanel(keys, "results", keys), "now-1");
  assert.equal(nextPanel(["now-1"], "now-1", ["now-1"]), "now-1");
});

test("a removed panel is followed by the next one", () => {
  const before = ["now-1", "now-2", "tree-main", "results"];
  assert.equal(nextPanel(["now-1", "tree-main", "results"], "now-2", before), "tree-main");
  assert.equal(nextPanel(["now-1"], "results", before), "now-1");
  assert.equal(nextPanel([], "results", before), "");
});

test("a countdown is read like a clock", () => {
  assert.equal(countdown(247_000), "4:07");
  assert.equal(countdown(3_909_000), "1:05:09");
  assert.equal(countdown(1), "0:01");
  assert.equal(countdown(-5000), "0:00");
});

test("it tries again for ever, at most half a minute apart", () => {
  let wait = RETRY_FIRST;
  for (let tries = 0; tries < 20; tries += 1) wait = nextDelay(wait);
  assert.equal(wait, RETRY_LAST);
});
