/**
 * The pointer on a board: a drag takes a piece to a place; a press picks it up and the next press puts it down, so that
 * dragging is never needed. Where the board has a `tap`, a short click plays at once, and only a long press picks up.
 */

const SLOP = 6; // pixels that a click may move
const HOLD = 380; // milliseconds of a long press

/**
 * What the pointer needs of the board.
 * @template Place
 * @typedef {object} PointerHost
 * @property {() => import("./layout.js").Layout<Place>} layout
 * @property {() => Place | null} picked
 * @property {(place: Place) => boolean} canPick
 * @property {(place: Place | null) => void} pick
 * @property {(place: Place, dragged: boolean) => void} drop put the picked piece there, or refuse
 * @property {(x: number, y: number) => void} lift
 * @property {() => void} release the lifted piece goes back to its place
 * @property {(place: Place) => boolean} isTarget
 * @property {(place: Place) => void} [tap]
 * @property {(place: Place) => void} [blocked] a place was pressed from which nothing can move
 * @property {(element: Element) => boolean} [pressed] something else than a place was pressed, and that is done with
 */

/**
 * @template Place
 * @param {SVGElement} svg
 * @param {PointerHost<Place>} host
 * @returns {() => void} stops listening
 */
export function listenToPointer(svg, host) {
  /** @type {{id: number, place: Place, x: number, y: number, since: number, dragging: boolean, before: Place | null, hold: number} | null} */
  let press = null;

  /** @param {PointerEvent} event */
  const spot = (event) => {
    const box = svg.getBoundingClientRect();
    const scale = host.layout().height / box.height;
    return { x: (event.clientX - box.left) * scale, y: (event.clientY - box.top) * scale };
  };

  /** @param {PointerEvent} event */
  const down = (event) => {
    if (press || event.button !== 0) return;
    if (host.pressed?.(/** @type {Element} */ (event.target))) return;
    const { x, y } = spot(event);
    const place = host.layout().placeAt(x, y);
    const before = host.picked();
    if (place === null) return host.pick(null);
    if (before !== null && (!host.tap || place !== before) && host.isTarget(place)) return host.drop(place, false);
    if (!host.canPick(place)) {
      if (before !== null) host.drop(place, false);
      else host.blocked?.(place);
      return undefined;
    }
    event.preventDefault();
    svg.setPointerCapture(event.pointerId);
    const hold = host.tap ? window.setTimeout(() => host.pick(place), HOLD) : 0;
    press = { id: event.pointerId, place, x: event.clientX, y: event.clientY, since: event.timeStamp, dragging: false, before, hold };
    if (!host.tap) host.pick(place);
    return undefined;
  };

  /** @param {PointerEvent} event */
  const move = (event) => {
    if (!press || event.pointerId !== press.id) return;
    if (!press.dragging && Math.hypot(event.clientX - press.x, event.clientY - press.y) < SLOP) return;
    if (!press.dragging) {
      clearTimeout(press.hold);
      press.dragging = true;
      if (host.tap) host.pick(press.place);
    }
    const { x, y } = spot(event);
    host.lift(x, y);
  };

  /** @param {PointerEvent} event */
  const up = (event) => {
    if (!press || event.pointerId !== press.id) return;
    const { place, since, dragging, before, hold } = press;
    press = null;
    clearTimeout(hold);
    if (!dragging) {
      // The time of the event, not that of the page: a busy page handles a short click late, after the timer.
      if (before === place) host.pick(null);
      else if (host.tap && event.timeStamp - since < HOLD) host.tap(place);
      else host.pick(place);
      return;
    }
    const { x, y } = spot(event);
    const to = destination(host, x, y);
    host.release();
    if (to === null || to === place) host.pick(null);
    else host.drop(to, true);
  };

  const cancel = () => {
    if (!press) return;
    clearTimeout(press.hold);
    press = null;
    host.release();
    host.pick(null);
  };

  const listeners = /** @type {const} */ ([["pointerdown", down], ["pointermove", move], ["pointerup", up], ["pointercancel", cancel]]);
  for (const [name, listener] of listeners) svg.addEventListener(name, listener);
  return () => {
    for (const [name, listener] of listeners) svg.removeEventListener(name, listener);
  };
}

/**
 * Where a piece let go at (x, y) was meant to go: the place under it, or a legal place whose edge is near.
 * @template Place
 * @param {PointerHost<Place>} host
 * @param {number} x
 * @param {number} y
 */
function destination(host, x, y) {
  const { placeAt, near } = host.layout();
  const under = placeAt(x, y);
  if (under !== null && host.isTarget(under)) return under;
  return near(x, y).find((place) => host.isTarget(place)) ?? under;
}
