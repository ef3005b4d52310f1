/**
 * The board: `createBoard(element)` draws a position, lets its viewer make a play from the tree the server sent, and says
 * what happened. It knows no rule of the game and nothing of the network.
 */
import { AccessibleBoard, placeName } from "./a11y.js";
import { SLIDE, Timeline } from "./anim.js";
import { listen } from "./drag.js";
import { Emitter } from "./events.js";
import { plan } from "./geometry.js";
import { BAR, OFF, advance, advanceAll, diceLeft, forced, isComplete, reach, tap, textOf, undo } from "./play.js";
import { Renderer, placesOf } from "./render.js";
import { fresh, moverOf, numberOf, placeOf, sceneOf } from "./state.js";
import { story } from "./story.js";
import { drawTable } from "./table.js";
import { match, written } from "./typed.js";
import { fill, gettext } from "../words.js";

/**
 * @typedef {object} Situation what the board needs of a state message
 * @property {PositionView} position
 * @property {Side | null} you
 * @property {string[]} may
 * @property {State["last"]} last
 * @property {number} [game]
 */

class Board {
  #renderer;
  #table;
  #timeline = new Timeline();
  #unlisten = () => {};
  /** the play is on its way to the server */
  #sent = false;
  /** what happened is being shown */
  #telling = false;
  /** @type {number | null} */
  #game = null;

