/** The board of 24 points: plays are made half-move by half-move, out of the tree that the server sent. */
import { BoardWidget } from "../board/widget.js";
import { moverOf } from "../board/sides.js";
import { SLIDE } from "../board/timeline.js";
import { fill, gettext } from "../i18n.js";
import { animate } from "./animation.js";
import { halvesOf, layoutOf, plan } from "./geometry.js";
import { cellsOf, placeName } from "./labels.js";
import { localized, parse } from "./notation.js";
import * as play from "./play.js";
import { PointsDrawing } from "./render.js";
import * as state from "./state.js";
import { drawSurface } from "./surface.js";

/** @typedef {import("../board/widget.js").Situation<PositionView>} Situation */
/** @typedef {import("./state.js").View} View */
/** @typedef {import("./play.js").Play} Play */

/**
 * @typedef {object} PointsEvents
 * @property {Play} play the play under way changed: a half-move made or taken back
 * @property {{from: number, to: number}} illegal a checker was dropped where no play of the tree takes it
 * @property {null} cube the cube was pressed
 * @property {null} done the dice were pressed, and the play is complete
 * @property {import("../board/timeline.js").Sound} sound something that can be heard happened
 */

/** @type {import("../board/widget.js").Family<PositionView, Play, View, PointsScene, Place>} */
const FAMILY = { ...play, ...state, animate, cellsOf, parse };

/** The label of the grid of buttons, for screen readers. */
export function gridLabel() {
  return gettext("Board: use the arrow keys to move between points, Enter to pick up or put down a checker, Escape to cancel.");
}

/** @extends {BoardWidget<PositionView, Play, View, PointsScene, Place, PointsDrawing, PointsEvents>} */
class PointsBoard extends BoardWidget {
  /**
   * @param {HTMLElement} element
   * @param {{direction?: "ccw" | "cw", bottom?: Side, stock?: boolean}} [options]
   */
  constructor(element, { stock = false, ...options } = {}) {
    super(element, gridLabel(), FAMILY, options);
    this.stock = stock;
    this.plan = plan(this.direction, stock);
    this.build();
  }

  /** @override */
  lay() {
    this.element.classList.toggle("has-stock", this.stock);
    this.plan = plan(this.direction, this.stock);
    return { layout: layoutOf(this.plan), surface: drawSurface(this.plan), drawing: new PointsDrawing(this.plan) };
  }

  /** @override @param {Situation} situation @param {Action[]} [actions] */
  set(situation, actions) {
    const { white, black } = situation.position.board;
    if (!this.stock && (white.stock || black.stock)) {
      this.timeline.finish();
      this.stock = true; // a game whose checkers wait in stock needs a tray for them
      this.build();
      this.draw();
    }
    super.set(situation, actions);
  }

  /** Where buttons have room on the board. */
  get halves() {
    return halvesOf(this.plan);
  }

  /** The pip counts as the board shows them. */
  get pips() {
    return this.view && state.pipsNow(this.view);
  }

  /** @override @param {Play} play */
  make({ halves }) {
    this.#walk(halves);
  }

