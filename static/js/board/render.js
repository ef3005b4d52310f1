/**
 * Draws a Scene: what differs from the last drawing is changed, nothing else. Men keep their element while they move, so
 * that CSS can slide them. Knows nothing of play.
 */
import { BOTTOM, HEIGHT, MAN, MIDDLE, TOP, boxOf, cubeAt, dieAt, pointShape, room, slot } from "./geometry.js";
import { draw, gradient, write } from "./svg.js";

/** @typedef {import("./geometry.js").Plan} Plan */
/** @typedef {{element: SVGElement, side: Side, place: Place, index: number}} Man */

export const PIPS = [
  [], [[0, 0]], [[-1, -1], [1, 1]], [[-1, -1], [0, 0], [1, 1]], [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]], [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]],
];

let boards = 0;

export class Renderer {
  /** @param {Plan} p */
  constructor(p) {
    boards += 1;
    this.plan = p;
    this.id = `bm${boards}`;
    this.svg = draw("svg", { class: "bd-play", viewBox: `0 0 ${p.width} ${HEIGHT}`, "aria-hidden": "true" });
    this.layers = Object.fromEntries(
      ["marks", "targets", "men", "counts", "dice", "cube", "lifted"].map((name) => [name, draw("g", { class: `bd-${name}` })]),
    );
    this.svg.append(definitions(this.id), ...Object.values(this.layers));
    /** @type {Man[]} */
    this.men = [];
    this.diceKey = "";
    this.rollKey = "";
    this.cubeKey = "";
    this.layerKeys = new Map();
  }

  /** @param {Scene} scene */
  draw(scene) {
    this.#men(scene);
    this.#counts(scene);
    this.#glow(scene);
    this.#dice(scene);
    this.#cube(scene);
  }

  /** The man on top of a place. @param {Place} place @param {Side} side @returns {Man | null} */
  top(place, side) {
    const here = this.men.filter((man) => man.place === place && man.side === side);
    return here.sort((a, b) => b.index - a.index)[0] ?? null;
  }

  /**
   * The man follows the pointer until `drop`.
   * @param {Man} man @param {number} x @param {number} y
   */
  lift(man, x, y) {
    if (man.element.parentNode !== this.layers.lifted) {
      this.layers.lifted.append(man.element);
      man.element.classList.add("lifted");
      man.element.classList.remove("slab");
    }
    man.element.style.transform = `translate(${x}px, ${y}px)`;
  }

  /** @param {Man} man */
  drop(man) {
    man.element.classList.remove("lifted");
    this.layers.men.append(man.element);
    this.#put(man);
  }

