/** How men, kings and the sign of a man that can be huffed look. Nothing here moves. */
import { draw } from "../board/svg.js";
import { pieceDisc } from "../board/textures.js";
import { gettext } from "../i18n.js";
import { PIECE_RADIUS } from "./geometry.js";

const GROOVES = /** @type {[number, number]} */ ([6, 8.4]);
const CROWN = "M-9.6 5.2L-11.4 -5.6L-5.6 -1.2L0 -9L5.6 -1.2L11.4 -5.6L9.6 5.2Z";

/**
 * A man; the class `king` shows the second man on top, with the crown.
 * @param {Side} colour
 * @param {string} id
 */
export function drawPiece(colour, id) {
  return draw("g", { class: `piece ${colour}` }, [
    draw("g", { class: "disc" }, [
      draw("ellipse", { class: "shadow", cx: 1.2, cy: 3, rx: PIECE_RADIUS + 0.4, ry: PIECE_RADIUS }),
      ...pieceDisc(colour, id, PIECE_RADIUS, GROOVES),
      draw("g", { class: "crowned" }, [
        draw("ellipse", { class: "shadow", cx: 0.8, cy: -2.6, rx: PIECE_RADIUS, ry: PIECE_RADIUS }),
        draw("g", { transform: "translate(0 -5.4)" }, [
          ...pieceDisc(colour, id, PIECE_RADIUS, GROOVES),
          draw("path", { class: "crown", d: CROWN }),
          draw("path", { class: "crown-band", d: "M-9.4 8.6H9.4" }),
        ]),
      ]),
    ]),
    draw("circle", { class: "halo", r: PIECE_RADIUS + 1.4 }),
  ]);
}

/** A breath beside a man that can be huffed. */
export function drawHuff() {
  const title = draw("title");
  title.textContent = gettext("Can be huffed");
  return draw("g", { class: "huff" }, [
    title,
    draw("circle", { class: "huff-ring", r: PIECE_RADIUS + 1.4 }),
    draw("g", { transform: "translate(16 -16)" }, [
      draw("circle", { class: "huff-badge", r: 9.6 }),
      draw("path", { class: "huff-breath", d: "M-5.6 -1.2H1.4a2.3 2.3 0 1 0 -2.2 -3M-5.6 1.9H3.6a2.1 2.1 0 1 1 -2 2.8M-3.6 4.9H-1.6" }),
    ]),
  ]);
}
