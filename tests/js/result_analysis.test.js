import assert from "node:assert/strict";
import { test } from "node:test";
import { delayUntilNext, stageText } from "../../static/js/match/result-analysis.js";

test("an analysis in progress is looked at every two seconds", () => {
  assert.equal(delayUntilNext("coming", 0), 2000);
});

test("nothing is loaded again when the analysis is ready or was not requested", () => {
  assert.equal(delayUntilNext("ready", 0), null);
  assert.equal(delayUntilNext("", 0), null);
});

test("failed requests are repeated ever more rarely", () => {
  assert.deepEqual([1, 2, 3, 4, 9].map((failures) => delayUntilNext("coming", failures)), [4000, 8000, 16000, 30000, 30000]);
  assert.equal(delayUntilNext("", 1), 4000);
});

test("each stage is said once", () => {
  assert.equal(stageText("", "coming"), "Analysing…");
  assert.equal(stageText("coming", "coming"), "");
  assert.equal(stageText("coming", "ready"), "The analysis is ready.");
  assert.equal(stageText("", "ready"), "The analysis is ready.");
  assert.equal(stageText("ready", "ready"), "");
});
