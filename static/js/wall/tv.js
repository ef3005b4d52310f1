/** Television: the best live match, large, and the next ones beside it. It changes over by itself. */
import { Feed } from "./feed.js";
import { Grid } from "./grid.js";
import { linkSign } from "./link.js";
import { Stage } from "./stage.js";

/** @param {HTMLElement} page */
function switchOn(page) {
  /** @param {string} name */
  const part = (name) => /** @type {HTMLElement} */ (page.querySelector(`[data-part="${name}"]`));
  const stage = new Stage(part("stage"));
  const grid = new Grid(part("queue"));
  const watch = /** @type {HTMLAnchorElement} */ (part("watch"));
  const list = document.querySelector("#wall-list");
  let large = "";
  const feed = new Feed({
    query: () => "?show=tv",
    onBoards: ([first, ...rest]) => {
      list?.remove();
      grid.lay(rest, feed.boards);
      part("stage").hidden = !first;
      part("empty").hidden = !!first;
      part("next").hidden = rest.length === 0;
      const board = first && feed.boards.get(first);
      if (!board || first === large) return;
      large = first;
      watch.href = `/match/${first}/`;
      stage.show(board, null);
    },
    onBoard: (board, before) => {
      if (board.id === large) stage.show(board, before);
      else grid.show(board);
    },
    onLink: linkSign(document.querySelector("#wall-lost")),
  });
  feed.start();
}

const page = /** @type {HTMLElement | null} */ (document.querySelector("#tv-page"));
if (page) switchOn(page);
