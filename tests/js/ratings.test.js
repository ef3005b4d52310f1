import assert from "node:assert/strict";
import { test } from "node:test";
import { ratingChange } from "../../static/js/match/format.js";
import { live, plain } from "./fixtures/states.js";

const ratings = { white: { before: 1500, after: 1506.3245 }, black: { before: 1612.5, after: 1606.4155 } };
const over = { status: "over", ratings };

test("a player sees the change of the own rating, in the number format of the language", () => {
  assert.equal(ratingChange(live({ match: over }), "en"), "Your rating: +6.32 → 1506.32");
  assert.equal(ratingChange(live({ match: over }), "es"), "Your rating: +6,32 → 1506,32");
  assert.equal(ratingChange(live({ you: "black", match: over }), "en"), "Your rating: −6.08 → 1606.42");
});

test("a spectator sees both rating changes", () => {
  assert.equal(plain(ratingChange(live({ you: null, match: over }), "en")), "ana +6.32 → 1506.32 · bea −6.08 → 1606.42");
});

test("an unrated match shows no rating change", () => {
  assert.equal(ratingChange(live({ match: { status: "over" } }), "en"), "");
});
