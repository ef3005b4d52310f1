import assert from "node:assert/strict";
import { test } from "node:test";
import { NextBoard } from "../../static/js/match/next-board.js";

globalThis.document ??= { documentElement: { lang: "en" } };
Object.assign(globalThis.document, { visibilityState: "visible", addEventListener() {} });
globalThis.window ??= {};
globalThis.window.setInterval = () => 0;
globalThis.HTMLElement ??= class {};

/** A page of a board with the link, whose count the server answers as `counts` say. */
function page(...counts) {
  const log = [];
  const element = (textContent) => Object.assign(new HTMLElement(), { textContent });
  const parts = { "next-board-count": element("1"), "next-board-text": element("") };
  const link = {
    dataset: { countUrl: "/count/" },
    classList: { toggle: (name, on) => log.push(`${name} ${on}`) },
    addEventListener: (_kind, listener) => { link.listener = listener; },
    click: () => link.listener({ preventDefault: () => log.push("held") }) ?? log.push("clicked"),
  };
  globalThis.fetch = async () => ({ ok: true, json: async () => counts.shift() });
  const state = { busy: false };
  const root = { querySelector: (selector) => parts[/="(.*)"/.exec(selector)[1]] };
  const board = new NextBoard(root, link, { busy: () => state.busy, announce: (text) => log.push(text) });
  return { board, link, log, parts, state };
}

const settled = () => new Promise((resolve) => { setImmediate(resolve); });

test("after each act the boards that wait are counted again, and more of them are spoken", async () => {
  const { board, log, parts } = page({ waiting: 3, text: "3 wait" }, { waiting: 0, text: "none" });
  board.update(4);
  await settled();
  assert.deepEqual(log, [], "the page came with its count");
  board.update(5);
  board.update(5);
  await settled();
  assert.deepEqual(log, ["btn-primary true", "3 wait"]);
  assert.deepEqual([parts["next-board-count"].textContent, parts["next-board-text"].textContent], ["3", "3 wait"]);
  board.update(6);
  await settled();
  assert.deepEqual(log.slice(2), ["btn-primary false"], "fewer are not spoken");
});

test("the link waits for an act that is on its way", async () => {
  const { board, link, log, state } = page({ waiting: 1, text: "" }, { waiting: 1, text: "" });
  state.busy = true;
  link.click();
  board.update(4);
  assert.deepEqual(log.filter((line) => line !== "clicked"), ["held"]);
  log.length = 0;
  state.busy = false;
  board.update(5);
  assert.deepEqual(log, ["clicked"], "it is followed once the act is answered");
});
