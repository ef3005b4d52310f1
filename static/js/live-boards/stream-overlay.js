/** The overlay of a stream: one match, and nothing to press. It reconnects for ever. */
import { higherFirst } from "../board/dice.js";
import { SIDES } from "../board/sides.js";
import { Feed } from "./feed.js";
import { make } from "./board-card.js";
import { FeaturedMatch } from "./featured-match.js";

const PIPS = [[], [5], [1, 9], [1, 5, 9], [1, 3, 7, 9], [1, 3, 5, 7, 9], [1, 3, 4, 6, 7, 9]];

/** A die as a picture of nine places. @param {number} value */
function die(value) {
  const element = make("span", "ov-die", ...PIPS[value].map((at) => make("i", `ov-pip at-${at}`)));
  element.setAttribute("aria-hidden", "true");
  return element;
}

/** Whose dice are shown: those that are to be played, else those of the last play. @param {LiveBoard} board */
function diceShown({ position, last }) {
  const { turn, dice } = position;
  if (dice?.length && (turn === "white" || turn === "black")) return { side: turn, dice: higherFirst(dice) };
  return last?.dice?.length ? { side: last.seat, dice: higherFirst(last.dice) } : null;
}

/** @param {HTMLElement} root */
function mount(root) {
  const stage = new FeaturedMatch(root);
  const feed = new Feed({
    query: () => `?ids=${root.dataset.match}`,
    onBoards: (ids) => {
      root.classList.toggle("is-waiting", ids.length === 0);
    },
    onBoard: (board, before) => {
      stage.show(board, before);
      aside(board);
    },
    onLink: (open) => root.classList.toggle("is-lost", !open),
  });

  /** @param {LiveBoard} board */
  function aside(board) {
    const shown = diceShown(board);
    const { cube } = board.position;
    for (const side of SIDES) {
      const strip = root.querySelector(`[data-strip="${side === "white" ? "me" : "them"}"]`);
      strip?.querySelector("[data-part=dice]")?.replaceChildren(...(shown?.side === side ? shown.dice.map(die) : []));
      const own = strip?.querySelector("[data-part=cube]");
      if (own) own.textContent = cube && (cube.owner === side) ? String(cube.value) : "";
    }
    const middle = root.querySelector("[data-part=centre-cube]");
    if (middle) middle.textContent = cube && !cube.owner ? String(cube.offered ?? cube.value) : "";
    root.classList.toggle("is-doubled", !!cube?.offered);
  }

  feed.start();
}

const root = /** @type {HTMLElement | null} */ (document.querySelector("#overlay"));
if (root) mount(root);
