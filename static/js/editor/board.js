/**
 * The board of the editor: any checker goes to any place that is free for it. A drag takes one; a press picks one up and the
 * next press puts it down (dragging is never needed), and from a tray one checker after another is put until the tray is
 * pressed again. On the keyboard the same with Enter; `w` and `b` put a checker from a tray, Backspace takes one away.
 */
import { BoardFrame } from "../board/frame.js";
import { fill, gettext } from "../i18n.js";
import { gridLabel } from "../points/board.js";
import { layoutOf, plan } from "../points/geometry.js";
import { cellsOf, placeName } from "../points/labels.js";
import { PointsDrawing } from "../points/render.js";
import { drawSurface } from "../points/surface.js";
import { canPut, countAt, put, sideAt, tray } from "./setup.js";

/** @typedef {import("./setup.js").Setup} Setup */

/** @type {Place[]} */
const PLACES = [...Array.from({ length: 24 }, (_, index) => index + 1), "bar-me", "bar-them", "off-me", "off-them"];
const BRUSH = /** @type {Record<string, Side>} */ ({ w: "white", b: "black" });

/** @extends {BoardFrame<Place, PointsDrawing>} */
export class EditorBoard extends BoardFrame {
  /** @type {Place | null} */
  #picked = null;
  /** a checker is being dragged: it is put once, also from a tray */
  #dragged = false;

  /**
   * @param {HTMLElement} element
   * @param {Setup} setup
   * @param {{direction: "ccw" | "cw", changed: (checkers: Checkers) => void}} options `changed` is called for every checker that was put
   */
  constructor(element, setup, { direction, changed }) {
    super(element, gridLabel());
    this.setup = setup;
    this.direction = direction;
    this.changed = changed;
    this.a11y.grid.addEventListener("keydown", (event) => this.#key(event));
    this.build();
    this.#draw();
  }

  /** Shows another setup. @param {Setup} setup */
  set(setup) {
    this.setup = setup;
    if (this.#picked !== null && sideAt(setup.checkers, this.#picked) === null) this.#picked = null;
    this.#draw();
  }

  flip() {
    this.direction = this.direction === "cw" ? "ccw" : "cw";
    this.build();
    this.#draw();
  }

  /** @override */
  lay() {
    const p = plan(this.direction, false);
    return { layout: layoutOf(p), surface: drawSurface(p), drawing: new PointsDrawing(p) };
  }

  /** @override */
  pointer() {
    return {
      picked: () => this.#picked,
      canPick: (/** @type {Place} */ place) => sideAt(this.setup.checkers, place) !== null,
      pick: (/** @type {Place | null} */ place) => this.#pick(place),
      tap: (/** @type {Place} */ place) => this.#pick(place),
      drop: (/** @type {Place} */ place) => this.#drop(place),
      isTarget: (/** @type {Place} */ place) => this.#targets().includes(place),
    };
  }

  /** @override */
  liftable() {
    const side = this.#side;
    this.#dragged = true;
    return side && this.#picked !== null ? (this.drawing?.top(this.#picked, side) ?? null) : null;
  }

  /** @override */
  cancel() {
    this.#pick(null);
  }

  /** Whose checker is picked up. */
  get #side() {
    return this.#picked === null ? null : sideAt(this.setup.checkers, this.#picked);
  }

  #targets() {
    const side = this.#side;
    return side ? PLACES.filter((place) => place !== this.#picked && canPut(this.setup.checkers, side, place)) : [];
  }

  /** @param {Place | null} place */
  #pick(place) {
    this.#dragged = false;
    this.#picked = place !== null && sideAt(this.setup.checkers, place) ? place : null;
    this.#draw();
  }

  /** @param {Place} place */
  #drop(place) {
    const [side, from, dragged] = [this.#side, this.#picked, this.#dragged];
    if (!side || from === null || !this.#targets().includes(place)) return this.#pick(null);
    this.#put(side, from, place);
    return this.#pick(!dragged && from === tray(side) ? from : null);
  }

  /** @param {Side} side @param {Place} from @param {Place} to */
  #put(side, from, to) {
    this.setup = { ...this.setup, checkers: put(this.setup.checkers, side, from, to) };
    this.#draw();
    this.changed(this.setup.checkers);
  }

  /** @override @param {Place} place */
  press(place) {
    if (this.#picked === null) {
      this.#pick(place);
      if (this.#side) this.announce(fill(gettext("Picked up from: %(place)s."), { place: placeName(place, "white") }));
    } else if (this.#picked === place) {
      this.#pick(null);
    } else {
      this.#drop(place);
      this.announce(this.a11y.buttons.get(place)?.textContent ?? "");
    }
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const place = [...this.a11y.buttons].find(([, button]) => button === event.target)?.[0];
    if (place === undefined) return;
    const { checkers } = this.setup;
    const brush = BRUSH[event.key.toLowerCase()];
    const side = sideAt(checkers, place);
    if (brush && countAt(checkers, brush, tray(brush)) && canPut(checkers, brush, place)) this.#put(brush, tray(brush), place);
    else if (event.key === "Backspace" && side && place !== tray(side)) this.#put(side, place, tray(side));
    else return;
    event.preventDefault();
    this.announce(this.a11y.buttons.get(place)?.textContent ?? "");
  }

  #draw() {
    const { checkers, turn, dice, phase, cube } = this.setup;
    const atBottom = turn === "white";
    const owned = cube.owner === null ? "middle" : cube.owner === "white" ? "me" : "them";
    /** @type {PointsScene} */
    const scene = {
      bottom: "white",
      board: checkers,
      dice: phase === "move" ? dice.map((value) => ({ value, used: false, dim: false, atBottom, mark: turn })) : [],
      rollKey: "",
      cube:
        cube.cap === 1
          ? null
          : phase === "doubled"
            ? { value: cube.value * 2, at: atBottom ? "offer-them" : "offer-me", dead: false, live: false }
            : { value: cube.value, at: owned, dead: this.setup.crawford, live: false },
      movable: [],
      picked: this.#picked,
      targets: this.#targets(),
      marks: { from: [], to: [] },
      swappable: false,
      finishing: false,
      mover: this.#side ?? turn,
    };
    this.drawing?.draw(scene);
    this.a11y.update(cellsOf(scene));
  }
}
