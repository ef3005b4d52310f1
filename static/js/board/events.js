/** A small typed emitter: the board tells, whoever listens decides. */

/**
 * @typedef {object} BoardEvents
 * @property {import("./play.js").Play} play the play under way changed: a half-move made or taken back
 * @property {{from: number, to: number}} illegal a man was dropped where no play of the tree takes him
 * @property {null} cube the cube was pressed
 * @property {null} dice the dice were swapped
 * @property {"step" | "hit" | "roll"} sound something that can be heard happened
 */

/**
 * @template {object} Names
 */
export class Emitter {
  /** @type {Map<keyof Names, Set<(detail: any) => void>>} */
  #listeners = new Map();

  /**
   * @template {keyof Names} Name
   * @param {Name} name
   * @param {(detail: Names[Name]) => void} listener
   * @returns {() => void} stops listening
   */
  on(name, listener) {
    const set = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, set.add(listener));
    return () => set.delete(listener);
  }

  /**
   * @template {keyof Names} Name
   * @param {Name} name
   * @param {Names[Name]} detail
   */
  emit(name, detail) {
    for (const listener of this.#listeners.get(name) ?? []) listener(detail);
  }
}
