import assert from "node:assert/strict";
import { test } from "node:test";
import { linesOf } from "../../static/js/match/move-list.js";
import { doublesOf, withChoices } from "../../static/js/match/orders.js";
import { MatchSocket } from "../../static/js/match/socket.js";
import { describeActions } from "../../static/js/match/action-text.js";
import { live, plain } from "./fixtures/states.js";

const NOW = ["double take", "double drop"];
const GAME = ["double take game", "double drop game"];
const doubles = (orders, whole = false) => {
  const found = doublesOf(live({ orders: { double: null, forced: null, may: [], ...orders } }), whole);
  return found && [plain(found.stands || found.title), found.answers, found.whole];
};

test("the answer to a double is asked for now, or for the whole game", () => {
  assert.deepEqual(doubles({ may: [...NOW, ...GAME] }), ["If bea doubles now", NOW, true]);
  assert.deepEqual(doubles({ may: [...NOW, ...GAME] }, true), ["If bea doubles in this game", GAME, true]);
  assert.deepEqual(doubles({ may: NOW }), ["If bea doubles now", NOW, false]);
  assert.deepEqual(doubles({ may: GAME }), ["If bea doubles in this game", GAME, false]);
});

test("a standing order is shown, and can only be undone", () => {
  assert.deepEqual(doubles({ double: "double drop", may: [...NOW, ...GAME] }), ["If bea doubles now, you drop.", [], false]);
  assert.deepEqual(doubles({ double: "double take game" }), ["If bea doubles in this game, you take.", [], false]);
});

test("where there is no cube to answer nothing is asked, nor of a spectator or at the table", () => {
  assert.equal(doubles({}), null);
  assert.equal(doublesOf(live(), false), null);
  assert.equal(doublesOf(live({ you: null, orders: { double: null, forced: null, may: NOW } }), false), null);
});

test("a choice counts until the server confirms it", () => {
  const orders = { double: "double take", forced: null, may: NOW };
  assert.deepEqual(withChoices(orders, ["double drop", "forced on"]), { double: "double drop", forced: true, may: NOW });
  assert.deepEqual(withChoices(orders, ["double ask", "forced on", "forced off"]), { double: null, forced: false, may: NOW });
});

test("what was ordered is marked in the record and spoken so", () => {
  const actions = [{ n: 5, game: 1, seat: "black", text: "double" }, { n: 6, game: 1, seat: "white", text: "drop", ordered: true }];
  const cells = linesOf(actions).flatMap(({ white, black }) => [...white, ...black]);
  assert.deepEqual(cells, [{ dice: "", text: "double", n: 5 }, { dice: "", text: "drop", n: 6, ordered: true }]);
  assert.deepEqual(describeActions(actions, live(), live()).map(plain), ["bea doubles.", "ana drops. Played automatically."]);
});

test("an order is sent with the version that was seen, and again under its id until it is answered", async () => {
  const sent = [];
  const socket = new MatchSocket({
    socketUrl: "", apiUrl: "/api/v1/matches/k3xPq9Zt/", version: 4, onState: () => {}, onMessage: () => {}, onLink: () => {},
    open: () => ({ readyState: 1, send: (text) => sent.push(JSON.parse(text)), close: () => {} }),
  });
  socket.start();
  const id = socket.order("double drop");
  assert.deepEqual(sent.filter(({ t }) => t === "order"), [{ t: "order", id, after: 4, order: "double drop" }]);
  socket.stop();
});
