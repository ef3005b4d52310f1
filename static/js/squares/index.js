/**
 * The damas board: `createSquares(element)` draws a position, lets its viewer make a move out of those that the server
 * sent, and says what happened. It knows no rule of the game and nothing of the network. Used like board/index.js.
 */
import { AccessibleBoard } from "./a11y.js";
import { listen } from "./drag.js";
import { begin, choose, forced, isComplete, reach, stages, standing, started, textOf, undo } from "./play.js";
import { Renderer } from "./render.js";
import { fresh, isTurned, moverOf, piecesNow, sceneOf } from "./state.js";
import { story } from "./story.js";
import { drawTable } from "./table.js";
import { match } from "./typed.js";
import { SLIDE, Timeline } from "../board/anim.js";
import { Emitter } from "../board/events.js";
import { fill, gettext } from "../words.js";

/**
 * @typedef {object} Situation what the board needs of a state message
 * @property {SquaresView} position
 * @property {Side | null} you
 * @property {string[]} may
 * @property {State["last"]} last
 * @property {number} [game]
 */

/**
 * @typedef {object} SquaresEvents
 * @property {import("./play.js").Play} play the move under way changed
 * @property {{from: number, to: number, path: string}} illegal a man was sent where no listed move takes him; `path` is what he captured before
 * @property {"step" | "hit" | "roll"} sound something that can be heard happened
 */

class SquaresBoard {
  #renderer;
  #table;
  #turned = false;
  #timeline = new Timeline();
  #unlisten = () => {};
  /** the move is on its way to the server */
  #sent = false;
  /** what happened is being shown */
  #telling = false;
  /** @type {number | null} */
  #game = null;

