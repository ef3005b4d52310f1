import assert from "node:assert/strict";
import { test } from "node:test";
import { firstOf, linesOf } from "../../static/js/match/move-list.js";
import { damas } from "./fixtures/states.js";

/** Lines as [White's cell, Black's], each action of a cell with the dice it used. */
const lines = (list, first) =>
  linesOf(list.map(([seat, text], i) => ({ seat, text, n: i + 1 })), first).map(({ white, black }) =>
    [white, black].map((cells) => cells.map(({ dice, text }) => [dice, text].filter(Boolean).join(" ")).join(", ")));

test("a 2-1, its double and the new roll stand in one cell", () => {
  assert.deepEqual(lines([
    ["white", "roll"], ["chance", "dice 12"], ["white", "stock/24 stock/23"], ["white", "name 6"], ["white", "stock/19(4)"],
    ["white", "roll"], ["chance", "dice 54"], ["white", "stock/20 stock/21"],
    ["black", "roll"], ["chance", "dice 31"], ["black", "stock/22 stock/24"],
  ]), [["21 stock/24 stock/23, name 6, 66 stock/19(4), 54 stock/20 stock/21", "31 stock/22 stock/24"]]);
});

test("a named double of which nothing can be played passes for the player who named it", () => {
  assert.deepEqual(lines([
    ["black", "roll"], ["white", "roll"], ["chance", "dice 25"], ["black", "roll"], ["chance", "dice 12"], ["black", "stock/24 stock/23"],
    ["black", "name 1"], ["server", "pass"], ["white", "roll"], ["chance", "dice 31"], ["white", "stock/22 stock/24"],
  ]), [["", "21 stock/24 stock/23, name 1, 11 pass"], ["31 stock/22 stock/24", ""]]);
});

test("in damas the seat with Black begins the lines", () => {
  const moves = [["white", "11-16"], ["black", "37-32"], ["white", "16-21"], ["black", "32-27"]];
  const swapped = { colours: { white: "black", black: "white" } };
  assert.equal(firstOf(damas({ position: swapped }).position), "white");
  assert.equal(firstOf(damas().position), "black");
  assert.equal(firstOf(damas({ position: { colours: null } }).position), "white");
  assert.deepEqual(lines(moves, "white"), [["11-16", "37-32"], ["16-21", "32-27"]]);
  assert.deepEqual(lines(moves.map(([seat, text]) => [seat === "white" ? "black" : "white", text]), "black"), [["37-32", "11-16"], ["32-27", "16-21"]]);
});

test("huffing and the own move are one turn, a compelled capture is the offender's again", () => {
  assert.deepEqual(lines([["black", "11-16"], ["white", "huff 16"], ["white", "37-32"], ["black", "12-17"]], "black"),
    [["huff 16, 37-32", "11-16"], ["", "12-17"]]);
  assert.deepEqual(lines([["black", "11-16"], ["white", "compel"], ["black", "17x28"], ["white", "33x22"]], "black"),
    [["compel", "11-16"], ["33x22", "17x28"]]);
});
