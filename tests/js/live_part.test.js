import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

/**
 * As much of a document as static/js/live-part.js asks for: one part with an id, and what listens.
 */
class Part {
  /** @param {{open?: string[], fields?: object[], scrolled?: object[]}} inside */
  constructor({ open = [], fields = [], scrolled = [] } = {}) {
    this.id = "part";
    this.open = open;
    this.fields = fields;
    this.scrolled = scrolled;
  }

  /** @param {unknown} field */
  contains(field) {
    return this.fields.includes(/** @type {object} */ (field));
  }

  /** @param {string} selector */
  querySelectorAll(selector) {
    if (selector.startsWith("details")) return this.open.map((id) => ({ id }));
    return selector === "[id]" ? this.scrolled : this.fields;
  }
}

class Input {
  /** @param {Record<string, unknown>} facts */
  constructor(facts) {
    Object.assign(this, { type: "text", value: "", defaultValue: "", checked: false, defaultChecked: false, ...facts });
    this.form = { getAttribute: () => "/report/" };
  }

  closest() {
    return { id: "report-main-1-1" };
  }

  matches() {
    return true; // something that one writes in
  }
}

/** @type {Record<string, ((event?: object) => void)[]>} */
let listening;
/** @type {Record<string, object>} */
let byId;
/** @type {any} */
let page;

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  listening = {};
  byId = { part: new Part() };
  page = {
    activeElement: null,
    /** @param {string} kind @param {(event?: object) => void} listener */
    addEventListener: (kind, listener) => (listening[kind] ??= []).push(listener),
    /** @param {string} id */
    getElementById: (id) => byId[id] ?? null,
  };
  Object.assign(globalThis, { document: page, HTMLInputElement: Input });
});

/** @param {string} kind @param {object} [event] */
function happens(kind, event) {
  for (const listener of listening[kind] ?? []) listener(event);
}

/** @param {object} target */
function swap(target) {
  const detail = { target, shouldSwap: true };
  happens("htmx:beforeSwap", { detail });
  return detail.shouldSwap;
}

const { livePart } = await import("../../static/js/live-part.js");

test("a part is fetched at once when nobody touches it", () => {
  const ask = mock.fn();
  livePart("part", ask)();
  assert.equal(ask.mock.callCount(), 1);
});

test("a part is not fetched during a press, but as soon as the click has come", () => {
  const ask = mock.fn();
  const refresh = livePart("part", ask);
  happens("pointerdown");
  refresh();
  assert.equal(ask.mock.callCount(), 0);
  happens("pointerup");
  mock.timers.tick(300); // a touch screen may take its time
  assert.equal(ask.mock.callCount(), 0);
  happens("click");
  mock.timers.tick(1);
  assert.equal(ask.mock.callCount(), 1);
});

test("a finger that is lifted and clicks nothing is forgotten after a moment", () => {
  const ask = mock.fn();
  const refresh = livePart("part", ask);
  happens("pointerdown");
  refresh();
  happens("pointerup");
  mock.timers.tick(400);
  assert.equal(ask.mock.callCount(), 1);
});

test("a part is not fetched while somebody writes in it", () => {
  const ask = mock.fn();
  const field = new Input({ name: "won" });
  byId.part = new Part({ fields: [field] });
  const refresh = livePart("part", ask);
  page.activeElement = field;
  refresh();
  assert.equal(ask.mock.callCount(), 0);
  page.activeElement = null;
  happens("focusout");
  mock.timers.tick(1);
  assert.equal(ask.mock.callCount(), 1);
});

test("an answer that comes while somebody presses is dropped, and asked for again", () => {
  const ask = mock.fn();
  livePart("part", ask);
  happens("pointerdown");
  assert.equal(swap(byId.part), false);
  happens("pointercancel");
  mock.timers.tick(1);
  assert.equal(ask.mock.callCount(), 1);
});

test("what was open, scrolled and written stays in the new part", () => {
  const shown = mock.fn();
  livePart("part", () => undefined, shown);
  byId.part = new Part({
    open: ["why-main-1-1"],
    scrolled: [{ id: "pane-main", scrollLeft: 120, scrollTop: 0 }],
    fields: [
      new Input({ name: "won", value: "7", defaultValue: "5" }),
      new Input({ name: "winner", type: "radio", value: "2", checked: true }),
      new Input({ name: "lost", value: "" }),
    ],
  });
  assert.equal(swap(byId.part), true);

  const [won, winner, lost] = [
    new Input({ name: "won", value: "5", defaultValue: "5" }),
    new Input({ name: "winner", type: "radio", value: "2" }),
    new Input({ name: "lost", value: "3" }),
  ];
  const [details, pane] = [{ setAttribute: mock.fn() }, { scrollTo: mock.fn() }];
  const fresh = new Part({ fields: [won, winner, lost] });
  byId = { part: fresh, "why-main-1-1": details, "pane-main": pane };
  happens("htmx:afterSwap", { detail: { target: fresh } });

  assert.deepEqual(details.setAttribute.mock.calls[0].arguments, ["open", ""]);
  assert.deepEqual(pane.scrollTo.mock.calls[0].arguments, [{ left: 120, top: 0, behavior: "instant" }]);
  assert.deepEqual([won, winner, lost].map((field) => Reflect.get(field, "value")), ["7", "2", "3"]);
  assert.equal(Reflect.get(winner, "checked"), true);
  assert.deepEqual(shown.mock.calls[0].arguments, [fresh]);
});

test("another part of the page is none of its business", () => {
  const shown = mock.fn();
  livePart("part", () => undefined, shown);
  happens("pointerdown");
  assert.equal(swap({ id: "other" }), true);
  happens("htmx:afterSwap", { detail: { target: { id: "other" } } });
  assert.equal(shown.mock.callCount(), 0);
});