  /** @param {Scene} scene */
  #men(scene) {
    let raised = false;
    for (const side of /** @type {Side[]} */ (["white", "black"])) {
      const wanted = placesOf(scene, side);
      const mine = this.men.filter((man) => man.side === side);
      /** @type {Man[]} */
      const loose = [];
      const kept = new Map();
      for (const man of mine.sort((a, b) => a.index - b.index)) {
        const have = kept.get(man.place) ?? 0;
        if (have < (wanted.get(man.place) ?? 0)) {
          kept.set(man.place, have + 1);
          man.index = have;
        } else {
          loose.push(man);
        }
      }
      for (const [place, count] of wanted) {
        for (let index = kept.get(place) ?? 0; index < count; index += 1) {
          const moved = loose.shift();
          const man = moved ?? this.#newMan(side, place);
          man.place = place;
          man.index = index;
          this.layers.men.append(man.element);
          if (moved) raised = true;
          else this.#put(man);
        }
      }
      for (const man of loose) {
        man.element.remove();
        this.men.splice(this.men.indexOf(man), 1);
      }
    }
    // An element that was just inserted slides nowhere: its old place has to be computed first.
    if (raised) void getComputedStyle(this.svg).transform;
    for (const man of this.men) this.#put(man);
  }

  /** @param {Side} side @param {Place} place @returns {Man} */
  #newMan(side, place) {
    const man = { element: drawMan(side, this.id), side, place, index: 0 };
    this.men.push(man);
    return man;
  }

  /** @param {Man} man */
  #put(man) {
    if (man.element.classList.contains("lifted")) return;
    const { x, y, slab } = slot(this.plan, man.place, man.index);
    const transform = `translate(${x}px, ${y}px)`;
    if (man.element.style.transform !== transform) man.element.style.transform = transform;
    man.element.classList.toggle("slab", slab);
    man.element.classList.toggle("under", man.index >= room(man.place));
  }

  /** @param {Scene} scene */
  #counts(scene) {
    /** @type {[Place, Side, number][]} */
    const tall = [];
    for (const side of /** @type {Side[]} */ (["white", "black"])) {
      for (const [place, count] of placesOf(scene, side)) {
        const tray = typeof place === "string" && !place.startsWith("bar");
        if (count > room(place) || (tray && count > 0)) tall.push([place, side, count]);
      }
    }
    this.#layer("counts", tall, ([place, side, count]) => {
      const tray = typeof place === "string" && !place.startsWith("bar");
      const at = tray ? trayCount(this.plan, place) : slot(this.plan, place, count - 1);
      const label = draw("text", { x: at.x, y: at.y, dy: "0.36em", class: tray ? "bd-count tray" : `bd-count ${side}` });
      label.textContent = String(count);
      return label;
    });
  }

  /** @param {Scene} scene */
  #glow(scene) {
    const { picked, targets, movable, marks } = scene;
    this.#layer("targets", targets.map((place) => /** @type {[Place]} */ ([place])), ([place]) => target(this.plan, place));
    this.#layer("marks", [...marks.from.map((place) => /** @type {[Place, string]} */ ([place, "from"])),
      ...marks.to.map((place) => /** @type {[Place, string]} */ ([place, "to"]))], ([place, kind]) => mark(this.plan, place, kind));
    for (const man of this.men) {
      const top = !this.men.some((other) => other.place === man.place && other.side === man.side && other.index > man.index);
      const live = top && movable.includes(man.place) && man.side === scene.mover;
      man.element.classList.toggle("movable", live);
      man.element.classList.toggle("picked", top && man.place === picked && man.side === scene.mover);
    }
    this.svg.classList.toggle("choosing", picked !== null);
  }

  /** @param {Scene} scene */
  #dice(scene) {
    const faces = JSON.stringify(scene.dice.map(({ value, mine, mark: side }) => [value, mine, side]));
    if (faces !== this.diceKey) {
      this.diceKey = faces;
      const fallen = scene.rollKey !== "" && scene.rollKey !== this.rollKey;
      const split = new Set(scene.dice.map((die) => die.mine)).size > 1;
      this.layers.dice.replaceChildren(
        ...scene.dice.map((die, i) => {
          const { x, y } = split ? dieAt(this.plan, die.mine, 0, 1) : dieAt(this.plan, die.mine, i, scene.dice.length);
          const seat = draw("g", { transform: `translate(${x} ${y})` });
          seat.append(drawDie(die, this.id));
          seat.classList.toggle("fallen", fallen);
          return seat;
        }),
      );
    }
    this.rollKey = scene.rollKey;
    scene.dice.forEach((die, i) => {
      const list = this.layers.dice.children[i].classList;
      list.toggle("used", die.used);
      list.toggle("dim", die.dim);
      list.toggle("swappable", scene.swappable);
    });
  }

  /** @param {Scene} scene */
  #cube({ cube }) {
    const key = JSON.stringify(cube);
    if (key === this.cubeKey) return;
    this.cubeKey = key;
    const layer = this.layers.cube;
    if (!cube) {
      layer.replaceChildren();
      return;
    }
    if (!layer.firstChild) layer.append(drawCube(this.id));
    const box = /** @type {SVGElement} */ (layer.firstChild);
    const { x, y } = cubeAt(this.plan, cube.at);
    const offer = cube.at.startsWith("offer");
    box.style.transform = `translate(${x}px, ${y}px) scale(${offer ? 1.35 : 1})`;
    box.classList.toggle("dead", cube.dead);
    box.classList.toggle("live", cube.live);
    box.classList.toggle("offered", offer);
    write(/** @type {SVGElement} */ (box.lastChild), String(cube.value === 1 ? 64 : cube.value));
    box.classList.toggle("wide", cube.value > 64);
  }

  /**
   * Rebuilds a small layer only when its content changed.
   * @template T
   * @param {string} name @param {T[]} items @param {(item: T) => SVGElement} make
   */
  #layer(name, items, make) {
    const key = JSON.stringify(items);
    if (this.layerKeys.get(name) === key) return;
    this.layerKeys.set(name, key);
    this.layers[name].replaceChildren(...items.map(make));
  }
}

/**
 * How many men of a side stand where.
 * @param {Scene} scene @param {Side} side
 * @returns {Map<Place, number>}
 */
export function placesOf(scene, side) {
  const me = side === scene.bottom;
  const men = scene.board[side];
  /** @type {[Place, number][]} */
  const all = men.points.map((count, i) => [me ? i + 1 : 24 - i, count]);
  const whose = me ? "me" : "them";
  all.push([/** @type {Place} */ (`bar-${whose}`), men.bar]);
  all.push([/** @type {Place} */ (`off-${whose}`), men.off]);
  all.push([/** @type {Place} */ (`stock-${whose}`), men.stock ?? 0]);
  return new Map(all.filter(([, count]) => count > 0));
}

/** @param {Plan} p @param {Place} place */
function trayCount(p, place) {
  const box = boxOf(p, place);
  const below = String(place).endsWith("-me");
  return { x: box.x + box.w / 2, y: below ? HEIGHT - TOP / 2 : TOP / 2 };
}

