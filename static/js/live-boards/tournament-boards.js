/**
 * The boards of a tournament on a large screen, by table. The page's part that names the tables is asked for again when
 * the tournament says that something changed; where more are played than fit, they are shown in turns.
 */
import { reconnectingSocket } from "../reconnecting-socket.js";
import { Feed } from "./feed.js";
import { BoardGrid } from "./grid.js";
import { connectionNotice } from "./connection-notice.js";

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
export function boardsOnPage(ids, turn) {
  const parts = Math.max(1, Math.ceil(ids.length / MOST));
  const at = turn % parts;
  return ids.slice(Math.floor((at * ids.length) / parts), Math.floor(((at + 1) * ids.length) / parts));
}

/** @param {HTMLElement} holder */
function mount(holder) {
  let turn = 0;
  let version = -1;
  const part = () => document.querySelector("#boards-live");
  /** @returns {Map<string, string>} what stands over the board of each match */
  const tables = () => new Map([...(part()?.querySelectorAll("[data-match]") ?? [])].map((place) => {
    const { match, table } = /** @type {HTMLElement} */ (place).dataset;
    return [match ?? "", table ?? ""];
  }));
  const grid = new BoardGrid(holder, { label: (id) => tables().get(id) ?? "" });
  const feed = new Feed({
    query: () => `?from=${encodeURIComponent(holder.dataset.from ?? "")}`,
    onBoards: (ids) => grid.lay(ids, feed.boards),
    onBoard: (board) => grid.show(board),
    onLink: connectionNotice(document.querySelector("#live-boards-lost")),
  });

  function showPage() {
    const ids = [...tables().keys()];
    const parts = Math.max(1, Math.ceil(ids.length / MOST));
    if (ids.length) feed.show(boardsOnPage(ids, turn));
    holder.hidden = ids.length === 0;
    const page = document.querySelector("#boards-page");
    if (page) page.textContent = parts > 1 ? `${(turn % parts) + 1}/${parts}` : "";
  }

  async function refresh() {
    try {
      const answer = await fetch(holder.dataset.live ?? "", { headers: { Accept: "text/html" }, cache: "no-store" });
      if (!answer.ok) return;
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      part()?.replaceChildren(...page.body.childNodes);
      showPage();
    } catch {
      // no connection: the next refresh comes
    }
  }

  showPage();
  feed.start();
  setInterval(() => {
    turn += 1;
    showPage();
  }, TURN);
  setInterval(refresh, EVERY);
  reconnectingSocket({
    path: () => `/ws/tournaments/${holder.dataset.id}/`,
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
  const holder = /** @type {HTMLElement | null} */ (document.querySelector("#tournament-live-boards"));
  if (holder) mount(holder);
}
