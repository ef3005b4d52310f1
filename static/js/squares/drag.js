/**
 * The pointer on the damas board: a click picks a man up and the next click puts him down; a drag does both at once.
 */
import { SIZE, SQUARE, centre, squareAt } from "./geometry.js";

const SLOP = 6;

/**
 * What the pointer needs of the board.
 * @typedef {object} Hand
 * @property {() => boolean} turned
 * @property {() => number | null} picked
 * @property {(square: number) => boolean} canPick
 * @property {(square: number | null) => void} pick
 * @property {(square: number, dragged: boolean) => void} drop put the picked man there, or refuse
 * @property {(x: number, y: number) => void} lift
 * @property {() => void} release the lifted man goes back to his square
 * @property {(square: number) => boolean} isTarget
 */

/**
 * @param {SVGElement} svg
 * @param {Hand} hand
 * @returns {() => void} stops listening
 */
export function listen(svg, hand) {
  /** @type {{id: number, square: number, x: number, y: number, dragging: boolean, was: number | null} | null} */
  let press = null;

  /** @param {PointerEvent} event */
  const spot = (event) => {
    const box = svg.getBoundingClientRect();
    const scale = SIZE / box.height;
    return { x: (event.clientX - box.left) * scale, y: (event.clientY - box.top) * scale };
  };

  /** @param {PointerEvent} event */
  const down = (event) => {
    if (press || event.button !== 0) return;
    const { x, y } = spot(event);
    const square = squareAt(x, y, hand.turned());
    const was = hand.picked();
    if (square === null) return hand.pick(null);
    if (was !== null && hand.isTarget(square)) return hand.drop(square, false);
    if (!hand.canPick(square)) {
      if (was !== null) hand.drop(square, false);
      return undefined;
    }
    event.preventDefault();
    svg.setPointerCapture(event.pointerId);
    press = { id: event.pointerId, square, x: event.clientX, y: event.clientY, dragging: false, was };
    hand.pick(square);
    return undefined;
  };

  /** @param {PointerEvent} event */
  const move = (event) => {
    if (!press || event.pointerId !== press.id) return;
    if (!press.dragging && Math.hypot(event.clientX - press.x, event.clientY - press.y) < SLOP) return;
    press.dragging = true;
    const { x, y } = spot(event);
    hand.lift(x, y);
  };

  /** @param {PointerEvent} event */
  const up = (event) => {
    if (!press || event.pointerId !== press.id) return;
    const { square, dragging, was } = press;
    press = null;
    if (!dragging) {
      if (was === square) hand.pick(null);
      return;
    }
    const { x, y } = spot(event);
    const to = meant(hand, x, y);
    hand.release();
    if (to === null || to === square) hand.pick(null);
    else hand.drop(to, true);
  };

  const cancel = () => {
    if (!press) return;
    press = null;
    hand.release();
    hand.pick(null);
  };

  svg.addEventListener("pointerdown", down);
  svg.addEventListener("pointermove", move);
  svg.addEventListener("pointerup", up);
  svg.addEventListener("pointercancel", cancel);
  return () => {
    svg.removeEventListener("pointerdown", down);
    svg.removeEventListener("pointermove", move);
    svg.removeEventListener("pointerup", up);
    svg.removeEventListener("pointercancel", cancel);
  };
}

/**
 * Where a man let go at (x, y) was meant to go: the square under him, or a legal one whose middle is near.
 * @param {Hand} hand
 * @param {number} x
 * @param {number} y
 */
function meant(hand, x, y) {
  const turned = hand.turned();
  const under = squareAt(x, y, turned);
  if (under !== null && hand.isTarget(under)) return under;
  const far = 0.3 * SQUARE;
  for (const [dx, dy] of [[-far, 0], [far, 0], [0, -far], [0, far]]) {
    const near = squareAt(x + dx, y + dy, turned);
    if (near === null || !hand.isTarget(near)) continue;
    const at = centre(near, turned);
    if (Math.hypot(at.x - x, at.y - y) < 0.8 * SQUARE) return near;
  }
  return under;
}
