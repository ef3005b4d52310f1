/** A small, flat board: draws a picture with few elements, and touches only what differs from the last one. */
import { BOTTOM, CHECKER, HEIGHT, MIDDLE, TOP, barBox, fields, plan, pointShape, trayBox } from "../points/geometry.js";
import { PIPS } from "../board/dice.js";
import { draw, rect } from "../board/svg.js";
import { FIELD, FRAME, PIECE_RADIUS, SIZE, SQUARE, SQUARES, boxOf as squareBox } from "../squares/geometry.js";
import { picture, pieceChanges } from "./picture.js";

/** @typedef {{kind: string, at: string, element: SVGElement}} Piece */
/** @typedef {import("./picture.js").Picture} Picture */

const DIE = 43;

export class MiniBoard {
  #table = "";
  /** @type {Piece[]} */
  #pieces = [];
  #keys = new Map();

  constructor() {
    this.svg = draw("svg", { class: "live-board-svg", "aria-hidden": "true", focusable: "false" });
    this.layers = Object.fromEntries(["ground", "marks", "bars", "pieces", "counts", "dice", "cube"].map((name) => [name, draw("g", { class: `live-board-${name}` })]));
    this.svg.append(...Object.values(this.layers));
  }

  /** @param {GameView} position @param {State["last"]} last */
  show(position, last) {
    this.draw(picture(position, last));
  }

  /** @param {Picture} scene */
  draw(scene) {
    if (scene.table !== this.#table) this.#lay(scene);
    this.#place(scene);
    this.#layer("marks", scene.marks, (box) => rect(box, { class: "live-board-mark", rx: 3 }));
    this.#layer("bars", scene.bars, ({ kind, ...box }) => rect(box, { class: `live-board-bar ${kind}`, rx: 4 }));
    this.#layer("counts", scene.counts, ({ x, y, text, kind }) => label(x, y, text, `live-board-count ${kind}`));
    this.#layer("dice", scene.dice, die);
    this.#layer("cube", scene.cube ? [scene.cube] : [], cube);
  }

  /** The ground, once for a game. @param {Picture} scene */
  #lay(scene) {
    this.#table = scene.table;
    this.svg.setAttribute("viewBox", `0 0 ${scene.width} ${scene.height}`);
    this.svg.classList.toggle("is-squares", scene.family === "squares");
    this.layers.ground.replaceChildren(...(scene.family === "squares" ? squares(scene.table.includes("turned")) : points(scene.table === "stock")));
    for (const piece of this.#pieces) piece.element.remove();
    this.#pieces = [];
  }

  /** @param {Picture} scene */
  #place(scene) {
    const { moved, added, removed } = pieceChanges(this.#pieces, scene.pieces);
    for (const piece of removed) piece.element.remove();
    const pieces = moved.map(([piece, spot]) => {
      if (piece.at !== spot.at) put(piece.element, spot);
      return { ...piece, at: spot.at };
    });
    for (const spot of added) {
      const element = draw("circle", { class: `live-board-piece ${spot.kind}`, r: scene.family === "squares" ? PIECE_RADIUS : CHECKER / 2 - 1 });
      put(element, spot);
      this.layers.pieces.append(element);
      pieces.push({ kind: spot.kind, at: spot.at, element });
    }
    this.#pieces = pieces;
  }

  /**
   * @template T
   * @param {string} name @param {T[]} items @param {(item: T) => SVGElement} make
   */
  #layer(name, items, make) {
    const key = JSON.stringify(items);
    if (this.#keys.get(name) === key) return;
    this.#keys.set(name, key);
    this.layers[name].replaceChildren(...items.map(make));
  }
}

/** @param {SVGElement} element @param {{x: number, y: number}} spot */
function put(element, { x, y }) {
  element.style.transform = `translate(${x}px, ${y}px)`;
}

/** @param {boolean} stock */
function points(stock) {
  const p = plan("ccw", stock);
  const numbers = Array.from({ length: 24 }, (_, i) => i + 1);
  /** @param {number} odd */
  const tone = (odd) => numbers.filter((n) => n % 2 === odd).map((n) => pointShape(p, n)).join("");
  const trays = (stock ? /** @type {const} */ (["off", "stock"]) : /** @type {const} */ (["off"])).flatMap((kind) => [trayBox(p, kind, true), trayBox(p, kind, false)]);
  const bar = barBox(p);
  return [
    draw("rect", { class: "live-board-frame", width: p.width, height: HEIGHT, rx: 12 }),
    ...fields(p).map((box) => rect(box, { class: "live-board-field", rx: 2.5 })),
    draw("path", { class: "live-board-a", d: tone(1) }),
    draw("path", { class: "live-board-b", d: tone(0) }),
    ...trays.map((box) => rect(box, { class: "live-board-tray", rx: 2.5 })),
    draw("path", { class: "live-board-seam", d: `M${bar.x + bar.w / 2} ${TOP}V${MIDDLE - 30}M${bar.x + bar.w / 2} ${MIDDLE + 30}V${BOTTOM}` }),
  ];
}

/** @param {boolean} turned */
function squares(turned) {
  const dark = SQUARES.map((square) => {
    const { x, y } = squareBox(square, turned);
    return `M${x} ${y}h${SQUARE}v${SQUARE}h${-SQUARE}z`;
  }).join("");
  return [
    draw("rect", { class: "live-board-frame", width: SIZE, height: SIZE, rx: 12 }),
    draw("rect", { class: "live-board-light", x: FRAME, y: FRAME, width: FIELD, height: FIELD }),
    draw("path", { class: "live-board-dark", d: dark }),
  ];
}

/** @param {number} x @param {number} y @param {string} text @param {string} name */
function label(x, y, text, name) {
  const element = draw("text", { x, y, dy: "0.36em", class: name });
  element.textContent = text;
  return element;
}

/** @param {import("./picture.js").Die} die */
function die({ x, y, value, kind }) {
  return draw("g", { class: `live-board-die ${kind}`, transform: `translate(${x} ${y})` }, [
    draw("rect", { x: -DIE / 2, y: -DIE / 2, width: DIE, height: DIE, rx: 9 }),
    ...PIPS[value].map(([dx, dy]) => draw("circle", { cx: dx * 11.4, cy: dy * 11.4, r: 4.6 })),
  ]);
}

/** @param {NonNullable<Picture["cube"]>} cube */
function cube({ x, y, value, offered }) {
  const size = offered ? 56 : 44;
  return draw("g", { class: `live-board-cube${offered ? " offered" : ""}`, transform: `translate(${x} ${y})` }, [
    draw("rect", { x: -size / 2, y: -size / 2, width: size, height: size, rx: 7.5 }),
    label(0, 0, String(value === 1 ? 64 : value), "live-board-value"),
  ]);
}
