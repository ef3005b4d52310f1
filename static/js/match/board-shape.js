/**
 * Tells the styles of a match's page what the shape of its board is, for the board takes the height of the window.
 * @param {HTMLElement} board
 */
export function shapePage(board) {
  document.body.classList.toggle("square-board", board.classList.contains("squares"));
  document.body.classList.toggle("stock-board", board.classList.contains("has-stock"));
}