  /**
   * @param {HTMLElement} element
   * @param {{direction?: "ccw" | "cw", bottom?: Side, stock?: boolean}} [options]
   */
  constructor(element, { direction = "ccw", bottom = "white", stock = false } = {}) {
    this.element = element;
    this.direction = direction;
    this.bottom = bottom;
    this.stock = stock;
    /** @type {Emitter<import("./events.js").BoardEvents>} */
    this.events = new Emitter();
    element.classList.add("bd");
    element.classList.toggle("has-stock", stock);
    this.plan = plan(direction, stock);
    this.#table = drawTable(this.plan);
    this.#renderer = new Renderer(this.plan);
    element.replaceChildren(this.#table, this.#renderer.svg);
    this.a11y = new AccessibleBoard(element, { press: (place) => this.#press(place), cancel: () => this.#pick(null) });
    /** @type {import("./state.js").View | null} */
    this.view = null;
    this.#build();
  }

  /**
   * Shows a situation, after the actions that led to it. Half-moves made at this screen stay while the same play is asked for.
   * @param {Situation} situation
   * @param {Action[]} [actions]
   */
  set(situation, actions = []) {
    this.#timeline.finish();
    if (!this.stock && hasStock(situation.position)) this.#layStock();
    const before = this.view;
    const next = fresh(situation.position, { ...situation, bottom: this.bottom });
    if (before?.play && next.play && sameTask(before, next)) {
      Object.assign(next, { play: advanceAll(next.play, samePath(next.play, before.play)), order: before.order, picked: before.picked });
    }
    else this.#sent = false;
    const moments = before ? story(before, actions, this.#game) : [];
    this.view = next;
    this.#telling = moments.length > 0;
    this.#game = situation.game ?? null;
    this.#timeline.run(
      moments.map(({ scene, ms, sound }) => ({
        ms,
        show: () => {
          this.#renderer.draw(scene);
          if (sound) this.events.emit("sound", sound);
        },
      })),
      () => {
        this.#telling = false;
        this.#draw();
        if (next.play) this.events.emit("play", next.play);
      },
    );
  }

  /** Is a play being made here, and is it whole? */
  get complete() {
    return !!this.view?.play && isComplete(this.view.play) && !this.#timeline.busy;
  }

  /** The half-moves made so far, as text. */
  get text() {
    return this.view?.play ? textOf(this.view.play.halves) : "";
  }

  get started() {
    return !!this.view?.play?.halves.length;
  }

  /** Takes back the last half-move. */
  undo() {
    if (!this.view?.play || this.#locked) return;
    this.#timeline.finish();
    this.#update({ play: undo(this.view.play), picked: null });
  }

  /** Takes back everything, also a play that was sent and refused. */
  reset() {
    this.#sent = false;
    if (!this.view?.position.tree || !this.view.play) return;
    this.#update({ play: fresh(this.view.position, { you: moverOf(this.view), may: ["move"] }).play, picked: null });
  }

  /** The play is on its way: no more changes until the next `set` or `reset`. */
  lock() {
    this.#sent = true;
    this.#draw();
  }

  get #locked() {
    return this.#sent || this.#telling;
  }

  swapDice() {
    const { view } = this;
    if (!view?.play || this.#locked || view.order.length !== 2) return;
    this.#update({ order: [...view.order].reverse() }, false);
    this.events.emit("dice", null);
  }

  /** The only play there is, or null. */
  get forced() {
    return this.view?.mine ? forced(this.view.position.tree) : null;
  }

  /** Makes the forced play, slide by slide. */
  playForced() {
    const only = this.forced;
    if (only && !this.started && !this.#locked) this.#walk(only.halves);
  }

  /**
   * A play written by hand. Returns whether the tree holds it.
   * @param {string} text
   */
  type(text) {
    this.#timeline.finish();
    const tree = this.view?.position.tree;
    if (!this.view?.play || !tree || this.#locked) return false;
    const found = match(tree, text);
    if (!found) return false;
    this.reset();
    this.#walk(found.play.halves);
    return true;
  }

  /** @param {"ccw" | "cw"} direction */
  setDirection(direction) {
    this.direction = direction;
    this.#build();
  }

  /** @param {Side} bottom */
  setSide(bottom) {
    this.bottom = bottom;
    if (this.view) this.view = { ...this.view, bottom, picked: null };
    this.#build();
  }

  /** Shows the board as text instead of the drawing. @param {boolean} on */
  setText(on) {
    this.element.classList.toggle("text", on);
  }

  /** @param {string} text */
  say(text) {
    this.a11y.say(text);
  }

  destroy() {
    this.#timeline.finish();
    this.#unlisten();
    this.element.replaceChildren();
    this.element.classList.remove("bd");
  }

  /** A game whose men wait in stock needs a tray for them. */
  #layStock() {
    this.stock = true;
    this.element.classList.add("has-stock");
    this.#build();
  }

  #build() {
    this.#timeline.finish();
    this.#unlisten();
    this.plan = plan(this.direction, this.stock);
    const table = drawTable(this.plan);
    const renderer = new Renderer(this.plan);
    this.#table.replaceWith(table);
    this.#renderer.svg.replaceWith(renderer.svg);
    this.#table = table;
    this.#renderer = renderer;
    this.a11y.lay(this.plan);
    this.#unlisten = listen(renderer.svg, this.#hand());
    if (this.view) this.#draw();
  }

  /** @returns {import("./drag.js").Hand} */
  #hand() {
    let held = /** @type {import("./render.js").Man | null} */ (null);
    return {
      plan: () => this.plan,
      picked: () => (this.view?.picked == null ? null : this.#place(this.view.picked)),
      canPick: (place) => this.#canPick(place),
      pick: (place) => this.#pick(place),
      tap: (place) => this.#tap(place),
      stuck: (place) => this.#stuck(place),
      drop: (place) => this.#drop(place),
      isTarget: (place) => this.view !== null && sceneOf(this.view).targets.includes(place),
      lift: (x, y) => {
        const mover = this.view && moverOf(this.view);
        if (!held && mover && this.view?.picked != null) held = this.#renderer.top(this.#place(this.view.picked), mover);
        if (held) this.#renderer.lift(held, x, y);
      },
      release: () => {
        if (held) this.#renderer.drop(held);
        held = null;
      },
      cube: () => this.events.emit("cube", null),
      dice: () => this.swapDice(),
    };
  }

  #draw() {
    if (!this.view) return;
    const scene = sceneOf(this.view);
    if (this.#locked) scene.movable = [];
    this.#renderer.draw(scene);
    this.a11y.update(scene);
  }

  /** @param {Partial<import("./state.js").View>} change @param {boolean} [tell] */
  #update(change, tell = true) {
    if (!this.view) return;
    this.view = { ...this.view, ...change };
    this.#draw();
    if (tell && this.view.play) this.events.emit("play", this.view.play);
  }

  /** @param {number} n */
  #place(n) {
    const { view } = this;
    return placeOf(n, (view && moverOf(view)) ?? this.bottom, this.bottom);
  }

  /** @param {Place} place */
  #number(place) {
    const mover = this.view && moverOf(this.view);
    return mover ? numberOf(place, mover, this.bottom) : null;
  }

  /** @param {Place} place */
  #canPick(place) {
    if (!this.view?.play || this.#locked) return false;
    const from = this.#number(place);
    return from !== null && tap(this.view.play, from, this.view.order) !== null;
  }

  /** @param {Place | null} place */
  #pick(place) {
    if (!this.view?.play) return;
    const picked = place !== null && this.#canPick(place) ? this.#number(place) : null;
    if (picked !== this.view.picked) this.#update({ picked }, false);
  }

