/** XGID, in which the editor speaks with the server: `XGID=checkers:cube:owner:turn:dice:white:black:flag:length:cap`. Pure. */
import { CHECKERS } from "./setup.js";

/** @typedef {import("./setup.js").Setup} Setup */

export const START = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:5:6";

const A = "A".charCodeAt(0);
const SIGN = /** @type {Record<string, Side>} */ ({ 1: "white", "-1": "black" });

/** @param {Side | null} side */
const sign = (side) => (side === null ? 0 : side === "white" ? 1 : -1);

/** @param {number} count White's checkers; Black's below 0 */
function letter(count) {
  if (!count) return "-";
  const capital = String.fromCharCode(A + Math.abs(count) - 1);
  return count > 0 ? capital : capital.toLowerCase();
}

/** @param {string} char */
function count(char) {
  if (char === "-") return 0;
  const number = char.toUpperCase().charCodeAt(0) - A + 1;
  return char === char.toUpperCase() ? number : -number;
}

/** @param {Setup} setup */
export function write({ checkers, turn, phase, dice, cube, length, score, crawford, jacoby, beavers }) {
  const points = checkers.white.points.map((own, index) => own - checkers.black.points[23 - index]);
  const fields = [
    [-checkers.black.bar, ...points, checkers.white.bar].map(letter).join(""),
    Math.log2(cube.value),
    sign(cube.owner),
    sign(turn),
    phase === "doubled" ? "D" : phase === "move" ? dice.join("") : "00",
    score.white,
    score.black,
    length ? Number(crawford) : Number(jacoby) + 2 * Number(beavers),
    length,
    Math.log2(cube.cap),
  ];
  return `XGID=${fields.join(":")}`;
}

/** An XGID that the server wrote. @param {string} text @returns {Setup} */
export function read(text) {
  const [letters, value, owner, turn, dice, white, black, flag, length, cap] = text.replace(/^XGID=/, "").split(":");
  const counts = [...letters].map(count);
  const points = counts.slice(1, 25);
  const phase = dice === "D" || dice === "B" ? "doubled" : dice === "00" ? "roll" : "move";
  return {
    checkers: {
      white: side(points.map((own) => Math.max(own, 0)), counts[25]),
      black: side(points.map((own) => Math.max(-own, 0)).reverse(), -counts[0]),
    },
    turn: SIGN[turn],
    phase,
    dice: phase === "move" ? [...dice].map(Number) : [],
    cube: { value: 2 ** Number(value), owner: SIGN[owner] ?? null, cap: 2 ** Number(cap) },
    length: Number(length),
    score: { white: Number(white), black: Number(black) },
    crawford: length !== "0" && flag === "1",
    jacoby: length === "0" && (Number(flag) & 1) === 1,
    beavers: length === "0" && (Number(flag) & 2) === 2,
  };
}

/** @param {number[]} points @param {number} bar @returns {SideCheckers} */
function side(points, bar) {
  const standing = points.reduce((sum, count) => sum + count, bar);
  return { points, bar, off: CHECKERS - standing, stock: 0 };
}
