/** How men, kings, dice and the sign of a man that can be huffed look. Nothing here moves. */
import { MAN } from "./geometry.js";
import { draw, gradient } from "../board/svg.js";
import { gettext } from "../words.js";

const CROWN = "M-9.6 5.2L-11.4 -5.6L-5.6 -1.2L0 -9L5.6 -1.2L11.4 -5.6L9.6 5.2Z";
const PIPS = [
  [], [[0, 0]], [[-1, -1], [1, 1]], [[-1, -1], [0, 0], [1, 1]], [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]], [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]],
];

/** @param {string} id */
export function definitions(id) {
  const round = { cx: 0.36, cy: 0.3, r: 0.8 };
  return draw("defs", {}, [
    ...["white", "black"].flatMap((colour) => [
      gradient("radialGradient", `${id}-${colour}`, round, [[0, `m-${colour}-hi`], [0.55, `m-${colour}`], [1, `m-${colour}-lo`]]),
      gradient("linearGradient", `${id}-${colour}-rim`, { x1: 0, y1: 0, x2: 0.5, y2: 1 }, [[0, `m-${colour}-hi`], [1, `m-${colour}-rim`]]),
    ]),
    gradient("linearGradient", `${id}-die`, { x1: 0, y1: 0, x2: 0.6, y2: 1 }, [[0, "d-hi"], [1, "d-lo"]]),
    gradient("linearGradient", `${id}-die-dark`, { x1: 0, y1: 0, x2: 0.6, y2: 1 }, [[0, "d-dark-hi"], [1, "d-dark-lo"]]),
  ]);
}

/**
 * A man; the class `king` shows the second man on top of him, with the crown.
 * @param {Side} colour
 * @param {string} id
 */
export function drawPiece(colour, id) {
  return draw("g", { class: `man ${colour}` }, [
    draw("g", { class: "disc" }, [
      draw("ellipse", { class: "shadow", cx: 1.2, cy: 3, rx: MAN + 0.4, ry: MAN }),
      ...disc(colour, id),
      draw("g", { class: "crowned" }, [
        draw("ellipse", { class: "shadow", cx: 0.8, cy: -2.6, rx: MAN, ry: MAN }),
        draw("g", { transform: "translate(0 -5.4)" }, [
          ...disc(colour, id),
          draw("path", { class: "crown", d: CROWN }),
          draw("path", { class: "crown-band", d: "M-9.4 8.6H9.4" }),
        ]),
      ]),
    ]),
    draw("circle", { class: "halo", r: MAN + 1.4 }),
  ]);
}

/** @param {Side} colour @param {string} id */
function disc(colour, id) {
  return [
    draw("circle", { class: "body", r: MAN, fill: `url(#${id}-${colour}-rim)` }),
    draw("circle", { class: "face", r: MAN - 2.6, fill: `url(#${id}-${colour})` }),
    draw("circle", { class: "groove", r: MAN - 6 }),
    draw("circle", { class: "groove fine", r: MAN - 8.4 }),
  ];
}

/** @param {DieDrawn} die @param {string} id */
export function drawDie(die, id) {
  const size = 47;
  const box = { x: -size / 2, y: -size / 2, width: size, height: size, rx: 9.5 };
  return draw("g", { class: `die ${die.mark ?? ""}` }, [
    draw("rect", { ...box, class: "shadow", x: box.x + 1, y: box.y + 3.6 }),
    draw("rect", { ...box, class: "face", fill: `url(#${id}-die${die.mark === "black" ? "-dark" : ""})` }),
    ...PIPS[die.value].map(([x, y]) => draw("circle", { class: "pip", cx: x * 12.4, cy: y * 12.4, r: 4.7 })),
  ]);
}

/** A breath beside the man: he can be huffed. */
export function drawHuff() {
  const title = draw("title");
  title.textContent = gettext("Can be huffed");
  return draw("g", { class: "huff" }, [
    title,
    draw("circle", { class: "huff-ring", r: MAN + 1.4 }),
    draw("g", { transform: "translate(16 -16)" }, [
      draw("circle", { class: "huff-badge", r: 9.6 }),
      draw("path", { class: "huff-breath", d: "M-5.6 -1.2H1.4a2.3 2.3 0 1 0 -2.2 -3M-5.6 1.9H3.6a2.1 2.1 0 1 1 -2 2.8M-3.6 4.9H-1.6" }),
    ]),
  ]);
}
