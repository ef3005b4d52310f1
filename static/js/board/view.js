/** What a board shows of a position, before anything is drawn. Pure. */

/**
 * The position that the server sent, and what was begun at this screen.
 * @template Position, Play, Picked
 * @typedef {object} View
 * @property {Position} position
 * @property {State["last"]} last
 * @property {Side} bottom the side at the bottom of the screen
 * @property {boolean} canMove may this viewer move now?
 * @property {Play | null} play the play under way, when it is this viewer's
 * @property {Picked | null} picked from where a piece was picked up
 */

/**
 * The view of a situation in which nothing is begun yet. Pure.
 * @template {GameView} Position
 * @template Play
 * @param {Position} position
 * @param {{you?: Side | null, bottom?: Side, last?: State["last"], may?: string[]}} around
 * @param {(tree: NonNullable<Position["tree"]>) => Play} begin
 * @returns {View<Position, Play, number>}
 */
export function beginView(position, { you = null, bottom = you ?? "white", last = null, may = [] }, begin) {
  const canMove = you !== null && position.turn === you && may.includes("move") && !!position.tree;
  return { position, last, bottom, canMove, play: canMove && position.tree ? begin(position.tree) : null, picked: null };
}
