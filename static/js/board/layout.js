/** Where the places of a board lie, as its frame, pointer and grid need it. */

/** @typedef {{x: number, y: number, w: number, h: number}} Box */

/**
 * @template Place
 * @typedef {object} Layout
 * @property {number} width in the units of the drawing
 * @property {number} height
 * @property {Place[][]} rows the places as they lie on the screen, for walking them with arrow keys
 * @property {Place} first the place that has the focus first
 * @property {(place: Place) => Box} boxOf
 * @property {(x: number, y: number) => Place | null} placeAt the place under a spot, or null beside all of them
 * @property {(x: number, y: number) => Place[]} near the places around a spot that a drop there may mean
 */

export {};
