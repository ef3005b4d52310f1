/** What lies under the checkers: frame, field, points, bar, trays, numbers. Drawn once for a direction; it never moves. */
import { BOTTOM, HEIGHT, MIDDLE, PEAK, POINT, TOP, barBox, fields, pointBox, pointShape, trayBox } from "./geometry.js";
import { draw, gradient, rect } from "../board/svg.js";
import { surfaceTextures } from "../board/textures.js";

/** @typedef {import("./geometry.js").Plan} Plan */
/** @typedef {import("./geometry.js").Box} Box */

let boards = 0;

/**
 * @param {Plan} p
 * @returns {SVGElement}
 */
export function drawSurface(p) {
  boards += 1;
  const id = `bd${boards}`;
  const all = { x: 0, y: 0, w: p.width, h: HEIGHT };
  const svg = draw("svg", { class: "bd-table", viewBox: `0 0 ${p.width} ${HEIGHT}`, "aria-hidden": "true" });
  svg.append(definitions(id));
  svg.append(rect(all, { class: "bd-frame", rx: 12, fill: `url(#${id}-wood)` }));
  svg.append(rect(all, { class: "bd-grain", rx: 12, filter: `url(#${id}-grain)` }));
  svg.append(rect({ x: 1.5, y: 1.5, w: p.width - 3, h: HEIGHT - 3 }, { class: "bd-edge", rx: 10.5 }));
  for (const field of fields(p)) svg.append(...well(field, id, "bd-field"));
  for (let n = 1; n <= 24; n += 1) svg.append(...point(p, n, id));
  for (const field of fields(p)) svg.append(...shade(field, id));
  svg.append(...bar(p, id));
  for (const kind of p.stock ? /** @type {const} */ (["off", "stock"]) : /** @type {const} */ (["off"])) {
    for (const me of [true, false]) {
      const box = trayBox(p, kind, me);
      svg.append(...well(box, id, "bd-tray"), ...shade(box, id));
    }
  }
  for (let n = 1; n <= 24; n += 1) svg.append(number(p, n));
  return svg;
}

/** @param {string} id */
function definitions(id) {
  return draw("defs", {}, [
    ...surfaceTextures(id),
    gradient("linearGradient", `${id}-bar`, { x1: 0, y1: 0, x2: 1, y2: 0 }, [
      [0, "w-dark"], [0.12, "w-mid"], [0.5, "w-light"], [0.88, "w-mid"], [1, "w-dark"],
    ]),
    ...["a", "b"].flatMap((tone) => [pointGradient(`${id}-p${tone}`, tone, TOP, 1), pointGradient(`${id}-q${tone}`, tone, BOTTOM, -1)]),
  ]);
}

/** The colour of a point, from its base to its tip. @param {string} id @param {string} tone @param {number} base @param {1 | -1} direction */
function pointGradient(id, tone, base, direction) {
  return gradient("linearGradient", id, { gradientUnits: "userSpaceOnUse", x1: 0, y1: base, x2: 0, y2: base + direction * PEAK }, [
    [0, `p-${tone}-base`], [1, `p-${tone}-tip`],
  ]);
}

/** A recessed surface. @param {Box} box @param {string} id @param {string} name */
function well(box, id, name) {
  return [
    rect({ x: box.x - 1.5, y: box.y - 1.5, w: box.w + 3, h: box.h + 3 }, { class: "bd-lip", rx: 4 }),
    rect(box, { class: name, rx: 2.5 }),
    rect(box, { class: "bd-nap", rx: 2.5, filter: `url(#${id}-nap)` }),
  ];
}

/** The shadow that the frame throws into a recess. @param {Box} box @param {string} id */
function shade(box, id) {
  const right = { x: box.x + box.w - 7, y: box.y, w: 7, h: box.h };
  return [
    rect({ ...box, h: 16 }, { fill: `url(#${id}-down)`, rx: 2.5 }),
    rect({ ...box, w: 11 }, { fill: `url(#${id}-side)` }),
    rect(right, { fill: `url(#${id}-side)`, transform: `rotate(180 ${right.x + 3.5} ${right.y + right.h / 2})` }),
  ];
}

/** @param {Plan} p @param {number} n @param {string} id */
function point(p, n, id) {
  const box = pointBox(p, n);
  const [base, up, side] = n <= 12 ? [BOTTOM, -1, "q"] : [TOP, 1, "p"];
  const middle = box.x + POINT / 2;
  const tone = n % 2 ? "a" : "b";
  return [
    draw("path", { d: pointShape(p, n), class: `bd-point ${tone}`, fill: `url(#${id}-${side}${tone})` }),
    draw("path", { d: `M${middle} ${base}L${middle} ${base + up * (PEAK - 26)}`, class: "bd-spine" }),
  ];
}

/** @param {Plan} p @param {string} id */
function bar(p, id) {
  const box = barBox(p);
  const inner = { x: box.x, y: TOP - 2, w: box.w, h: BOTTOM - TOP + 4 };
  const middle = box.x + box.w / 2;
  return [
    rect(inner, { class: "bd-bar", fill: `url(#${id}-bar)` }),
    rect(inner, { class: "bd-grain", filter: `url(#${id}-grain)` }),
    draw("path", { d: `M${middle} ${TOP}V${MIDDLE - 30}M${middle} ${MIDDLE + 30}V${BOTTOM}`, class: "bd-seam" }),
  ];
}

/** @param {Plan} p @param {number} n */
function number(p, n) {
  const box = pointBox(p, n);
  const label = draw("text", { x: box.x + box.w / 2, y: n <= 12 ? HEIGHT - TOP / 2 : TOP / 2, class: "bd-number", dy: "0.36em" });
  label.textContent = String(n);
  return label;
}