  /**
   * @param {HTMLElement} element
   * @param {{direction?: "ccw" | "cw", bottom?: Side}} [options] "ccw": the own men stand below, "cw": above
   */
  constructor(element, { direction = "ccw", bottom = "white" } = {}) {
    this.element = element;
    this.direction = direction;
    this.bottom = bottom;
    /** @type {Emitter<SquaresEvents>} */
    this.events = new Emitter();
    element.classList.add("bd", "squares");
    this.#table = drawTable(false);
    this.#renderer = new Renderer(false);
    element.replaceChildren(this.#table, this.#renderer.svg);
    this.a11y = new AccessibleBoard(element, { press: (square) => this.#press(square), cancel: () => this.#cancel() });
    /** @type {import("./state.js").View | null} */
    this.view = null;
    this.#build(false);
  }

  /**
   * Shows a situation, after the actions that led to it. A move begun at this screen stays while the same one is asked for.
   * @param {Situation} situation
   * @param {Action[]} [actions]
   */
  set(situation, actions = []) {
    this.#timeline.finish();
    const before = this.view;
    const next = fresh(situation.position, { ...situation, bottom: this.bottom, direction: this.direction });
    if (before?.play && next.play && sameTask(before, next)) Object.assign(next, { play: before.play, picked: before.picked });
    else this.#sent = false;
    const game = situation.game ?? null;
    const moments = before ? story(before, actions, game === this.#game ? situation.position : null, this.#game) : [];
    this.view = next;
    this.#telling = moments.length > 0;
    this.#game = game;
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

  /** Is a move being made here, and is it whole? */
  get complete() {
    return !!this.view?.play && isComplete(this.view.play) && !this.#timeline.busy;
  }

  /** The action of a complete move, else the squares walked so far. */
  get text() {
    return this.view?.play ? textOf(this.view.play) : "";
  }

  get started() {
    return !!this.view?.play && started(this.view.play);
  }

  /** Takes back the last choice. */
  undo() {
    if (!this.view?.play || this.#locked) return;
    this.#timeline.finish();
    const play = undo(this.view.play);
    this.#update({ play, picked: isComplete(play) ? null : standing(play) });
  }

  /** Takes back everything, also a move that was sent and refused. */
  reset() {
    this.#sent = false;
    if (!this.view?.play) return;
    this.#update({ play: begin(this.view.play.moves), picked: null });
  }

  /** The move is on its way: no more changes until the next `set` or `reset`. */
  lock() {
    this.#sent = true;
    this.#draw();
  }

  get #locked() {
    return this.#sent || this.#telling;
  }

  /** The only move there is, or null; while a man may be huffed there is more to decide. */
  get forced() {
    return this.view?.play && !this.view.position.huff ? forced(this.view.play.moves) : null;
  }

  /** Makes the forced move, step by step. */
  playForced() {
    const only = this.forced;
    if (only && !this.started && !this.#locked) this.#walk(only);
  }

  /**
   * A move written by hand. Returns whether one is meant; of several captures to one square the way remains to be chosen.
   * @param {string} text
   */
  type(text) {
    this.#timeline.finish();
    if (!this.view?.play || this.#locked) return false;
    const play = match(this.view.play.moves, text);
    if (!play) return false;
    this.reset();
    this.#walk({ ...play, moves: this.view.play.moves, back: begin(this.view.play.moves) });
    this.#tell();
    return true;
  }

  /** @param {"ccw" | "cw"} direction */
  setDirection(direction) {
    this.direction = direction;
    this.#look({ direction });
  }

  /** @param {Side} bottom */
  setSide(bottom) {
    this.bottom = bottom;
    this.#look({ bottom });
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
    this.element.classList.remove("bd", "squares");
  }

  /** @param {Partial<import("./state.js").View>} change */
  #look(change) {
    this.#timeline.finish();
    if (!this.view) return;
    this.view = { ...this.view, ...change };
    this.#draw();
  }

  /** @param {boolean} turned */
  #build(turned) {
    this.#unlisten();
    this.#turned = turned;
    const table = drawTable(turned);
    const renderer = new Renderer(turned);
    this.#table.replaceWith(table);
    this.#renderer.svg.replaceWith(renderer.svg);
    this.#table = table;
    this.#renderer = renderer;
    this.a11y.lay(turned);
    this.#unlisten = listen(renderer.svg, this.#hand());
  }

  /** @returns {import("./drag.js").Hand} */
  #hand() {
    let held = /** @type {import("./render.js").Piece | null} */ (null);
    return {
      turned: () => this.#turned,
      picked: () => this.view?.picked ?? null,
      canPick: (square) => this.#canPick(square),
      pick: (square) => this.#pick(square),
      drop: (square, dragged) => this.#drop(square, dragged),
      isTarget: (square) => this.#isTarget(square),
      lift: (x, y) => {
        if (!held && this.view?.picked != null) held = this.#renderer.at(this.view.picked);
        if (held) this.#renderer.lift(held, x, y);
      },
      release: () => {
        if (held) this.#renderer.drop(held);
        held = null;
      },
    };
  }

  #draw() {
    if (!this.view) return;
    const turned = isTurned(this.view);
    if (turned !== this.#turned) this.#build(turned);
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

  /** Any own man can be picked up, so that the server can say why one has no move. @param {number} square */
  #canPick(square) {
    const { view } = this;
    const mover = view && moverOf(view.position);
    if (!view?.play || !mover || this.#locked || this.#timeline.busy || isComplete(view.play)) return false;
    if (started(view.play)) return square === standing(view.play);
    return piecesNow(view).pieces[mover].some((piece) => piece.square === square);
  }

  /** @param {number} square */
  #isTarget(square) {
    const { play, picked } = this.view ?? {};
    return !!play && picked != null && choose(play, picked, square) !== null;
  }

  /** @param {number | null} square */
  #pick(square) {
    if (!this.view?.play || this.started) return;
    const picked = square !== null && this.#canPick(square) ? square : null;
    if (picked !== this.view.picked) this.#update({ picked }, false);
  }

  /** @param {number} to @param {boolean} [dragged] the man lies there already: his way is not shown */
  #drop(to, dragged = false) {
    const { view } = this;
    if (!view?.play || view.picked === null || this.#locked || this.#timeline.busy) return;
    const from = view.picked;
    const play = choose(view.play, from, to);
    if (play) {
      this.#walk(play, dragged);
      return;
    }
    const path = view.play.path.join("x");
    if (!this.started) this.#update({ picked: null }, false);
    if (to !== from) this.events.emit("illegal", { from, to, path });
  }

  /**
   * Shows the piece on its way to what was chosen. Cut short (reduced motion, a new state) the choice still stands.
   * @param {import("./play.js").Play} play
   * @param {boolean} [atOnce]
   */
  #walk(play, atOnce = false) {
    if (!this.view?.play) return;
    const steps = atOnce ? [play] : stages(this.view.play, play);
    /** @param {import("./play.js").Play} step */
    const show = (step) => {
      this.#update({ play: step, picked: isComplete(play) ? null : standing(step) });
      if (step.path.length) this.events.emit("sound", step.left[0].taken.length ? "hit" : "step");
    };
    this.#timeline.run(steps.slice(0, -1).map((step) => ({ show: () => show(step), ms: SLIDE })), () => show(play));
  }

  /** @param {number} square */
  #press(square) {
    const { view } = this;
    if (!view?.play || this.#locked) return;
    if (view.picked === null) {
      this.#pick(square);
      if (this.view?.picked != null) this.#tell();
    } else if (square === view.picked && !this.#isTarget(square)) {
      this.#pick(null);
    } else {
      this.#drop(square);
      this.#tell();
    }
  }

  /** Says where the picked man may go. */
  #tell() {
    const { play, picked } = this.view ?? {};
    if (!play || picked == null || this.#timeline.busy) return;
    const { ends, ways } = reach(play, picked);
    const places = (ends.length ? ends : ways).join(", ");
    if (play.goal !== null && !ends.length) this.say(fill(gettext("Several captures end on %(to)s. Choose the way: %(places)s."), { to: play.goal, places }));
    else if (!places) this.say(gettext("Picked up. It has no legal move."));
    else if (play.path.length) this.say(fill(gettext("On %(square)s. It goes on to: %(places)s."), { square: picked, places }));
    else this.say(fill(gettext("Picked up. Legal: %(places)s."), { places }));
  }

  #cancel() {
    if (this.started && this.view?.play && !isComplete(this.view.play)) this.undo();
    else this.#pick(null);
  }
}

/** @param {import("./state.js").View} a @param {import("./state.js").View} b */
function sameTask(a, b) {
  return JSON.stringify([a.position.board, a.position.tree, a.position.huff]) ===
    JSON.stringify([b.position.board, b.position.tree, b.position.huff]);
}

/**
 * @param {HTMLElement} element
 * @param {ConstructorParameters<typeof SquaresBoard>[1]} [options]
 */
export function createSquares(element, options) {
  return new SquaresBoard(element, options);
}

/** @typedef {SquaresBoard} SquaresApi */
