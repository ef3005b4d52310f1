/**
 * The boards of a tournament on a large screen, by table. The page's part that names the tables is asked for again when
 * the tournament says that something changed; where more are played than fit, the screen turns over.
 */
import { listen } from "../listen.js";
import { Feed } from "./feed.js";
import { Grid } from "./grid.js";
import { linkSign } from "./link.js";

export const TURN = 20_000;
export const MOST = 16;
const EVERY = 20_000; // without a socket of the tournament
const SPREAD = 1500; // screens do not ask in the same moment

/**
 * Which boards of many are shown at a turn: parts of about the same size, none larger than fits.
 * @param {string[]} ids
 * @param {number} turn
 * @returns {string[]}
 */
export function turned(ids, turn) {
  const parts = Math.max(1, Math.ceil(ids.length / MOST));
  const at = turn % parts;
  return ids.slice(Math.floor((at * ids.length) / parts), Math.floor(((at + 1) * ids.length) / parts));
}

/** @param {HTMLElement} wall */
function hang(wall) {
  let turn = 0;
  let version = -1;
  const part = () => document.querySelector("#boards-live");
  /** @returns {Map<string, string>} what stands over the board of each match */
  const tables = () => new Map([...(part()?.querySelectorAll("[data-match]") ?? [])].map((one) => {
    const { match, table } = /** @type {HTMLElement} */ (one).dataset;
    return [match ?? "", table ?? ""];
  }));
  const grid = new Grid(wall, { label: (id) => tables().get(id) ?? "" });
  const feed = new Feed({
    query: () => `?from=${encodeURIComponent(wall.dataset.from ?? "")}`,
    onBoards: (ids) => grid.lay(ids, feed.boards),
    onBoard: (board) => grid.show(board),
    onLink: linkSign(document.querySelector("#wall-lost")),
  });

  function ask() {
    const ids = [...tables().keys()];
    const parts = Math.max(1, Math.ceil(ids.length / MOST));
    if (ids.length) feed.show(turned(ids, turn));
    wall.hidden = ids.length === 0;
    const page = document.querySelector("#boards-page");
    if (page) page.textContent = parts > 1 ? `${(turn % parts) + 1}/${parts}` : "";
  }

  async function refresh() {
    try {
      const answer = await fetch(wall.dataset.live ?? "", { headers: { Accept: "text/html" }, cache: "no-store" });
      if (!answer.ok) return;
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
      part()?.replaceChildren(...fresh.body.childNodes);
      ask();
    } catch {
      // no connection: the next look comes
    }
  }

  ask();
  feed.start();
  setInterval(() => {
    turn += 1;
    ask();
  }, TURN);
  setInterval(refresh, EVERY);
  listen({
    path: () => `/ws/tournaments/${wall.dataset.id}/`,
    beat: EVERY,
    onOpen: () => undefined,
    onMessage: (message) => {
      if (message.t !== "tournament" || message.version === version) return;
      version = message.version;
      setTimeout(refresh, Math.random() * SPREAD);
    },
    onClose: () => undefined,
  });
}

if (typeof document !== "undefined") {
  const wall = /** @type {HTMLElement | null} */ (document.querySelector("#tournament-wall"));
  if (wall) hang(wall);
}
