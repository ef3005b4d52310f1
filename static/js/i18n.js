/**
 * Words shown or spoken. The English sentence is the key; Django's JavaScript catalogue (deferred, loaded before every
 * module) holds the translations. Without a catalogue the English text stands.
 */

const world = /** @type {{gettext?: (text: string) => string, ngettext?: (one: string, many: string, count: number) => string}} */ (
  /** @type {unknown} */ (globalThis)
);

/** @param {string} text */
export function gettext(text) {
  return world.gettext ? world.gettext(text) : text;
}

/**
 * @param {string} singular
 * @param {string} plural
 * @param {number} count
 */
export function ngettext(singular, plural, count) {
  if (world.ngettext) return world.ngettext(singular, plural, count);
  return count === 1 ? singular : plural;
}

/**
 * Puts values into the named places of a sentence: `%(count)s`.
 * @param {string} text
 * @param {Record<string, string | number>} values
 */
export function fill(text, values) {
  return text.replace(/%\((\w+)\)[sd]/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

/**
 * A person's name inside a sentence, isolated so that its writing direction cannot disturb the words around it.
 * @param {string} name
 */
export function isolate(name) {
  return `\u2068${name}\u2069`;
}
