import assert from "node:assert/strict";
import { test } from "node:test";
import { SIZE, SQUARES, between, boxOf, cell, centre, crowns, rays, rows, squareAt, squareIn } from "../../static/js/squares/geometry.js";

test("the squares are numbered as in PDN, five a row", () => {
  assert.deepEqual(cell(1), { row: 0, column: 1 });
  assert.deepEqual(cell(5), { row: 0, column: 9 });
  assert.deepEqual(cell(6), { row: 1, column: 0 });
  assert.deepEqual(cell(46), { row: 9, column: 0 });
  assert.deepEqual(cell(50), { row: 9, column: 8 });
  for (const square of SQUARES) assert.equal(squareIn(cell(square).row, cell(square).column), square);
});

test("the square at each player's bottom right is a light one", () => {
  for (const turned of [false, true]) {
    assert.equal(squareAt(SIZE - 40, SIZE - 40, turned), null);
    assert.equal(squareAt(40, SIZE - 40, turned), turned ? 5 : 46);
  }
});

test("a spot in the drawing is found in its square, on both sides of the board", () => {
  for (const turned of [false, true]) {
    for (const square of SQUARES) {
      const { x, y } = centre(square, turned);
      assert.equal(squareAt(x, y, turned), square);
    }
  }
  assert.equal(squareAt(5, 5, false), null);
  assert.equal(squareAt(SIZE - 1, SIZE / 2, false), null);
});

test("Black's own men stand below when the board is turned", () => {
  assert.equal(boxOf(1, false).y < boxOf(50, false).y, true);
  assert.equal(boxOf(1, true).y > boxOf(50, true).y, true);
  assert.deepEqual(rows(false)[0], [1, 2, 3, 4, 5]);
  assert.deepEqual(rows(false)[9], [46, 47, 48, 49, 50]);
  assert.deepEqual(rows(true)[0], [50, 49, 48, 47, 46]);
  assert.deepEqual(rows(true)[9], [5, 4, 3, 2, 1]);
});

test("the squares between two of one diagonal", () => {
  assert.deepEqual(between(17, 28), [22]);
  assert.deepEqual(between(28, 17), [22]);
  assert.deepEqual(between(46, 5), [41, 37, 32, 28, 23, 19, 14, 10]);
  assert.deepEqual(between(11, 16), []);
  assert.equal(between(11, 12), null);
  assert.equal(between(11, 11), null);
  assert.equal(between(1, 50), null);
});

test("the diagonals from a square, nearest first", () => {
  assert.deepEqual(rays(28), [[22, 17, 11, 6], [23, 19, 14, 10, 5], [32, 37, 41, 46], [33, 39, 44, 50]]);
  assert.deepEqual(rays(46), [[], [41, 37, 32, 28, 23, 19, 14, 10, 5], [], []]);
});

test("Black is crowned on 46 to 50 and White on 1 to 5", () => {
  assert.deepEqual(SQUARES.filter((square) => crowns(square, "black")), [46, 47, 48, 49, 50]);
  assert.deepEqual(SQUARES.filter((square) => crowns(square, "white")), [1, 2, 3, 4, 5]);
});
