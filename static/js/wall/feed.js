/**
 * The boards that a screen shows, as the server tells of them over `/ws/wall/`: which ones, in which places, and each as
 * it is now. It comes back for ever; a board of which something was lost is asked for again.
 */
import { listen } from "../listen.js";

export const BEAT = 5000;

/**
 * @typedef {object} Wishes
 * @property {() => string} query of the socket's address
 * @property {(ids: string[]) => void} onBoards the boards in their places; all of them are in `boards`
 * @property {(board: WallBoard, before: WallBoard | null) => void} onBoard one of them changed
 * @property {(open: boolean) => void} [onLink]
 * @property {(url: string) => WebSocket} [open]
 */

export class Feed {
  /** @type {Map<string, WallBoard>} */
  boards = new Map();
  /** @type {string[]} */
  ids = [];
  /** @type {WebSocket | null} */
  #socket = null;
  /** @type {string[] | null} what the page wants to see; null: the server chooses */
  #wanted = null;
  /** @type {string[] | null} what the address of the socket named: its first list is of these */
  #named = null;
  /** a new line is open: its first list is true, also where the site was put back to a backup and knows less than we */
  #afresh = false;

  /** @param {Wishes} wishes */
  constructor(wishes) {
    this.wishes = wishes;
  }

  start() {
    const { query, onLink, open = (url) => new WebSocket(url) } = this.wishes;
    listen({
      path: () => {
        this.#named = this.#wanted;
        const asked = new URLSearchParams(query());
        if (this.#named) asked.set("ids", this.#named.join(","));
        return `/ws/wall/?${asked}`;
      },
      beat: BEAT,
      open: (url) => (this.#socket = open(url)),
      onOpen: () => {
        this.#afresh = true;
        if (this.#wanted && this.#wanted !== this.#named) this.#say({ t: "show", ids: this.#wanted });
        onLink?.(true);
      },
      onMessage: (message) => this.hear(message),
      onClose: () => onLink?.(false),
    });
  }

  /** Shows these boards instead of what the server would choose. @param {string[]} ids */
  show(ids) {
    if (JSON.stringify(ids) === JSON.stringify(this.#wanted)) return;
    this.#wanted = ids;
    this.#say({ t: "show", ids });
  }

  /** @param {WallMessage} message */
  hear(message) {
    if (message.t === "boards") this.#all(message);
    else if (message.t === "board") this.#one(message);
    else if (message.t === "pong") this.#beat(message.versions);
  }

  /** @param {WallBoardsMessage} message */
  #all({ ids, boards }) {
    const before = this.boards;
    const told = new Map(boards.map((board) => [board.id, board]));
    this.boards = new Map();
    for (const id of ids) {
      const board = newer(this.#afresh ? undefined : before.get(id), told.get(id));
      if (board) this.boards.set(id, board);
    }
    this.#afresh = false;
    this.ids = ids.filter((id) => this.boards.has(id));
    this.wishes.onBoards(this.ids);
    for (const id of this.ids) {
      const board = this.boards.get(id);
      if (board && told.has(id)) this.wishes.onBoard(board, before.get(id) ?? null);
    }
  }

  /** @param {WallBoardMessage} message */
  #one(message) {
    const before = this.boards.get(message.id);
    if (!before || message.version < before.version) return;
    const board = { ...before, ...message, heard: performance.now() };
    this.boards.set(board.id, board);
    this.wishes.onBoard(board, before);
  }

  /** @param {Record<string, number>} versions */
  #beat(versions) {
    const stale = this.ids.filter((id) => (versions[id] ?? 0) > (this.boards.get(id)?.version ?? 0));
    if (stale.length) this.#say({ t: "again", ids: stale });
  }

  /** @param {object} frame */
  #say(frame) {
    if (this.#socket?.readyState === 1) this.#socket.send(JSON.stringify(frame));
  }
}

/**
 * What is known of a board after a list: a word about it may have come before the list did.
 * @param {WallBoard | undefined} had
 * @param {WallBoard | undefined} told
 */
function newer(had, told) {
  if (!told || (had && had.version > told.version)) return had;
  return { ...told, heard: performance.now() };
}

/**
 * A board as the pages of a match know it: the state of a spectator.
 * @param {WallBoard} board
 * @returns {State}
 */
export function stateOf({ id, about, version, status, game, score, result, position, clock, paused, offer, last, ended }) {
  return {
    version,
    you: null,
    match: {
      id,
      variant: about.variant,
      family: position.family,
      length: about.length,
      rated: about.rated,
      status,
      options: {},
      clock: about.clock,
      players: about.players,
      score,
      game,
      result,
      ratings: null,
      rematch: null,
      arranged: false,
      title: about.title,
      from_url: about.from_url,
    },
    position,
    may: [],
    offer,
    ready: [],
    resigns_at_once: false,
    clock,
    paused,
    last,
    ended,
  };
}

/**
 * What led from one look at a board to the next, for showing it: the last play, and its roll where that was not seen. Of
 * what came in one frame with more than one turn nothing is told.
 * @param {WallBoard | null} before
 * @param {WallBoard} after
 * @returns {Action[]}
 */
export function playBetween(before, after) {
  const { last, game, version } = after;
  if (!before || before.game !== game || !last || version <= before.version || version > before.version + 3) return [];
  if (JSON.stringify(before.last) === JSON.stringify(last) || before.position.phase === "over") return [];
  const seen = before.position.phase === "move";
  if (seen && before.position.turn !== last.seat) return [];
  /** @type {Omit<Action, "n" | "game">[]} */
  const acts = [{ seat: last.seat, text: last.text }];
  if (!seen && last.dice?.length) acts.unshift({ seat: last.seat, text: "roll" }, { seat: "chance", text: `dice ${last.dice.join("")}` });
  return acts.map((act, i) => ({ ...act, n: version - acts.length + 1 + i, game }));
}
