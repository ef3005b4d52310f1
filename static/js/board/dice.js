/** Dice as every board draws them. */
import { SIDES } from "./sides.js";
import { draw, gradient } from "./svg.js";

/** Where the pips of each number lie, in columns and rows around the middle. */
export const PIPS = [
  [], [[0, 0]], [[-1, -1], [1, 1]], [[-1, -1], [0, 0], [1, 1]], [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]], [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]],
];

const SIZE = 43;

/** Two dice of one roll, the higher one first, as they are written: 5-1. @param {number[]} dice */
export function higherFirst(dice) {
  return [...dice].sort((a, b) => b - a);
}

/**
 * The opening roll: one die for each side, White's first.
 * @param {number[]} dice
 * @param {Side} bottom
 * @returns {DieDrawn[]}
 */
export function openingDice(dice, bottom) {
  return SIDES.flatMap((side, i) => (dice[i] ? [{ value: dice[i], used: false, dim: false, atBottom: side === bottom, mark: side }] : []));
}

/** @param {string} id of the drawing */
export function dieGradients(id) {
  const slope = { x1: 0, y1: 0, x2: 0.6, y2: 1 };
  return [
    gradient("linearGradient", `${id}-die`, slope, [[0, "d-hi"], [1, "d-lo"]]),
    gradient("linearGradient", `${id}-die-dark`, slope, [[0, "d-dark-hi"], [1, "d-dark-lo"]]),
  ];
}

/** @param {DieDrawn} die @param {string} id of the drawing @param {number} [size] length of an edge */
export function drawDie(die, id, size = SIZE) {
  const scale = size / SIZE;
  const box = { x: -size / 2, y: -size / 2, width: size, height: size, rx: 9 * scale };
  return draw("g", { class: `die ${die.mark ?? ""}` }, [
    draw("rect", { ...box, class: "shadow", x: box.x + 1, y: box.y + 3.4 * scale }),
    draw("rect", { ...box, class: "face", fill: `url(#${id}-die${die.mark === "black" ? "-dark" : ""})` }),
    ...PIPS[die.value].map(([x, y]) => draw("circle", { class: "pip", cx: x * 11.4 * scale, cy: y * 11.4 * scale, r: 4.3 * scale })),
  ]);
}