  /** @param {Place} place */
  #tap(place) {
    this.#timeline.finish(); // a man on his way arrives before the next one is chosen
    const { view } = this;
    const from = this.#number(place);
    if (!view?.play || from === null || this.#locked) return;
    const half = tap(view.play, from, view.order);
    if (half) this.#walk([half]);
  }

  /** An own man who cannot move was pressed: he would like to go by the left die. @param {Place} place */
  #stuck(place) {
    const { view } = this;
    const from = this.#number(place);
    if (!view?.play || from === null || this.#locked || isComplete(view.play)) return;
    const mover = moverOf(view);
    const die = diceLeft(view.order, view.play.halves).find((one) => !one.used);
    if (!mover || !die || from === OFF || !placesOf(sceneOf(view), mover).get(place)) return;
    this.events.emit("illegal", { from, to: Math.max(OFF, Math.min(from, BAR) - die.value) });
  }

  /** @param {Place} place */
  #drop(place) {
    this.#timeline.finish();
    const { view } = this;
    if (!view?.play || view.picked === null || this.#locked) return;
    const from = view.picked;
    const to = this.#number(place);
    const path = to === null ? undefined : reach(view.play, from, view.order).get(to);
    if (path) {
      this.#walk(path);
      return;
    }
    this.#update({ picked: null }, false);
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
      this.#update({ play: advance(this.view.play, half), picked: null });
      this.events.emit("sound", half[3] ? "hit" : "step");
    };
    this.#timeline.run(path.slice(1).map(() => ({ show: next, ms: SLIDE })), () => {
      for (let left = path.length - made; left > 0; left -= 1) next();
    });
  }

  /** @param {Place} place */
  #press(place) {
    const { view } = this;
    if (!view?.play || this.#locked) return;
    const from = view.picked;
    if (from === null) {
      if (this.#canPick(place)) this.#pickUp(place);
      else this.#stuck(place);
    } else if (this.#number(place) === from) {
      this.#pick(null);
    } else {
      this.#drop(place);
      if (this.view && this.started) this.say(written(this.text));
    }
  }

  /** @param {Place} place */
  #pickUp(place) {
    this.#pick(place);
    if (!this.view) return;
    const names = sceneOf(this.view).targets.map((target) => placeName(target, this.bottom));
    this.say(fill(gettext("Picked up. Legal: %(places)s."), { places: names.join(", ") }));
  }
}

/** @param {PositionView} position */
function hasStock({ board }) {
  return board.white.stock > 0 || board.black.stock > 0;
}

/** @param {import("./state.js").View} a @param {import("./state.js").View} b */
function sameTask(a, b) {
  return JSON.stringify([a.position.board, a.position.tree, a.position.dice]) ===
    JSON.stringify([b.position.board, b.position.tree, b.position.dice]);
}

/**
 * The half-moves of `old` as they stand in the equal tree of `next`.
 * @param {import("./play.js").Play} next
 * @param {import("./play.js").Play} old
 */
function samePath(next, old) {
  let node = 0;
  return old.halves.map((half) => {
    const same = next.tree[node].find((one) => one[0] === half[0] && one[1] === half[1] && one[2] === half[2]);
    if (!same) throw new Error("not the same tree");
    node = same[4];
    return same;
  });
}

/**
 * @param {HTMLElement} element
 * @param {ConstructorParameters<typeof Board>[1]} [options]
 */
export function createBoard(element, options) {
  return new Board(element, options);
}

/** @typedef {Board} BoardApi */
