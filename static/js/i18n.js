/**
 * Texts shown or spoken. The English sentence is the key; `messages/es.js` (deferred, loaded before every module) holds
 * the translations. Without it the English text stands.
 */

/** @typedef {{plural: (count: number) => number, texts: Record<string, string | string[]>}} Messages */

/** @param {string} key */
function found(key) {
  const { messages } = /** @type {{messages?: Messages}} */ (/** @type {unknown} */ (globalThis));
  return messages?.texts[key];
}

/** @param {string} text */
export function gettext(text) {
  const translated = found(text);
  return typeof translated === "string" ? translated : text;
}

/**
 * @param {string} singular
 * @param {string} plural
 * @param {number} count
 */
export function ngettext(singular, plural, count) {
  const forms = found(singular);
  if (!Array.isArray(forms)) return count === 1 ? singular : plural;
  const { messages } = /** @type {{messages: Messages}} */ (/** @type {unknown} */ (globalThis));
  return forms[messages.plural(count)];
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
