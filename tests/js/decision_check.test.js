import assert from "node:assert/strict";
import { test } from "node:test";
import { DecisionCheck } from "../../static/js/match/decision-check.js";

const WARNING = { title: "That's a blunder. Are you sure?", text: "", facts: [], yes: "Go ahead" };

/** A page that writes down what happens, and hints that answer when they are told to. */
function page({ warns = true } = {}) {
  const log = [];
  let answer;
  const hints = { warns, warning: () => new Promise((resolve) => { answer = resolve; }) };
  const shown = {
    at: 7,
    version: () => shown.at,
    note: (text) => log.push(text),
    clear: () => log.push("clear"),
    ask: ({ title }, follows) => { log.push(title); follows(); },
  };
  const check = new DecisionCheck(hints, shown);
  const answered = async (warning) => { answer(warning); await Promise.resolve(); };
  return { log, shown, answered, run: (name = "sent") => check.run("8/5", () => log.push(name)) };
}

test("a decision is sent at once where the player wants no warning", () => {
  const { log, run } = page({ warns: false });
  run();
  assert.deepEqual(log, ["sent"]);
});

test("a decision is sent once it was checked", async () => {
  const { log, run, answered } = page();
  run();
  run("again");
  assert.deepEqual(log, ["Checking your decision…"], "a second press changes nothing");
  await answered(null);
  assert.deepEqual(log.slice(1), ["clear", "sent"]);
});

test("a blunder is asked about first", async () => {
  const { log, run, answered } = page();
  run();
  await answered(WARNING);
  assert.deepEqual(log.slice(1), ["clear", WARNING.title, "sent"]);
});

test("nothing is sent when the match has moved on meanwhile", async () => {
  const { log, run, shown, answered } = page();
  run();
  shown.at = 8;
  await answered(WARNING);
  assert.deepEqual(log, ["Checking your decision…"]);
  run();
  await answered(null);
  assert.deepEqual(log.slice(1), ["Checking your decision…", "clear", "sent"]);
});
