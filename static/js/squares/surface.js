/** What lies under the pieces: frame and squares. Drawn once for a side; it never moves. */
import { FIELD, FRAME, SIZE, SQUARE, SQUARES, boxOf } from "./geometry.js";
import { draw, rect } from "../board/svg.js";
import { grain, surfaceTextures } from "../board/textures.js";

let boards = 0;

/**
 * @param {boolean} turned
 * @returns {SVGElement}
 */
export function drawSurface(turned) {
  boards += 1;
  const id = `sq${boards}`;
  const all = { x: 0, y: 0, w: SIZE, h: SIZE };
  const field = { x: FRAME, y: FRAME, w: FIELD, h: FIELD };
  const svg = draw("svg", { class: "bd-table", viewBox: `0 0 ${SIZE} ${SIZE}`, "aria-hidden": "true" });
  svg.append(
    definitions(id),
    rect(all, { class: "bd-frame", rx: 12, fill: `url(#${id}-wood)` }),
    rect(all, { class: "bd-grain", rx: 12, filter: `url(#${id}-grain)` }),
    draw("path", { class: "sq-mitre", d: mitres() }),
    rect({ x: 1.5, y: 1.5, w: SIZE - 3, h: SIZE - 3 }, { class: "bd-edge", rx: 10.5 }),
    rect({ x: FRAME - 5, y: FRAME - 5, w: FIELD + 10, h: FIELD + 10 }, { class: "sq-inlay", rx: 3 }),
    rect({ x: FRAME - 1.5, y: FRAME - 1.5, w: FIELD + 3, h: FIELD + 3 }, { class: "bd-lip", rx: 2 }),
    rect(field, { class: "sq-light" }),
    rect(field, { class: "sq-grain", filter: `url(#${id}-veneer)` }),
    draw("path", { class: "sq-dark", d: darkSquares(turned) }),
    draw("path", { class: "bd-nap", d: darkSquares(turned), filter: `url(#${id}-nap)` }),
    draw("path", { class: "sq-joint", d: joints() }),
    ...shade(field, id),
  );
  return svg;
}

/** @param {string} id */
function definitions(id) {
  const veneer = grain(`${id}-veneer`, { frequency: "0.09 0.007", seed: 5, alpha: "1.7 0 0 0 -0.66" });
  return draw("defs", {}, [...surfaceTextures(id), veneer]);
}

/** The joints of the frame at its four corners. */
function mitres() {
  const far = SIZE - FRAME + 5;
  const near = FRAME - 5;
  return `M3 3L${near} ${near}M${SIZE - 3} 3L${far} ${near}M3 ${SIZE - 3}L${near} ${far}M${SIZE - 3} ${SIZE - 3}L${far} ${far}`;
}

/** @param {boolean} turned */
function darkSquares(turned) {
  return SQUARES.map((square) => {
    const { x, y } = boxOf(square, turned);
    return `M${x} ${y}h${SQUARE}v${SQUARE}h${-SQUARE}z`;
  }).join("");
}

/** The fine lines where the squares meet. */
function joints() {
  const lines = Array.from({ length: 9 }, (_, i) => FRAME + (i + 1) * SQUARE);
  return lines.map((at) => `M${at} ${FRAME}v${FIELD}M${FRAME} ${at}h${FIELD}`).join("");
}

/** The shadow that the frame throws on the field. @param {import("../board/layout.js").Box} box @param {string} id */
function shade(box, id) {
  return [rect({ ...box, h: 12 }, { fill: `url(#${id}-down)` }), rect({ ...box, w: 9 }, { fill: `url(#${id}-side)` })];
}
