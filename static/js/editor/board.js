/**
 * The board of the editor: any man goes to any place that is free for him. A drag takes one; a press picks one up and the
 * next press puts him down (dragging is never needed), and from a tray one man after another is put until the tray is
 * pressed again. On the keyboard the same with Enter; `w` and `b` put a man from a tray, Backspace takes one away.
 */
import { AccessibleBoard, placeName } from "../board/a11y.js";
import { listen } from "../board/drag.js";
import { plan } from "../board/geometry.js";
import { Renderer } from "../board/render.js";
import { drawTable } from "../board/table.js";
import { fill, gettext } from "../words.js";
import { canPut, countAt, put, sideAt, tray } from "./setup.js";

/** @typedef {import("./setup.js").Setup} Setup */

/** @type {Place[]} */
const PLACES = [...Array.from({ length: 24 }, (_, index) => index + 1), "bar-me", "bar-them", "off-me", "off-them"];
const BRUSH = /** @type {Record<string, Side>} */ ({ w: "white", b: "black" });

export class EditorBoard {
  #renderer;
  #table;
  #unlisten = () => {};
  /** @type {Place | null} */
  #picked = null;
  /** a man is being dragged: he is put once, also from a tray */
  #dragged = false;

  /**
   * @param {HTMLElement} element
   * @param {Setup} setup
   * @param {{direction: "ccw" | "cw", changed: (men: Men2) => void}} options `changed` hears of every man that was put
   */
  constructor(element, setup, { direction, changed }) {
    this.element = element;
    this.setup = setup;
    this.direction = direction;
    this.changed = changed;
    element.classList.add("bd");
    this.plan = plan(direction, false);
    this.#table = drawTable(this.plan);
    this.#renderer = new Renderer(this.plan);
    element.replaceChildren(this.#table, this.#renderer.svg);
    this.a11y = new AccessibleBoard(element, { press: (place) => this.#press(place), cancel: () => this.#pick(null) });
    this.a11y.grid.addEventListener("keydown", (event) => this.#key(event));
    this.#build();
  }

  /** Shows another setup. @param {Setup} setup */
  set(setup) {
    this.setup = setup;
    if (this.#picked !== null && sideAt(setup.men, this.#picked) === null) this.#picked = null;
    this.#draw();
  }

  turn() {
    this.direction = this.direction === "cw" ? "ccw" : "cw";
    this.#build();
  }

  #build() {
    this.#unlisten();
    this.plan = plan(this.direction, false);
    const table = drawTable(this.plan);
    const renderer = new Renderer(this.plan);
    this.#table.replaceWith(table);
    this.#renderer.svg.replaceWith(renderer.svg);
    this.#table = table;
    this.#renderer = renderer;
    this.a11y.lay(this.plan);
    this.#unlisten = listen(renderer.svg, this.#hand());
    this.#draw();
  }

  /** @returns {import("../board/drag.js").Hand} */
  #hand() {
    let held = /** @type {import("../board/render.js").Man | null} */ (null);
    return {
      plan: () => this.plan,
      picked: () => this.#picked,
      canPick: (place) => sideAt(this.setup.men, place) !== null,
      pick: (place) => this.#pick(place),
      tap: (place) => this.#pick(place),
      stuck: () => {},
      drop: (place) => this.#drop(place),
      isTarget: (place) => this.#targets().includes(place),
      lift: (x, y) => {
        const side = this.#side;
        this.#dragged = true;
        if (!held && side && this.#picked !== null) held = this.#renderer.top(this.#picked, side);
        if (held) this.#renderer.lift(held, x, y);
      },
      release: () => {
        if (held) this.#renderer.drop(held);
        held = null;
      },
      cube: () => {},
      dice: () => {},
    };
  }

  /** Whose man is picked up. */
  get #side() {
    return this.#picked === null ? null : sideAt(this.setup.men, this.#picked);
  }

  #targets() {
    const side = this.#side;
    return side ? PLACES.filter((place) => place !== this.#picked && canPut(this.setup.men, side, place)) : [];
  }

  /** @param {Place | null} place */
  #pick(place) {
    this.#dragged = false;
    this.#picked = place !== null && sideAt(this.setup.men, place) ? place : null;
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
    this.setup = { ...this.setup, men: put(this.setup.men, side, from, to) };
    this.#draw();
    this.changed(this.setup.men);
  }

  /** @param {Place} place */
  #press(place) {
    if (this.#picked === null) {
      this.#pick(place);
      if (this.#side) this.a11y.say(fill(gettext("Picked up from: %(place)s."), { place: placeName(place, "white") }));
    } else if (this.#picked === place) {
      this.#pick(null);
    } else {
      this.#drop(place);
      this.a11y.say(this.a11y.buttons.get(place)?.textContent ?? "");
    }
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const place = [...this.a11y.buttons].find(([, button]) => button === event.target)?.[0];
    if (place === undefined) return;
    const { men } = this.setup;
    const brush = BRUSH[event.key.toLowerCase()];
    const here = sideAt(men, place);
    if (brush && countAt(men, brush, tray(brush)) && canPut(men, brush, place)) this.#put(brush, tray(brush), place);
    else if (event.key === "Backspace" && here && place !== tray(here)) this.#put(here, place, tray(here));
    else return;
    event.preventDefault();
    this.a11y.say(this.a11y.buttons.get(place)?.textContent ?? "");
  }

  #draw() {
    const { men, turn, dice, phase, cube } = this.setup;
    const mine = turn === "white";
    const owned = cube.owner === null ? "middle" : cube.owner === "white" ? "me" : "them";
    /** @type {Scene} */
    const scene = {
      bottom: "white",
      board: men,
      dice: phase === "move" ? dice.map((value) => ({ value, used: false, dim: false, mine, mark: turn })) : [],
      rollKey: "",
      cube:
        cube.cap === 1
          ? null
          : phase === "doubled"
            ? { value: cube.value * 2, at: mine ? "offer-them" : "offer-me", dead: false, live: false }
            : { value: cube.value, at: owned, dead: this.setup.crawford, live: false },
      movable: [],
      picked: this.#picked,
      targets: this.#targets(),
      marks: { from: [], to: [] },
      swappable: false,
      mover: this.#side ?? turn,
    };
    this.#renderer.draw(scene);
    this.a11y.update(scene);
  }
}
