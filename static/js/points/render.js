/**
 * Draws a PointsScene: what differs from the last drawing is changed, nothing else. Checkers keep their element while they
 * move, so that CSS can slide them. Knows nothing of play.
 */
import { dieGradients, drawDie } from "../board/dice.js";
import { Drawing } from "../board/drawing.js";
import { SIDES } from "../board/sides.js";
import { draw, gradient, write } from "../board/svg.js";
import { pieceDisc, pieceGradients } from "../board/textures.js";
import { BOTTOM, CHECKER, HEIGHT, MIDDLE, TOP, boxOf, cubeAt, dieAt, pointShape, room, slot } from "./geometry.js";
import { checkersByPlace } from "./state.js";

/** @typedef {import("./geometry.js").Plan} Plan */
/** @typedef {{element: SVGElement, side: Side, place: Place, index: number}} Checker */

export class PointsDrawing extends Drawing {
  /** @type {Checker[]} */
  #checkers = [];
  #diceKey = "";
  #rollKey = "";
  #cubeKey = "";

  /** @param {Plan} p */
  constructor(p) {
    super({ width: p.width, height: HEIGHT }, "bd", ["marks", "targets", "pieces", "counts", "dice", "cube", "lifted"]);
    this.plan = p;
    this.svg.prepend(definitions(this.id));
  }

  /** @param {PointsScene} scene */
  draw(scene) {
    this.#placeCheckers(scene);
    this.#counts(scene);
    this.#glow(scene);
    this.#dice(scene);
    this.#cube(scene);
  }

  /** The checker on top of a place. @param {Place} place @param {Side} side @returns {Checker | null} */
  top(place, side) {
    const stack = this.#checkers.filter((checker) => checker.place === place && checker.side === side);
    return stack.sort((a, b) => b.index - a.index)[0] ?? null;
  }

  /** @override @param {Checker} checker @param {number} x @param {number} y */
  lift(checker, x, y) {
    checker.element.classList.remove("slab");
    super.lift(checker, x, y);
  }

  /** @override @param {Checker} checker */
  drop(checker) {
    super.drop(checker);
    this.#put(checker);
  }

  /** @param {PointsScene} scene */
  #placeCheckers(scene) {
    for (const side of SIDES) {
      const wanted = checkersByPlace(scene, side);
      const own = this.#checkers.filter((checker) => checker.side === side);
      /** @type {Checker[]} */
      const loose = [];
      const kept = new Map();
      for (const checker of own.sort((a, b) => a.index - b.index)) {
        const have = kept.get(checker.place) ?? 0;
        if (have < (wanted.get(checker.place) ?? 0)) {
          kept.set(checker.place, have + 1);
          checker.index = have;
        } else {
          loose.push(checker);
        }
      }
      for (const [place, count] of wanted) {
        for (let index = kept.get(place) ?? 0; index < count; index += 1) {
          const moved = loose.shift();
          const checker = moved ?? this.#newChecker(side, place);
          checker.place = place;
          checker.index = index;
          if (moved) this.raise(checker);
          else {
            this.layers.pieces.append(checker.element);
            this.#put(checker);
          }
        }
      }
      for (const checker of loose) {
        checker.element.remove();
        this.#checkers.splice(this.#checkers.indexOf(checker), 1);
      }
    }
    for (const checker of this.#checkers) this.#put(checker);
  }

