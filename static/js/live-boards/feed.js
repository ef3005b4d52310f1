/**
 * The boards that a screen shows, as the server sends them over `/ws/wall/`: which ones, in which places, and each as
 * it is now. It reconnects for ever; a board that missed a message is asked for again.
 */
import { reconnectingSocket } from "../reconnecting-socket.js";

/** Milliseconds between two heartbeats. */
export const BEAT = 5000;

/**
 * @typedef {object} FeedOptions
 * @property {() => string} query of the socket's address
 * @property {(ids: string[]) => void} onBoards the boards in their places; all of them are in `boards`
 * @property {(board: LiveBoard, before: LiveBoard | null) => void} onBoard one of them changed
 * @property {(open: boolean) => void} [onLink]
 * @property {(url: string) => WebSocket} [open]
 */

export class Feed {
  /** @type {Map<string, LiveBoard>} */
  boards = new Map();
  /** @type {string[]} */
  ids = [];
  /** @type {WebSocket | null} */
  #socket = null;
  /** @type {string[] | null} what the page wants to see; null: the server chooses */
  #wanted = null;
  /** @type {string[] | null} what the address of the socket named: its first list is of these */
  #named = null;
  /** the socket is new: its first list is true, also where the site was restored from a backup and knows less than the page */
  #reconnected = false;

  /** @param {FeedOptions} options */
  constructor(options) {
    this.options = options;
  }

  start() {
    const { query, onLink, open = (url) => new WebSocket(url) } = this.options;
    reconnectingSocket({
      path: () => {
        this.#named = this.#wanted;
        const parameters = new URLSearchParams(query());
        if (this.#named) parameters.set("ids", this.#named.join(","));
        return `/ws/wall/?${parameters}`;
      },
      beat: BEAT,
      open: (url) => (this.#socket = open(url)),
      onOpen: () => {
        this.#reconnected = true;
        if (this.#wanted && this.#wanted !== this.#named) this.#send({ t: "show", ids: this.#wanted });
        onLink?.(true);
      },
      onMessage: (message) => this.receive(message),
      onClose: () => onLink?.(false),
    });
  }

  /** Shows these boards instead of what the server would choose. @param {string[]} ids */
  show(ids) {
    if (JSON.stringify(ids) === JSON.stringify(this.#wanted)) return;
    this.#wanted = ids;
    this.#send({ t: "show", ids });
  }

  /** @param {LiveBoardsFrame} message */
  receive(message) {
    if (message.t === "boards") this.#replaceAll(message);
    else if (message.t === "board") this.#replaceBoard(message);
    else if (message.t === "pong") this.#askForMissed(message.versions);
  }

  /** @param {LiveBoardsMessage} message */
  #replaceAll({ ids, boards }) {
    const before = this.boards;
    const received = new Map(boards.map((board) => [board.id, board]));
    this.boards = new Map();
    for (const id of ids) {
      const board = newer(this.#reconnected ? undefined : before.get(id), received.get(id));
      if (board) this.boards.set(id, board);
    }
    this.#reconnected = false;
    this.ids = ids.filter((id) => this.boards.has(id));
    this.options.onBoards(this.ids);
    for (const id of this.ids) {
      const board = this.boards.get(id);
      if (board && received.has(id)) this.options.onBoard(board, before.get(id) ?? null);
    }
  }

  /** @param {LiveBoardMessage} message */
  #replaceBoard(message) {
    const before = this.boards.get(message.id);
    if (!before || message.version < before.version) return;
    const board = { ...before, ...message, receivedAt: performance.now() };
    this.boards.set(board.id, board);
    this.options.onBoard(board, before);
  }

  /** @param {Record<string, number>} versions */
  #askForMissed(versions) {
    const stale = this.ids.filter((id) => (versions[id] ?? 0) > (this.boards.get(id)?.version ?? 0));
    if (stale.length) this.#send({ t: "again", ids: stale });
  }

  /** @param {object} frame */
  #send(frame) {
    if (this.#socket?.readyState === 1) this.#socket.send(JSON.stringify(frame));
  }
}

/**
 * What is known of a board after a list: a message about it may have come before the list did.
 * @param {LiveBoard | undefined} known
 * @param {LiveBoard | undefined} received
 */
function newer(known, received) {
  if (!received || (known && known.version > received.version)) return known;
  return { ...received, receivedAt: performance.now() };
}

/**
 * A board as the pages of a match know it: the state of a spectator.
 * @param {LiveBoard} board
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
      taken_back: 0,
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
 * @param {LiveBoard | null} before
 * @param {LiveBoard} after
 * @returns {Action[]}
 */
export function playBetween(before, after) {
  const { last, game, version } = after;
  if (!before || before.game !== game || !last || version <= before.version || version > before.version + 3) return [];
  if (JSON.stringify(before.last) === JSON.stringify(last) || before.position.phase === "over") return [];
  const rollWasShown = before.position.phase === "move";
  if (rollWasShown && before.position.turn !== last.seat) return [];
  /** @type {Omit<Action, "n" | "game">[]} */
  const acts = [{ seat: last.seat, text: last.text }];
  if (!rollWasShown && last.dice?.length) acts.unshift({ seat: last.seat, text: "roll" }, { seat: "chance", text: `dice ${last.dice.join("")}` });
  return acts.map((act, i) => ({ ...act, n: version - acts.length + 1 + i, game }));
}
