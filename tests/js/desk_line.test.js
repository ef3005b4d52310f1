import assert from "node:assert/strict";
import { test } from "node:test";
import { completed, fields, meanings, plain } from "../../static/js/desk/line.js";

/** @type {import("../../static/js/desk/line.js").OpenPairing[]} */
const PAIRINGS = [
  { key: "main-2-3", places: ["2-3", "12"], label: "12", length: 7, sides: [[1, "Ana Pérez"], [4, "Diego Ruiz"]] },
  { key: "main-2-4", places: ["2-4", "13"], label: "13", length: 7, sides: [[2, "María García"], [3, "Juan Pérez"]] },
  { key: "consolation-2-3", places: ["c2-3"], label: "C2-3", length: 5, sides: [[7, "Elena García"], [8, "Óscar Peña"]] },
  { key: "group-1-2-3", places: ["g1 2-3"], label: "G1 2-3", length: 5, sides: [[9, "José Luis"], [10, "Rosa León"]] },
];

/** @param {string} text */
const read = (text) =>
  meanings(text, PAIRINGS).map(({ pairing, winner, points, how }) =>
    [pairing.sides[winner][1], ...(points ?? []), ...(how === "played" ? [] : [how])].join(" "));

for (const [text, expected] of /** @type {[string, string[]][]} */ ([
  ["12 7-4", ["Ana Pérez 7 4"]],
  ["12 4-7", ["Diego Ruiz 7 4"]],
  ["12 7 4", ["Ana Pérez 7 4"]],
  ["2-3 7:4", ["Ana Pérez 7 4"]],
  ["maría 7 4", ["María García 7 4"]],
  ["MARIA 4 7", ["Juan Pérez 7 4"]],
  ["maria 4", ["María García 7 4"]],
  ["c2-3 garcía", ["Elena García"]],
  ["g1 2-3 rosa 5-0", ["Rosa León 5 0"]],
  ["garcía", ["María García", "Elena García"]],
  ["pérez 7 2", ["Ana Pérez 7 2", "Juan Pérez 7 2"]],
  ["13 perez 7-2", ["Juan Pérez 7 2"]],
  ["j per", ["Juan Pérez"]],
  ["jose luis wo", ["José Luis walkover"]],
  ["2-3", ["Ana Pérez", "Diego Ruiz"]],
  ["12 7", []],
  ["maria 7", []],
  ["14 7-4", []],
  ["7-4", []],
  ["nobody 7-4", []],
  ["", []],
  ["óscar 5,5 4.5", ["Óscar Peña 5.5 4.5"]],
])) {
  test(`"${text}" is ${expected.join(" or ") || "no result yet"}`, () => assert.deepEqual(read(text), expected));
}

test("a number is the match, not a player whose name has it", () => {
  /** @type {import("../../static/js/desk/line.js").OpenPairing[]} */
  const walkIns = [
    { key: "main-1-1", places: ["1", "1-1"], label: "1-1", length: 7, sides: [[1, "Walk-in 1"], [8, "Walk-in 8"]] },
    { key: "main-1-2", places: ["2", "1-2"], label: "1-2", length: 7, sides: [[2, "Walk-in 2"], [10, "Walk-in 10"]] },
  ];
  const keys = (/** @type {string} */ text) => meanings(text, walkIns).map(({ pairing, winner }) => [pairing.key, winner]);
  assert.deepEqual(keys("1 7-4"), [["main-1-1", 0]]);
  assert.deepEqual(keys("walk-in 1"), [["main-1-1", 0]]);
  assert.deepEqual(keys("10 7-4"), [["main-1-2", 1]]);
});

test("a line is read without case and accents", () => assert.equal(plain("  Óscar   PEÑA "), "oscar pena"));

test("a completed line still means the same result, and a score can follow", () => {
  const [meaning] = meanings("juan", PAIRINGS);
  assert.equal(completed(meaning), "13 Juan Pérez ");
  assert.deepEqual(read(`${completed(meaning)}7-5`), ["Juan Pérez 7 5"]);
});

test("the server gets the pairing, its two entrants and the points of the winner first", () => {
  const [scored] = meanings("13 4-7", PAIRINGS);
  assert.deepEqual(fields(scored), { key: "main-2-4", of: "2 3", winner: "3", how: "played", won: "7", lost: "4" });
  const [unscored] = meanings("c2-3 garcía", PAIRINGS);
  assert.deepEqual(fields(unscored), { key: "consolation-2-3", of: "7 8", winner: "7", how: "played" });
});

test("of a series and its present match a score is the one that it can be", () => {
  /** @type {[number, string][]} */
  const sides = [[1, "Ana Pérez"], [4, "Diego Ruiz"]];
  const match = { key: "main-1-1_2", places: ["12", "1-1.2", "1-1"], label: "12", length: 7, sides };
  const series = { ...match, key: "main-1-1", length: 2, series: true };
  const keys = (/** @type {string} */ text, length = 7) =>
    meanings(text, [{ ...match, length }, series]).map(({ pairing, winner }) => `${pairing.key} ${winner}`);
  assert.deepEqual(keys("12 7-4"), ["main-1-1_2 0"]);
  assert.deepEqual(keys("12 1-2"), ["main-1-1 1"]);
  assert.deepEqual(keys("ana 2-1"), ["main-1-1 0"]);
  assert.deepEqual(keys("ana 1"), ["main-1-1_2 0", "main-1-1 0"]); // the loser's points alone: it can be either
  assert.deepEqual(keys("12 diego wo"), ["main-1-1_2 1", "main-1-1 1"]);
  assert.deepEqual(keys("12 2-1", 1), ["main-1-1_2 0", "main-1-1 0"]);
});
