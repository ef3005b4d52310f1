import assert from "node:assert/strict";
import test from "node:test";

import { bytes, closed, opened, text } from "../../static/js/passkeys.js";

const plain = (buffer) => [...new Uint8Array(buffer)];

test("bytes travel as base64url and come back the same", () => {
  for (const values of [[], [0], [255, 254, 253], [1, 2, 3, 4], [62, 63, 251, 239]]) {
    const encoded = text(Uint8Array.from(values).buffer);
    assert.match(encoded, /^[\w-]*$/);
    assert.deepEqual(plain(bytes(encoded)), values);
  }
});

test("the server's options become what the browser wants, and nothing else changes", () => {
  const made = opened({ publicKey: { challenge: "AQID", rpId: "club.example", allowCredentials: [{ type: "public-key", id: "_w" }] } });
  assert.deepEqual(plain(made.publicKey.challenge), [1, 2, 3]);
  assert.deepEqual(plain(made.publicKey.allowCredentials[0].id), [255]);
  assert.equal(made.publicKey.rpId, "club.example");
});

test("the device's answer is encoded as text, with or without a user handle", () => {
  const buffer = Uint8Array.from([1, 2, 3]).buffer;
  const answer = { clientDataJSON: buffer, authenticatorData: buffer, signature: buffer, userHandle: null };
  const encoded = closed({ type: "public-key", id: "x", rawId: buffer, response: answer, getClientExtensionResults: () => ({}) });
  assert.equal(encoded.rawId, "AQID");
  assert.equal(encoded.response.signature, "AQID");
  assert.equal(encoded.response.userHandle, null);
});
