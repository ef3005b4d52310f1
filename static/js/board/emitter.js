/** A small typed event emitter. */

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
