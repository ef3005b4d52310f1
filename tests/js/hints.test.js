import assert from "node:assert/strict";
import { test } from "node:test";
import { decisionText, warningOf } from "../../static/js/match/hints.js";

globalThis.document = { documentElement: { lang: "en" } };
const hint = { options: [{ text: "8/5 6/5", equity: 0.2, loss: 0 }] };

test("a decision is a play in notation or a cube action by name", () => {
  assert.equal(decisionText("8/5 6/5"), "8/5 6/5");
  assert.equal(decisionText("roll"), "Don't double");
  assert.equal(decisionText("take"), "Take");
});

test("a warning says what the blunder costs, what is better and why", () => {
  const judged = { text: "6/2", loss: 0.1234, grade: "blunder", reasons: ["It leaves a shot."] };
  const { title, text, yes } = warningOf(judged, hint);
  assert.equal(title, "That's a blunder. Are you sure?");
  assert.equal(text, "8/5 6/5 is better by 0.123 points. It leaves a shot.");
  assert.equal(yes, "Go ahead");
});
