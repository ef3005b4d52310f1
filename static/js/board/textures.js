/** What surfaces and pieces of every board are made of: wood, grain, shadows, and the colours of the pieces. */
import { SIDES } from "./sides.js";
import { draw, gradient } from "./svg.js";

/**
 * A filter that draws noise on what it is used for.
 * @param {string} id
 * @param {{frequency: string, seed: number, octaves?: number, alpha: string}} noise `alpha`: the last row of the colour matrix
 */
export function grain(id, { frequency, seed, octaves = 4, alpha }) {
  return draw("filter", { id, x: 0, y: 0, width: 1, height: 1 }, [
    draw("feTurbulence", { type: "fractalNoise", baseFrequency: frequency, numOctaves: octaves, seed, result: "n" }),
    draw("feColorMatrix", { in: "n", type: "matrix", values: `0 0 0 0 0.08  0 0 0 0 0.04  0 0 0 0 0.02  ${alpha}` }),
    draw("feComposite", { in2: "SourceGraphic", operator: "in" }),
  ]);
}

/** The wood of the frame and the shadows it throws. @param {string} id of the drawing */
export function surfaceTextures(id) {
  const [down, right] = [{ x1: 0, y1: 0, x2: 0, y2: 1 }, { x1: 0, y1: 0, x2: 1, y2: 0 }];
  return [
    grain(`${id}-grain`, { frequency: "0.006 0.11", seed: 11, alpha: "1.9 0 0 0 -0.72" }),
    grain(`${id}-nap`, { frequency: "0.9", seed: 3, octaves: 2, alpha: "0.9 0 0 0 -0.42" }),
    gradient("linearGradient", `${id}-wood`, down, [[0, "w-light"], [0.5, "w-mid"], [1, "w-dark"]]),
    gradient("linearGradient", `${id}-down`, down, [[0, "s-deep"], [1, "s-none"]]),
    gradient("linearGradient", `${id}-side`, right, [[0, "s-soft"], [1, "s-none"]]),
  ];
}

/** The faces and rims of the pieces of both colours. @param {string} id of the drawing */
export function pieceGradients(id) {
  const round = { cx: 0.36, cy: 0.3, r: 0.8 };
  return SIDES.flatMap((colour) => [
    gradient("radialGradient", `${id}-${colour}`, round, [[0, `m-${colour}-hi`], [0.55, `m-${colour}`], [1, `m-${colour}-lo`]]),
    gradient("linearGradient", `${id}-${colour}-rim`, { x1: 0, y1: 0, x2: 0.5, y2: 1 }, [[0, `m-${colour}-hi`], [1, `m-${colour}-rim`]]),
  ]);
}

/** A round piece seen from above. @param {Side} colour @param {string} id of the drawing @param {number} r @param {[number, number]} grooves how far inside the rim */
export function pieceDisc(colour, id, r, [outer, inner]) {
  return [
    draw("circle", { class: "body", r, fill: `url(#${id}-${colour}-rim)` }),
    draw("circle", { class: "face", r: r - 2.6, fill: `url(#${id}-${colour})` }),
    draw("circle", { class: "groove", r: r - outer }),
    draw("circle", { class: "groove fine", r: r - inner }),
  ];
}