  #swapDice() {
    const { view } = this;
    if (!view?.play || this.locked || view.order.length !== 2) return;
    this.change({ order: [...view.order].reverse() }, false);
  }

  /** @override */
  pointer() {
    return {
      picked: () => (this.view?.picked == null ? null : this.#place(this.view.picked)),
      canPick: (/** @type {Place} */ place) => this.#canPick(place),
      pick: (/** @type {Place | null} */ place) => this.#pick(place),
      tap: (/** @type {Place} */ place) => this.#tap(place),
      blocked: (/** @type {Place} */ place) => this.#blocked(place),
      drop: (/** @type {Place} */ place) => this.#drop(place),
      isTarget: (/** @type {Place} */ place) => this.view !== null && state.sceneOf(this.view).targets.includes(place),
      pressed: (/** @type {Element} */ element) => this.#pressed(element),
    };
  }

  /** @override */
  liftable() {
    const mover = this.view && moverOf(this.view.position);
    if (!mover || this.view?.picked == null) return null;
    return this.drawing?.top(this.#place(this.view.picked), mover) ?? null;
  }

  /** The cube or the dice were pressed. @param {Element} element */
  #pressed(element) {
    if (element.closest(".cube.live")) this.events.emit("cube", null);
    else if (element.closest(".finishing")) this.events.emit("done", null);
    else if (element.closest(".swappable")) this.#swapDice();
    else return false;
    return true;
  }

  /** @param {number} n */
  #place(n) {
    return state.placeOf(n, (this.view && moverOf(this.view.position)) ?? this.bottom, this.bottom);
  }

  /** @param {Place} place */
  #number(place) {
    const mover = this.view && moverOf(this.view.position);
    return mover ? state.numberOf(place, mover, this.bottom) : null;
  }

  /** @param {Place} place */
  #canPick(place) {
    if (!this.view?.play || this.locked) return false;
    const from = this.#number(place);
    return from !== null && play.tap(this.view.play, from, this.view.order) !== null;
  }

  /** @param {Place | null} place */
  #pick(place) {
    if (!this.view?.play) return;
    const picked = place !== null && this.#canPick(place) ? this.#number(place) : null;
    if (picked !== this.view.picked) this.change({ picked }, false);
  }

  /** A click plays the left die, else the other one. @param {Place} place */
  #tap(place) {
    this.timeline.finish(); // a checker on its way arrives before the next one is chosen
    const { view } = this;
    const from = this.#number(place);
    if (!view?.play || from === null || this.locked) return;
    const half = play.tap(view.play, from, view.order);
    if (half) this.#walk([half]);
  }

  /** An own checker that cannot move was pressed: the left die is what it would have moved by. @param {Place} place */
  #blocked(place) {
    const { view } = this;
    const from = this.#number(place);
    if (!view?.play || from === null || this.locked || play.isComplete(view.play)) return;
    const mover = moverOf(view.position);
    const die = play.diceLeft(view.order, view.play.halves).find(({ used }) => !used);
    if (!mover || !die || from === play.OFF || !state.checkersByPlace(state.sceneOf(view), mover).get(place)) return;
    this.events.emit("illegal", { from, to: Math.max(play.OFF, Math.min(from, play.BAR) - die.value) });
  }

  /** @param {Place} place */
  #drop(place) {
    this.timeline.finish();
    const { view } = this;
    if (!view?.play || view.picked === null || this.locked) return;
    const from = view.picked;
    const to = this.#number(place);
    const path = to === null ? undefined : play.reach(view.play, from, view.order).get(to);
    if (path) {
      this.#walk(path);
      return;
    }
    this.change({ picked: null }, false);
    if (to !== null && to !== from) this.events.emit("illegal", { from, to });
  }

  /**
   * Makes half-moves one after another. Cut short (reduced motion, a new state) it still makes them all, in order.
   * @param {Half[]} path
   */
  #walk(path) {
    let made = 0;
    const next = () => {
      const half = path[made];
      if (!half || !this.view?.play) return;
      made += 1;
      this.change({ play: play.advance(this.view.play, half), picked: null });
      this.events.emit("sound", half[3] ? "hit" : "step");
    };
    this.timeline.run(path.slice(1).map(() => ({ show: next, ms: SLIDE })), () => {
      for (let left = path.length - made; left > 0; left -= 1) next();
    });
  }

  /** @override @param {Place} place */
  press(place) {
    const { view } = this;
    if (!view?.play || this.locked) return;
    const from = view.picked;
    if (from === null) {
      if (this.#canPick(place)) this.#pickUp(place);
      else this.#blocked(place);
    } else if (this.#number(place) === from) {
      this.#pick(null);
    } else {
      this.#drop(place);
      if (this.view && this.started) this.announce(localized(this.text));
    }
  }

  /** @override */
  cancel() {
    this.#pick(null);
  }

  /** @param {Place} place */
  #pickUp(place) {
    this.#pick(place);
    if (!this.view) return;
    const names = state.sceneOf(this.view).targets.map((target) => placeName(target, this.bottom));
    this.announce(fill(gettext("Picked up. Can move to: %(places)s."), { places: names.join(", ") }));
  }
}

/**
 * @param {HTMLElement} element
 * @param {ConstructorParameters<typeof PointsBoard>[1]} [options]
 */
export function createPointsBoard(element, options) {
  return new PointsBoard(element, options);
}

/** @typedef {PointsBoard} PointsBoardApi */
