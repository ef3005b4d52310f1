/** Arrows over a board: one for each half-move, from the checker that moves to where it lands. */
import { CHECKER, slot } from "../points/geometry.js";
import { moved, placeOf } from "../points/state.js";
import { draw } from "../board/svg.js";

const HEAD = 17;
const BEND = 0.14;

/** @typedef {import("../points/geometry.js").Plan} Plan */
/** @typedef {ReturnType<typeof import("../points/state.js").recordedLegs>[number]} Step */
/** @typedef {{x: number, y: number}} Spot */

/** @typedef {"play" | "wrong" | "played" | "better"} Kind */

/**
 * @param {Plan} plan
 * @param {Checkers} checkers
 * @param {Step[]} legs of one side
 * @param {Kind} kind
 * @param {{side?: Side, bottom?: Side, bend?: number}} [whose] the side that moves, and the one at the bottom of the board
 */
export function arrows(plan, checkers, legs, kind, { side = "white", bottom = "white", bend = BEND } = {}) {
  /** @type {Element[]} */
  const drawn = [];
  let now = checkers;
  for (const leg of legs) {
    const next = moved(now, side, leg);
    drawn.push(arrow(at(plan, now, leg.from, side, bottom), at(plan, next, leg.to, side, bottom), kind, bend));
    now = next;
  }
  return drawn;
}

/** A cross where a forbidden play would end. @param {Plan} plan @param {Step[]} legs */
export function cross(plan, legs) {
  const { x, y } = slot(plan, placeOf(legs[legs.length - 1].to, "white", "white"), 2);
  const r = 15;
  return draw("g", { class: "cross", transform: `translate(${x} ${y})` }, [
    draw("circle", { r: r + 6 }),
    draw("path", { d: `M${-r / 2} ${-r / 2}L${r / 2} ${r / 2}M${r / 2} ${-r / 2}L${-r / 2} ${r / 2}` }),
  ]);
}

/**
 * The middle of a side's top checker on a place, in that side's numbers.
 * @param {Plan} plan @param {Checkers} checkers @param {number} n @param {Side} side @param {Side} bottom
 */
function at(plan, checkers, n, side, bottom) {
  const place = placeOf(n, side, bottom);
  const own = checkers[side];
  const count = typeof place === "number" ? own.points[n - 1] : { bar: own.bar, off: own.off, stock: own.stock }[place.split("-")[0]] ?? 0;
  return slot(plan, place, Math.max(count - 1, 0));
}

/**
 * @param {Spot} from
 * @param {Spot} to
 * @param {Kind} kind
 * @param {number} [bend] how far the arrow swings out, as a part of its length
 */
export function arrow(from, to, kind, bend = BEND) {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy) || 1;
  const middle = { x: (from.x + to.x) / 2 + dy * bend, y: (from.y + to.y) / 2 - dx * bend };
  const start = along(from, middle, CHECKER * 0.28);
  const tip = along(to, middle, Math.min(CHECKER * 0.1, length / 4));
  const back = along(tip, middle, HEAD);
  const [ux, uy] = [(tip.x - back.x) / HEAD, (tip.y - back.y) / HEAD];
  const wing = HEAD * 0.6;
  const head = `M${tip.x} ${tip.y}L${back.x - uy * wing} ${back.y + ux * wing}L${back.x + uy * wing} ${back.y - ux * wing}Z`;
  const line = `M${start.x} ${start.y}Q${middle.x} ${middle.y} ${back.x} ${back.y}`;
  return draw("g", { class: `arrow ${kind}` }, [
    draw("path", { class: "arrow-edge", d: line }),
    draw("path", { class: "arrow-line", d: line }),
    draw("path", { class: "arrow-head", d: head }),
  ]);
}

/** A spot so far from `a` towards `b`. @param {Spot} a @param {Spot} b @param {number} distance @returns {Spot} */
function along(a, b, distance) {
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  return { x: a.x + ((b.x - a.x) * distance) / length, y: a.y + ((b.y - a.y) * distance) / length };
}

/**
 * Lays marks over a board's drawing, in its units. Returns the layer, or null when there is nothing to mark.
 * @param {Element | null} drawing
 * @param {Element[]} marks
 */
export function overlay(drawing, marks) {
  if (!marks.length || !drawing) return null;
  const layer = draw("svg", { class: "diagram-arrows", viewBox: drawing.getAttribute("viewBox") ?? "" }, marks);
  drawing.after(layer);
  return layer;
}
