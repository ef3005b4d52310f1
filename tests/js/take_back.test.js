import assert from "node:assert/strict";
import { test } from "node:test";
import { TakeBack, offerText, playOf, standing } from "../../static/js/match/take-back.js";
import { live } from "./fixtures/states.js";

globalThis.document ??= { documentElement: { lang: "en" } };

const BLUNDER = { best: "8/5 6/5", loss: 0.2, reasons: ["It makes your 5-point.", "And more."] };

/** A page that writes down what happens; the hints answer when they are told to. */
function page({ state = live({ may: ["roll", "take-back 4"] }), tells = true, ...changed } = {}) {
  const log = [];
  let answer;
  const hints = { tells, lastPlay: () => { log.push("ask"); return new Promise((resolve) => { answer = resolve; }); } };
  const button = { disabled: true };
  const offer = [{ disabled: true }, { disabled: true }];
  const row = { hidden: true, querySelectorAll: () => offer };
  const text = { textContent: "" };
  const parts = { ".match-help": button, "[data-part=blunder]": row, "[data-part=blunder-text]": text };
  const root = { querySelector: (selector) => parts[selector.split(" ")[0]] };
  const shown = { state: () => shown.now, now: state, sent: () => false, act: (name) => log.push(name), announce: (said) => log.push(said), follow: () => log.push("follow"), ...changed };
  const answered = async (blunder) => { answer(blunder); await Promise.resolve(); };
  return { log, shown, button, row, text, answered, takeBack: new TakeBack(root, hints, shown) };
}

test("the play that can be taken back is the one that the server names", () => {
  assert.equal(playOf({ may: ["roll", "take-back 12"] }), 12);
  assert.equal(playOf({ may: ["roll"] }), null);
});

test("actions that were taken back do not stand", () => {
  const actions = [[1, "roll"], [2, "8/5"], [3, "24/20"], [4, "take-back 2"], [5, "6/3"]].map(([n, text]) => ({ n, text }));
  assert.deepEqual(standing(actions).map(({ n }) => n), [1, 5]);
});

test("the button takes the last play back, and can be pressed only while there is one", () => {
  const { takeBack, shown, button, log } = page();
  takeBack.show();
  assert.equal(button.disabled, false);
  takeBack.take();
  assert.deepEqual(log, ["take-back 4"]);
  shown.now = live({ may: ["roll"] });
  takeBack.show();
  takeBack.take();
  assert.equal(button.disabled, true);
  assert.deepEqual(log, ["take-back 4"]);
});

test("after a blunder the best play is named and taking back is offered; nothing rolls meanwhile", async () => {
  const { takeBack, row, text, log, answered } = page();
  takeBack.update();
  takeBack.update();
  assert.deepEqual(log, ["ask"], "a play is judged once");
  assert.equal(takeBack.holds, true);
  await answered(BLUNDER);
  assert.equal(row.hidden, false);
  assert.equal(text.textContent, offerText(BLUNDER));
  assert.match(text.textContent, /8\/5 6\/5.*0\.200.*5-point\.$/);
  assert.equal(log.at(-1), text.textContent, "it is spoken");
  assert.equal(takeBack.holds, true);
  takeBack.keep();
  assert.equal(row.hidden, true);
  assert.equal(takeBack.holds, false);
  assert.equal(log.at(-1), "follow");
});

test("after any other play the match goes on by itself", async () => {
  const { takeBack, row, log, answered } = page();
  takeBack.update();
  await answered(null);
  assert.equal(row.hidden, true);
  assert.equal(takeBack.holds, false);
  assert.deepEqual(log, ["ask", "follow"]);
});

test("nothing is judged where the player does not want it", () => {
  const { takeBack, log } = page({ tells: false });
  takeBack.update();
  assert.deepEqual(log, []);
  assert.equal(takeBack.holds, false);
});

test("a judgement that comes after the next roll says nothing", async () => {
  const { takeBack, shown, row, log, answered } = page();
  takeBack.update();
  shown.now = live({ may: ["move"] });
  await answered(BLUNDER);
  assert.equal(row.hidden, true);
  assert.deepEqual(log, ["ask"]);
});
