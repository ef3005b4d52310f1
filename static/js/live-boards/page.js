/** The page of live boards: the boards that the server chooses, in place of the list that the page came with. */
import { Feed } from "./feed.js";
import { BoardGrid } from "./grid.js";
import { connectionNotice } from "./connection-notice.js";

/** @param {HTMLElement} holder */
function mount(holder) {
  const empty = /** @type {HTMLElement | null} */ (document.querySelector("#live-boards-empty"));
  const list = document.querySelector("#live-boards-list");
  const grid = new BoardGrid(holder);
  const feed = new Feed({
    query: () => holder.dataset.query ?? "",
    onBoards: (ids) => {
      list?.remove();
      grid.lay(ids, feed.boards);
      if (empty) empty.hidden = ids.length > 0;
    },
    onBoard: (board) => grid.show(board),
    onLink: connectionNotice(document.querySelector("#live-boards-lost")),
  });
  feed.start();
}

const holder = /** @type {HTMLElement | null} */ (document.querySelector("#live-boards"));
if (holder) mount(holder);
for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll("form[data-boards-filter]"))) {
  form.addEventListener("change", () => form.requestSubmit());
}
