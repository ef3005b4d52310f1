/** TV: the best live match, large, and the next ones beside it. It changes by itself. */
import { Feed } from "./feed.js";
import { BoardGrid } from "./grid.js";
import { connectionNotice } from "./connection-notice.js";
import { FeaturedMatch } from "./featured-match.js";

/** @param {HTMLElement} page */
function switchOn(page) {
  /** @param {string} name */
  const part = (name) => /** @type {HTMLElement} */ (page.querySelector(`[data-part="${name}"]`));
  const featured = new FeaturedMatch(part("stage"));
  const grid = new BoardGrid(part("queue"));
  const watch = /** @type {HTMLAnchorElement} */ (part("watch"));
  const list = document.querySelector("#live-boards-list");
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
      featured.show(board, null);
    },
    onBoard: (board, before) => {
      if (board.id === large) featured.show(board, before);
      else grid.show(board);
    },
    onLink: connectionNotice(document.querySelector("#live-boards-lost")),
  });
  feed.start();
}

const page = /** @type {HTMLElement | null} */ (document.querySelector("#tv-page"));
if (page) switchOn(page);
