/**
 * A board that is played on: it shows a situation after the actions that led to it, lets its viewer make a play out of
 * what the server sent, and emits what happened. It knows no rule of a game and nothing of the network. Each family of
 * games extends it with its geometry, its pieces and its way to make a play.
 */
import { Emitter } from "./emitter.js";
import { BoardFrame, abstract } from "./frame.js";
import { Timeline } from "./timeline.js";

/**
 * What the board needs of a state message.
 * @template Position
 * @typedef {object} Situation
 * @property {Position} position
 * @property {Side | null} you
 * @property {string[]} may
 * @property {State["last"]} last
 * @property {number} [game]
 */
/**
 * What a family of games does its own way. Pure.
 * @template Position, Play, V, Scene, Place
 * @typedef {object} Family
 * @property {(position: Position, around: {you?: Side | null, bottom?: Side, last?: State["last"], may?: string[]}) => V} viewOf
 * @property {(position: Position) => unknown} taskOf what two positions have in common while the same play is asked for
 * @property {(before: V, next: V) => Partial<V>} resume what was begun in a view, for another one of the same task
 * @property {(view: V, direction: "ccw" | "cw") => Scene} sceneOf
 * @property {(scene: Scene) => (place: Place) => import("./accessible-grid.js").Cell} cellsOf the button of each place
 * @property {(view: V, actions: Action[], around: {game: number | null, next: Position | null, direction: "ccw" | "cw"}) => import("./timeline.js").AnimationStep<Scene>[]} animate
 * @property {(play: Play) => boolean} isComplete
 * @property {(play: Play) => boolean} isStarted
 * @property {(play: Play) => string} textOf the action of a complete play, else what was made so far
 * @property {(play: Play) => Play} undo the play without its last choice
 * @property {(play: Play) => Play} restart the same play from its beginning
 * @property {(play: Play) => number | null} pickedIn the piece that goes on in the middle of a play
 * @property {(play: Play, text: string) => Play | null} parse the play that a written one means
 * @property {(view: V) => Play | null} forcedIn the only play there is
 */

/** What nobody can do while a play is on its way. */
const STILL = { movable: [], finishing: false };

/**
 * @template {GameView} Position
 * @template Play
 * @template {import("./view.js").View<Position, Play, number>} V
 * @template {{movable: unknown[]}} Scene
 * @template Place
 * @template {import("./drawing.js").Drawing & {draw(scene: Scene): void}} Drawing
 * @template {{play: Play, sound: import("./timeline.js").Sound}} Events
 * @extends {BoardFrame<Place, Drawing>}
 */
export class BoardWidget extends BoardFrame {
  /** @type {V | null} */
  view = null;
  timeline = new Timeline();
  /** @type {number | null} the number of the game that is shown */
  #game = null;
  /** the play is on its way to the server */
  #sent = false;
  /** recorded actions are being shown */
  #animating = false;

  /**
   * @param {HTMLElement} element
   * @param {string} label of the grid
   * @param {Family<Position, Play, V, Scene, Place>} family
   * @param {{direction?: "ccw" | "cw", bottom?: Side}} options
   */
  constructor(element, label, family, { direction = "ccw", bottom = "white" }) {
    super(element, label);
    this.family = family;
    this.direction = direction;
    this.bottom = bottom;
    /** @type {Emitter<Events>} */
    this.events = new Emitter();
  }

  /** Makes a play, slide by slide. @abstract @param {Play} _play */
  make(_play) {
    abstract();
  }

  /**
   * Shows a situation, after the actions that led to it. What was begun at this screen stays while the same play is asked for.
   * @param {Situation<Position>} situation
   * @param {Action[]} [actions]
   */
  set(situation, actions = []) {
    this.timeline.finish();
    const { family, view: before, direction } = this;
    const { position, game = null } = situation;
    const next = family.viewOf(position, { ...situation, bottom: this.bottom });
    const task = JSON.stringify(family.taskOf(position));
    if (before?.play && next.play && JSON.stringify(family.taskOf(before.position)) === task) Object.assign(next, family.resume(before, next));
    else this.#sent = false;
    const around = { game: this.#game, next: game === this.#game ? position : null, direction };
    const steps = before ? family.animate(before, actions, around) : [];
    this.view = next;
    this.#game = game;
    this.#animating = steps.length > 0;
    this.timeline.run(
      steps.map(({ scene, ms, sound }) => ({
        ms,
        show: () => {
          this.drawing?.draw(scene);
          if (sound) this.events.emit("sound", sound);
        },
      })),
      () => {
        this.#animating = false;
        this.draw();
        if (next.play) this.events.emit("play", next.play);
      },
    );
  }

  /** Is a play being made here, and is it whole? */
  get complete() {
    return !!this.view?.play && this.family.isComplete(this.view.play) && !this.timeline.busy;
  }

  /** The action of a complete play, else what was made so far. */
  get text() {
    return this.view?.play ? this.family.textOf(this.view.play) : "";
  }

  get started() {
    return !!this.view?.play && this.family.isStarted(this.view.play);
  }

  get locked() {
    return this.#sent || this.#animating;
  }

  /** Takes back the last choice. */
  undo() {
    if (!this.view?.play || this.locked) return;
    this.timeline.finish();
    this.#show(this.family.undo(this.view.play));
  }

  /** Takes back everything, also a play that was sent and refused. */
  reset() {
    this.#sent = false;
    if (!this.view?.play) return;
    this.#show(this.family.restart(this.view.play));
  }

  /** @param {Play} play */
  #show(play) {
    this.change(/** @type {Partial<V>} */ ({ play, picked: this.family.pickedIn(play) }));
  }

  /** The only play there is, or null. */
  get forced() {
    return this.view && this.family.forcedIn(this.view);
  }

  /** The play is on its way: no more changes until the next `set` or `reset`. */
  lock() {
    this.#sent = true;
    this.draw();
  }

  /** Makes the forced play, step by step. */
  playForced() {
    const only = this.forced;
    if (only && !this.started && !this.locked) this.make(only);
  }

  /**
   * Makes a play written by hand. Returns whether one is meant.
   * @param {string} text
   */
  type(text) {
    this.timeline.finish();
    if (!this.view?.play || this.locked) return false;
    const play = this.family.parse(this.view.play, text);
    if (!play) return false;
    this.reset();
    this.make(play);
    return true;
  }

  /** @param {"ccw" | "cw"} direction */
  setDirection(direction) {
    this.timeline.finish();
    this.direction = direction;
    this.build();
    this.draw();
  }

  /** Shows the board as text instead of the drawing. @param {boolean} on */
  setText(on) {
    this.element.classList.toggle("text", on);
  }

  draw() {
    if (!this.view) return;
    const scene = this.family.sceneOf(this.view, this.direction);
    if (this.locked) Object.assign(scene, STILL);
    this.drawing?.draw(scene);
    this.a11y.update(this.family.cellsOf(scene));
  }

  /** Changes the view; `emit` tells that the play changed. @param {Partial<V>} change @param {boolean} [emit] */
  change(change, emit = true) {
    if (!this.view) return;
    this.view = { ...this.view, ...change };
    this.draw();
    if (emit && this.view.play) this.events.emit("play", this.view.play);
  }
}
