import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.document ??= /** @type {any} */ ({ addEventListener() {} });
const { nonce } = await import("../../static/js/draw-nonce.js");

test("a number for the draw has 64 hex digits, and is never the same", () => {
  const [first, second] = [nonce(), nonce()];
  assert.match(first, /^[0-9a-f]{64}$/);
  assert.notEqual(first, second);
});