/** @param {string} id */
function definitions(id) {
  const round = { cx: 0.36, cy: 0.3, r: 0.8 };
  return draw("defs", {}, [
    ...["white", "black"].flatMap((side) => [
      gradient("radialGradient", `${id}-${side}`, round, [[0, `m-${side}-hi`], [0.55, `m-${side}`], [1, `m-${side}-lo`]]),
      gradient("linearGradient", `${id}-${side}-rim`, { x1: 0, y1: 0, x2: 0.5, y2: 1 }, [[0, `m-${side}-hi`], [1, `m-${side}-rim`]]),
      gradient("linearGradient", `${id}-${side}-slab`, { x1: 0, y1: 0, x2: 0, y2: 1 }, [
        [0, `m-${side}-hi`], [0.35, `m-${side}`], [1, `m-${side}-rim`],
      ]),
    ]),
    gradient("linearGradient", `${id}-die`, { x1: 0, y1: 0, x2: 0.6, y2: 1 }, [[0, "d-hi"], [1, "d-lo"]]),
    gradient("linearGradient", `${id}-die-dark`, { x1: 0, y1: 0, x2: 0.6, y2: 1 }, [[0, "d-dark-hi"], [1, "d-dark-lo"]]),
    gradient("linearGradient", `${id}-cube`, { x1: 0, y1: 0, x2: 0.6, y2: 1 }, [[0, "c-hi"], [1, "c-lo"]]),
  ]);
}

/** @param {Side} side @param {string} id */
function drawMan(side, id) {
  const r = MAN / 2 - 0.6;
  const slab = { x: -24, y: -6.6, width: 48, height: 13.2, rx: 4 };
  return draw("g", { class: `man ${side}` }, [
    draw("g", { class: "disc" }, [
      draw("ellipse", { class: "shadow", cx: 1.2, cy: 3, rx: r + 0.4, ry: r }),
      draw("circle", { class: "body", r, fill: `url(#${id}-${side}-rim)` }),
      draw("circle", { class: "face", r: r - 2.6, fill: `url(#${id}-${side})` }),
      draw("circle", { class: "groove", r: r - 7.2 }),
      draw("circle", { class: "groove fine", r: r - 9.6 }),
    ]),
    draw("g", { class: "edge" }, [
      draw("rect", { class: "body", ...slab, fill: `url(#${id}-${side}-slab)` }),
      draw("path", { class: "groove", d: "M-23 -1.4H23" }),
      draw("rect", { class: "halo", ...slab }),
    ]),
    draw("circle", { class: "halo round", r: r + 0.5 }),
  ]);
}

/** @param {DieDrawn} die @param {string} id */
function drawDie(die, id) {
  const dark = die.mark === "black";
  const size = 43;
  return draw("g", { class: `die ${die.mark ?? ""}` }, [
    draw("rect", { class: "shadow", x: -size / 2 + 1, y: -size / 2 + 3.4, width: size, height: size, rx: 9 }),
    draw("rect", { class: "face", x: -size / 2, y: -size / 2, width: size, height: size, rx: 9, fill: `url(#${id}-die${dark ? "-dark" : ""})` }),
    ...PIPS[die.value].map(([x, y]) => draw("circle", { class: "pip", cx: x * 11.4, cy: y * 11.4, r: 4.3 })),
  ]);
}

/** @param {string} id */
function drawCube(id) {
  const size = 42;
  const box = { x: -size / 2, y: -size / 2, width: size, height: size, rx: 7.5 };
  return draw("g", { class: "cube" }, [
    draw("rect", { ...box, class: "shadow", x: box.x + 1, y: box.y + 3.2 }),
    draw("rect", { ...box, class: "face", fill: `url(#${id}-cube)` }),
    draw("rect", { class: "inset", x: box.x + 4, y: box.y + 4, width: size - 8, height: size - 8, rx: 5 }),
    draw("text", { class: "value", dy: "0.35em" }),
  ]);
}

/** A legal place glows: a point in its own shape, the rest as a box. @param {Plan} p @param {Place} place */
function target(p, place) {
  const box = boxOf(p, place);
  if (typeof place !== "number") {
    return draw("rect", { class: "target", x: box.x + 2, y: box.y + 2, width: box.w - 4, height: box.h - 4, rx: 5 });
  }
  const touch = draw("rect", { class: "target-touch", x: box.x, y: box.y, width: box.w, height: box.h });
  const at = slot(p, place, 0);
  return draw("g", {}, [touch, draw("path", { class: "target", d: pointShape(p, place) }), draw("circle", { class: "target-dot", cx: at.x, cy: at.y, r: 6 })]);
}

/** @param {Plan} p @param {Place} place @param {string} kind */
function mark(p, place, kind) {
  const box = boxOf(p, place);
  const below = typeof place === "number" ? place <= 12 : String(place).endsWith("me");
  const x = box.x + box.w / 2;
  if (String(place).startsWith("bar")) return draw("circle", { class: `mark ${kind}`, cx: x, cy: MIDDLE + (below ? 32 : -32), r: 3.4 });
  const y = below ? BOTTOM + 4.5 : TOP - 4.5;
  return draw("rect", { class: `mark ${kind}`, x: x - 13, y: y - 2, width: 26, height: 4, rx: 2 });
}
