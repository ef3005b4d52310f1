/** The page of the wall: the boards that the server chooses, in place of the list that the page came with. */
import { Feed } from "./feed.js";
import { Grid } from "./grid.js";
import { linkSign } from "./link.js";

/** @param {HTMLElement} wall */
function hang(wall) {
  const empty = /** @type {HTMLElement | null} */ (document.querySelector("#wall-empty"));
  const list = document.querySelector("#wall-list");
  const grid = new Grid(wall);
  const feed = new Feed({
    query: () => wall.dataset.query ?? "",
    onBoards: (ids) => {
      list?.remove();
      grid.lay(ids, feed.boards);
      if (empty) empty.hidden = ids.length > 0;
    },
    onBoard: (board) => grid.show(board),
    onLink: linkSign(document.querySelector("#wall-lost")),
  });
  feed.start();
}

const wall = /** @type {HTMLElement | null} */ (document.querySelector("#wall"));
if (wall) hang(wall);
for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll("form[data-wall-filter]"))) {
  form.addEventListener("change", () => form.requestSubmit());
}
