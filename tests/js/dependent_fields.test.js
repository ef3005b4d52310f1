import assert from "node:assert/strict";
import { test } from "node:test";

/** As much of an input as static/js/dependent-fields.js asks for. */
class Input {
  /** @param {Record<string, unknown>} facts */
  constructor(facts) {
    Object.assign(this, { type: "text", value: "", checked: false, disabled: false, ...facts });
  }
}
globalThis.HTMLInputElement = /** @type {any} */ (Input);
/** The same of a list of choices: pairs of a value and whether the page came with it. */
class Select {
  /** @param {string} value @param {[string, boolean][]} options */
  constructor(value, options) {
    this.value = value;
    this.options = options.map(([each, defaultSelected]) => ({ value: each, defaultSelected }));
  }
}
globalThis.HTMLSelectElement = /** @type {any} */ (Select);

const { answer, answered, answers, since } = await import("../../static/js/dependent-fields.js");

/** @param {Record<string, unknown>[]} fields @returns {any} */
const part = (fields) => {
  const inputs = fields.map((facts) => new Input(facts));
  return { inputs, querySelectorAll: () => inputs };
};

/** @param {string} chosen @param {string[]} clocks */
const terms = (chosen, clocks = ["club", "none"]) =>
  part([
    ...clocks.map((value) => ({ name: "clock", type: "radio", value, checked: value === chosen })),
    { name: "cube", type: "checkbox", checked: true },
    { name: "length_other", value: "" },
  ]);

test("what is answered in between is given again", () => {
  const before = answers(terms("club"));
  const now = terms("none");
  now.inputs[2].checked = false;
  now.inputs[3].value = "13";
  const fresh = terms("club");
  answer(fresh, since(before, answers(now)));
  assert.equal(fresh.inputs[1].checked, true); // a browser unsets the other radio by itself
  assert.equal(fresh.inputs[2].checked, false);
  assert.equal(fresh.inputs[3].value, "13");
});

test("what was not touched is as the server says, and so is what is no longer there", () => {
  const same = answers(terms("club"));
  assert.equal(since(same, answers(terms("club"))).size, 0);
  const fresh = terms("min10", ["min10", "min5"]);
  answer(fresh, since(same, answers(terms("none"))));
  assert.equal(fresh.inputs[0].checked, true);
});

test("a choice made before the scripts loaded is noticed", () => {
  const games = (/** @type {string} */ value, /** @type {boolean} */ preselected) =>
    /** @type {any} */ (new Select(value, [["backgammon", preselected], ["damas", false]]));
  assert.equal(answered(games("damas", true)), true);
  assert.equal(answered(games("damas", false)), true); // the page came with none chosen, so with the first
  assert.equal(answered(games("backgammon", true)), false);
  assert.equal(answered(games("backgammon", false)), false);
  const radio = (/** @type {boolean} */ checked, /** @type {boolean} */ defaultChecked) =>
    /** @type {any} */ (new Input({ type: "radio", checked, defaultChecked }));
  assert.deepEqual([radio(true, false), radio(true, true), radio(false, true)].map(answered), [true, false, false]);
});
