/**
 * The diagrams of the rules pages: real boards, drawn when they come near the screen, with arrows for the play that the
 * text speaks of. "Play it" makes the play on the board, and takes it back.
 */
import { createPointsBoard } from "./points/board.js";
import { moved, recordedLegs } from "./points/state.js";
import { arrows, cross, overlay } from "./rules/arrows.js";
import { squares } from "./rules/squares.js";
import { gettext } from "./i18n.js";

const MARGIN = "400px";
/** The direction of boards that the reader has chosen. */
const direction = document.querySelector("[data-direction=cw]") ? "cw" : "ccw";

/**
 * @typedef {object} Points a diagram on 24 points
 * @property {PositionView} position
 * @property {string} play half-moves of White, or ""
 * @property {string} wrong half-moves that the ruling forbids, or ""
 * @property {boolean} stock
 */

/** @param {HTMLElement} place @param {Points} content */
function points(place, { position, play, wrong, stock }) {
  const element = document.createElement("div");
  element.inert = true;
  place.replaceChildren(element);
  const board = createPointsBoard(element, { bottom: "white", stock, direction });
  const before = { position, you: null, may: [], last: null };
  board.set(before);
  const marks = [...arrows(board.plan, position.board, recordedLegs(wrong), "wrong"), ...arrows(board.plan, position.board, recordedLegs(play), "play")];
  if (wrong) marks.push(cross(board.plan, recordedLegs(wrong)));
  const layer = overlay(element.querySelector(".bd-play"), marks);
  return {
    /** @param {boolean} on */
    show(on) {
      layer?.classList.toggle("faded", on);
      if (!on) {
        board.set(before);
        return;
      }
      const checkers = recordedLegs(play).reduce((all, leg) => moved(all, "white", leg), position.board);
      board.set(
        { ...before, position: { ...position, board: checkers }, last: null },
        [{ n: 1, game: 1, seat: "white", text: play }],
      );
    },
  };
}

/** @param {HTMLElement} figure */
function draw(figure) {
  const place = figure.querySelector("[data-diagram]");
  if (!(place instanceof HTMLElement) || place.classList.contains("drawn")) return;
  place.classList.add("drawn");
  const content = JSON.parse(place.dataset.diagram ?? "");
  const { family } = content.position;
  const shown = family === "points" ? points(place, content) : squares(place, content);
  const button = figure.querySelector(".diagram-play");
  if (!(button instanceof HTMLButtonElement)) return;
  const label = button.textContent;
  let on = false;
  button.hidden = false;
  button.addEventListener("click", () => {
    on = !on;
    button.textContent = on ? gettext("Undo") : label;
    shown?.show(on);
  });
}

const figures = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("figure.diagram"));
const watch = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      watch.unobserve(target);
      draw(/** @type {HTMLElement} */ (target));
    }
  },
  { rootMargin: MARGIN },
);
for (const figure of figures) watch.observe(figure);
addEventListener("beforeprint", () => figures.forEach(draw));

const contents = document.querySelector(".rules-toc details");
if (contents instanceof HTMLDetailsElement && matchMedia("(width >= 60rem)").matches) contents.open = true;
