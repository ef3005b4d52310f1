/**
 * The pointer on the board: a click on a man plays him with the left die if it can, else with the other; a drag takes him
 * to any legal place; a long press picks him up, and the next click puts him down (dragging is never needed).
 */
import { HEIGHT, placeAt } from "./geometry.js";

const SLOP = 6;
const HOLD = 380;

/**
 * What the pointer needs of the board.
 * @typedef {object} Hand
 * @property {() => import("./geometry.js").Plan} plan
 * @property {() => Place | null} picked
 * @property {(place: Place) => boolean} canPick
 * @property {(place: Place | null) => void} pick
 * @property {(place: Place) => void} tap
 * @property {(place: Place) => void} stuck a place from which nobody can move was pressed
 * @property {(place: Place) => void} drop put the picked man there, or refuse
 * @property {(x: number, y: number) => void} lift
 * @property {() => void} release the lifted man goes back to his place
 * @property {(place: Place) => boolean} isTarget
 * @property {() => void} cube
 * @property {() => void} dice
 */

/**
 * @param {SVGElement} svg
 * @param {Hand} hand
 * @returns {() => void} stops listening
 */
export function listen(svg, hand) {
  /** @type {{id: number, place: Place, x: number, y: number, since: number, dragging: boolean, was: Place | null, hold: number} | null} */
  let press = null;

  /** @param {PointerEvent} event */
  const spot = (event) => {
    const box = svg.getBoundingClientRect();
    const scale = HEIGHT / box.height;
    return { x: (event.clientX - box.left) * scale, y: (event.clientY - box.top) * scale };
  };

  /** @param {PointerEvent} event */
  const down = (event) => {
    if (press || event.button !== 0) return;
    const on = /** @type {Element} */ (event.target);
    if (on.closest(".cube.live")) return hand.cube();
    if (on.closest(".swappable")) return hand.dice();
    const { x, y } = spot(event);
    const place = placeAt(hand.plan(), x, y);
    const was = hand.picked();
    if (place === null) return hand.pick(null);
    if (was !== null && place !== was && hand.isTarget(place)) return hand.drop(place);
    if (!hand.canPick(place)) {
      if (was !== null) hand.drop(place);
      else hand.stuck(place);
      return undefined;
    }
    event.preventDefault();
    svg.setPointerCapture(event.pointerId);
    const hold = window.setTimeout(() => hand.pick(place), HOLD);
    press = { id: event.pointerId, place, x: event.clientX, y: event.clientY, since: event.timeStamp, dragging: false, was, hold };
    return undefined;
  };

  /** @param {PointerEvent} event */
  const move = (event) => {
    if (!press || event.pointerId !== press.id) return;
    if (!press.dragging && Math.hypot(event.clientX - press.x, event.clientY - press.y) < SLOP) return;
    if (!press.dragging) {
      clearTimeout(press.hold);
      press.dragging = true;
      hand.pick(press.place);
    }
    const { x, y } = spot(event);
    hand.lift(x, y);
  };

  /** @param {PointerEvent} event */
  const up = (event) => {
    if (!press || event.pointerId !== press.id) return;
    const { place, since, dragging, was, hold } = press;
    press = null;
    clearTimeout(hold);
    if (!dragging) {
      // The clock of the finger, not that of the page: a busy page hears of a short click late, and the timer was faster.
      if (was === place) hand.pick(null);
      else if (event.timeStamp - since < HOLD) hand.tap(place);
      else hand.pick(place);
      return;
    }
    const { x, y } = spot(event);
    const to = nearest(hand, x, y);
    hand.release();
    if (to === null || to === place) hand.pick(null);
    else hand.drop(to);
  };

  const cancel = () => {
    if (!press) return;
    clearTimeout(press.hold);
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
 * Where a man let go at (x, y) was meant to go: the place under him, or a legal place whose edge is near.
 * @param {Hand} hand
 * @param {number} x
 * @param {number} y
 */
function nearest(hand, x, y) {
  const p = hand.plan();
  const under = placeAt(p, x, y);
  if (under !== null && hand.isTarget(under)) return under;
  for (const [dx, dy] of [[-18, 0], [18, 0], [0, -30], [0, 30]]) {
    const near = placeAt(p, x + dx, y + dy);
    if (near !== null && hand.isTarget(near)) return near;
  }
  return under;
}
