import assert from "node:assert/strict";
import { test } from "node:test";
import { boundTo, bytes, markOf, stateOf } from "../../static/js/notifications/push.js";

const usual = { secure: true, apple: false, standalone: false, able: true, permission: "default", known: false };

test("a browser that was not asked yet is offered the button", () => {
  assert.equal(stateOf(usual), "off");
  assert.equal(stateOf({ ...usual, permission: "granted" }), "off");
});

test("a browser that the site knows gets notifications, unless it forbids them", () => {
  assert.equal(stateOf({ ...usual, permission: "granted", known: true }), "on");
  assert.equal(stateOf({ ...usual, permission: "denied", known: true }), "denied");
  assert.equal(stateOf({ ...usual, permission: "default", known: true }), "off");
});

test("the first obstacle to push is shown", () => {
  assert.equal(stateOf({ ...usual, secure: false, able: false }), "insecure");
  assert.equal(stateOf({ ...usual, able: false }), "unsupported");
  assert.equal(stateOf({ ...usual, able: false, apple: true }), "home");
  assert.equal(stateOf({ ...usual, able: false, apple: true, standalone: true }), "unsupported");
});

test("a subscription is known by the key that it is bound to", () => {
  const key = "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8";
  assert.equal(bytes(key).length, 65);
  assert.equal(boundTo(bytes(key).buffer, key), true);
  assert.equal(boundTo(bytes(key).slice(1).buffer, key), false);
  assert.equal(boundTo(null, key), false);
});

test("an address is named by its SHA-256", async () => {
  assert.equal(await markOf("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
});
