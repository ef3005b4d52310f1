/** Small helpers for drawing in SVG through the DOM: no markup strings, no style attributes. */

const NS = "http://www.w3.org/2000/svg";

/**
 * @param {string} tag
 * @param {Record<string, string | number>} [attributes]
 * @param {Element[]} [children]
 * @returns {SVGElement}
 */
export function draw(tag, attributes = {}, children = []) {
  const element = /** @type {SVGElement} */ (document.createElementNS(NS, tag));
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/**
 * @param {SVGElement} element
 * @param {string} text
 */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * A gradient whose colours come from CSS classes, so that a theme can restyle it.
 * @param {"linearGradient" | "radialGradient"} kind
 * @param {string} id
 * @param {Record<string, string | number>} attributes
 * @param {[number, string][]} stops offset and class
 */
export function gradient(kind, id, attributes, stops) {
  return draw(kind, { id, ...attributes }, stops.map(([offset, name]) => draw("stop", { offset, class: name })));
}

/**
 * @param {import("../points/geometry.js").Box} box
 * @param {Record<string, string | number>} [attributes]
 */
export function rect({ x, y, w, h }, attributes = {}) {
  return draw("rect", { x, y, width: w, height: h, ...attributes });
}
