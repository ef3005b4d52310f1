/** The board of 100 squares: a move is made by choosing squares, out of the moves that the server sent. */
import { moverOf } from "../board/sides.js";
import { SLIDE } from "../board/timeline.js";
import { BoardWidget } from "../board/widget.js";
import { fill, gettext } from "../i18n.js";
import { animate } from "./animation.js";
import { layoutOf } from "./geometry.js";
import { cellsOf } from "./labels.js";
import { parse } from "./notation.js";
import * as play from "./play.js";
import { SquaresDrawing } from "./render.js";
import * as state from "./state.js";
import { drawSurface } from "./surface.js";

/** @typedef {import("../board/widget.js").Situation<SquaresView>} Situation */
/** @typedef {import("./state.js").View} View */
/** @typedef {import("./play.js").Play} Play */

/**
 * @typedef {object} SquaresEvents
 * @property {Play} play the move under way changed
 * @property {{from: number, to: number, path: string}} illegal a man was sent where no listed move takes it; `path` is what it captured before
 * @property {import("../board/timeline.js").Sound} sound something that can be heard happened
 */

/** @type {import("../board/widget.js").Family<SquaresView, Play, View, SquaresScene, number>} */
const FAMILY = { ...play, ...state, animate, cellsOf, parse };

/** @extends {BoardWidget<SquaresView, Play, View, SquaresScene, number, SquaresDrawing, SquaresEvents>} */
class SquaresBoard extends BoardWidget {
  #turned = false;
  /** Men stand on the whole board: buttons have no room there. */
  halves = null;
  pips = null;

  /**
   * @param {HTMLElement} element
   * @param {{direction?: "ccw" | "cw", bottom?: Side}} [options] "ccw": the own men stand below, "cw": above
   */
  constructor(element, options = {}) {
    super(element, gettext("Board: use the arrow keys to move between dark squares, Enter to pick up or put down a piece, Escape to cancel."), FAMILY, options);
    element.classList.add("squares");
    this.build();
  }

  /** @override */
  lay() {
    this.#turned = this.view !== null && state.isTurned(this.view, this.direction);
    return { layout: layoutOf(this.#turned), surface: drawSurface(this.#turned), drawing: new SquaresDrawing(this.#turned) };
  }

  /** @override @param {Play} play */
  make(play) {
    this.#walk(play);
  }

  /** Of several captures that end on one square the path remains to be chosen. @override @param {string} text */
  type(text) {
    const made = super.type(text);
    if (made) this.#sayTargets();
    return made;
  }

  /** The side that has Black is drawn at the bottom: the opening roll turns the board. @override */
  draw() {
    if (this.view && state.isTurned(this.view, this.direction) !== this.#turned) this.build();
    super.draw();
  }

  /** @override */
  pointer() {
    return {
      picked: () => this.view?.picked ?? null,
      canPick: (/** @type {number} */ square) => this.#canPick(square),
      pick: (/** @type {number | null} */ square) => this.#pick(square),
      drop: (/** @type {number} */ square, /** @type {boolean} */ dragged) => this.#drop(square, dragged),
      isTarget: (/** @type {number} */ square) => this.#isTarget(square),
    };
  }

  /** @override */
  liftable() {
    return this.view?.picked == null ? null : (this.drawing?.at(this.view.picked) ?? null);
  }

  /** Any own man can be picked up, so that the server can say why one has no move. @param {number} square */
  #canPick(square) {
    const { view } = this;
    const mover = view && moverOf(view.position);
    if (!view?.play || !mover || this.locked || this.timeline.busy || play.isComplete(view.play)) return false;
    if (play.isStarted(view.play)) return square === play.standing(view.play);
    return state.piecesNow(view).pieces[mover].some((piece) => piece.square === square);
  }

  /** @param {number} square */
  #isTarget(square) {
    const { view } = this;
    return !!view?.play && view.picked !== null && play.choose(view.play, view.picked, square) !== null;
  }

  /** @param {number | null} square */
  #pick(square) {
    if (!this.view?.play || this.started) return;
    const picked = square !== null && this.#canPick(square) ? square : null;
    if (picked !== this.view.picked) this.change({ picked }, false);
  }

  /** @param {number} to @param {boolean} [dragged] the man lies there already: its way is not shown */
  #drop(to, dragged = false) {
    const { view } = this;
    if (!view?.play || view.picked === null || this.locked || this.timeline.busy) return;
    const from = view.picked;
    const made = play.choose(view.play, from, to);
    if (made) {
      this.#walk(made, dragged);
      return;
    }
    const path = view.play.path.join("x");
    if (!this.started) this.change({ picked: null }, false);
    if (to !== from) this.events.emit("illegal", { from, to, path });
  }

  /**
   * Shows the piece on its way to what was chosen. Cut short (reduced motion, a new state) the choice still stands.
   * @param {Play} made
   * @param {boolean} [atOnce]
   */
  #walk(made, atOnce = false) {
    if (!this.view?.play) return;
    const steps = atOnce ? [made] : play.stages(this.view.play, made);
    /** @param {Play} step */
    const show = (step) => {
      this.change({ play: step, picked: play.isComplete(made) ? null : play.standing(step) });
      if (step.path.length) this.events.emit("sound", step.left[0].taken.length ? "hit" : "step");
    };
    this.timeline.run(steps.slice(0, -1).map((step) => ({ show: () => show(step), ms: SLIDE })), () => show(made));
  }

  /** @override @param {number} square */
  press(square) {
    const { view } = this;
    if (!view?.play || this.locked) return;
    if (view.picked === null) {
      this.#pick(square);
      if (this.view?.picked != null) this.#sayTargets();
    } else if (square === view.picked && !this.#isTarget(square)) {
      this.#pick(null);
    } else {
      this.#drop(square);
      this.#sayTargets();
    }
  }

  /** Says where the picked man may go. */
  #sayTargets() {
    const { play: begun, picked } = this.view ?? {};
    if (!begun || picked == null || this.timeline.busy) return;
    const { ends, waypoints } = play.reach(begun, picked);
    const places = (ends.length ? ends : waypoints).join(", ");
    if (begun.goal !== null && !ends.length) this.announce(fill(gettext("Several captures end on %(to)s. Choose a path: %(places)s."), { to: begun.goal, places }));
    else if (!places) this.announce(gettext("Picked up. It has no legal move."));
    else if (begun.path.length) this.announce(fill(gettext("On %(square)s. Continue to: %(places)s."), { square: picked, places }));
    else this.announce(fill(gettext("Picked up. Can move to: %(places)s."), { places }));
  }

  /** @override */
  cancel() {
    if (this.started && this.view?.play && !play.isComplete(this.view.play)) this.undo();
    else this.#pick(null);
  }
}

/**
 * @param {HTMLElement} element
 * @param {ConstructorParameters<typeof SquaresBoard>[1]} [options]
 */
export function createSquaresBoard(element, options) {
  return new SquaresBoard(element, options);
}