  /** @param {Side} side @param {Place} place @returns {Checker} */
  #newChecker(side, place) {
    const checker = { element: drawChecker(side, this.id), side, place, index: 0 };
    this.#checkers.push(checker);
    return checker;
  }

  /** @param {Checker} checker */
  #put(checker) {
    if (checker.element.classList.contains("lifted")) return;
    const at = slot(this.plan, checker.place, checker.index);
    this.slide(checker, at);
    checker.element.classList.toggle("slab", at.slab);
    checker.element.classList.toggle("under", checker.index >= room(checker.place));
  }

  /** @param {PointsScene} scene */
  #counts(scene) {
    /** @type {[Place, Side, number][]} */
    const tall = [];
    for (const side of SIDES) {
      for (const [place, count] of checkersByPlace(scene, side)) {
        const tray = typeof place === "string" && !place.startsWith("bar");
        if (count > room(place) || (tray && count > 0)) tall.push([place, side, count]);
      }
    }
    this.fillLayer("counts", tall, ([place, side, count]) => {
      const tray = typeof place === "string" && !place.startsWith("bar");
      const at = tray ? trayCount(this.plan, place) : slot(this.plan, place, count - 1);
      const label = draw("text", { x: at.x, y: at.y, dy: "0.36em", class: tray ? "bd-count tray" : `bd-count ${side}` });
      label.textContent = String(count);
      return label;
    });
  }

  /** @param {PointsScene} scene */
  #glow(scene) {
    const { picked, targets, movable, marks } = scene;
    this.fillLayer("targets", targets.map((place) => /** @type {[Place]} */ ([place])), ([place]) => target(this.plan, place));
    this.fillLayer("marks", [...marks.from.map((place) => /** @type {[Place, string]} */ ([place, "from"])),
      ...marks.to.map((place) => /** @type {[Place, string]} */ ([place, "to"]))], ([place, kind]) => mark(this.plan, place, kind));
    for (const checker of this.#checkers) {
      const top = !this.#checkers.some((other) => other.place === checker.place && other.side === checker.side && other.index > checker.index);
      const live = top && movable.includes(checker.place) && checker.side === scene.mover;
      checker.element.classList.toggle("movable", live);
      checker.element.classList.toggle("picked", top && checker.place === picked && checker.side === scene.mover);
    }
    this.svg.classList.toggle("choosing", picked !== null);
  }

  /** @param {PointsScene} scene */
  #dice(scene) {
    const faces = JSON.stringify(scene.dice.map(({ value, atBottom, mark: side }) => [value, atBottom, side]));
    if (faces !== this.#diceKey) {
      this.#diceKey = faces;
      const fallen = scene.rollKey !== "" && scene.rollKey !== this.#rollKey;
      const split = new Set(scene.dice.map((die) => die.atBottom)).size > 1;
      this.layers.dice.replaceChildren(
        ...scene.dice.map((die, i) => {
          const { x, y } = split ? dieAt(this.plan, die.atBottom, 0, 1) : dieAt(this.plan, die.atBottom, i, scene.dice.length);
          const seat = draw("g", { transform: `translate(${x} ${y})` });
          seat.append(drawDie(die, this.id));
          seat.classList.toggle("fallen", fallen);
          return seat;
        }),
      );
    }
    this.#rollKey = scene.rollKey;
    scene.dice.forEach((die, i) => {
      const list = this.layers.dice.children[i].classList;
      list.toggle("used", die.used);
      list.toggle("dim", die.dim);
      list.toggle("swappable", scene.swappable);
      list.toggle("finishing", scene.finishing);
    });
  }

  /** @param {PointsScene} scene */
  #cube({ cube }) {
    const key = JSON.stringify(cube);
    if (key === this.#cubeKey) return;
    this.#cubeKey = key;
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
}

/** @param {Plan} p @param {Place} place */
function trayCount(p, place) {
  const box = boxOf(p, place);
  const below = String(place).endsWith("-me");
  return { x: box.x + box.w / 2, y: below ? HEIGHT - TOP / 2 : TOP / 2 };
}

/** @param {string} id */
function definitions(id) {
  const slope = { x1: 0, y1: 0, x2: 0, y2: 1 };
  return draw("defs", {}, [
    ...pieceGradients(id),
    ...SIDES.map((side) =>
      gradient("linearGradient", `${id}-${side}-slab`, slope, [[0, `m-${side}-hi`], [0.35, `m-${side}`], [1, `m-${side}-rim`]]),
    ),
    ...dieGradients(id),
    gradient("linearGradient", `${id}-cube`, { x1: 0, y1: 0, x2: 0.6, y2: 1 }, [[0, "c-hi"], [1, "c-lo"]]),
  ]);
}

/** @param {Side} side @param {string} id */
function drawChecker(side, id) {
  const r = CHECKER / 2 - 0.6;
  const slab = { x: -24, y: -6.6, width: 48, height: 13.2, rx: 4 };
  return draw("g", { class: `piece ${side}` }, [
    draw("g", { class: "disc" }, [
      draw("ellipse", { class: "shadow", cx: 1.2, cy: 3, rx: r + 0.4, ry: r }),
      ...pieceDisc(side, id, r, [7.2, 9.6]),
    ]),
    draw("g", { class: "edge" }, [
      draw("rect", { class: "body", ...slab, fill: `url(#${id}-${side}-slab)` }),
      draw("path", { class: "groove", d: "M-23 -1.4H23" }),
      draw("rect", { class: "halo", ...slab }),
    ]),
    draw("circle", { class: "halo round", r: r + 0.5 }),
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
