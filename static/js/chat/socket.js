/**
 * The connection to the chat of a match: a socket that comes back by itself, and HTTP in its place. What is said goes out under an
 * id of its own until it is answered, so that it is said once.
 */
import { reconnectingSocket } from "../reconnecting-socket.js";
import { UNWRITABLE } from "../unwritable.js";

const BEAT = 30_000;
const POLL = 15_000;
const UNANSWERED = 8000;

/** @typedef {{t: "say", id: string, text?: string, phrase?: string}} Say */

/**
 * @typedef {object} Options
 * @property {string | null} socket the address of the socket; none where nothing more is said
 * @property {string} url the same over HTTP
 * @property {() => number} last the last message that the page has
 * @property {(frame: ChatFrame) => void} onFrame
 * @property {() => string} csrf
 * @property {typeof fetch} [fetch]
 */

export class ChatSocket {
  /** @type {WebSocket | null} */
  #socket = null;
  /** @type {Map<string, {frame: Say, sent: number}>} */
  #unanswered = new Map();
  #count = 0;

  /** @param {Options} options */
  constructor(options) {
    this.options = { fetch: globalThis.fetch.bind(globalThis), ...options };
    const bytes = crypto.getRandomValues(new Uint8Array(8));
    this.page = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  /** Connects; where there is no socket, reads once. */
  start() {
    const { socket } = this.options;
    if (!socket) {
      void this.read();
      return;
    }
    reconnectingSocket({
      path: () => `${socket}?after=0`,
      beat: BEAT,
      onOpen: () => {
        for (const entry of this.#unanswered.values()) this.#deliver(entry);
      },
      onMessage: (frame) => this.#receive(frame),
      onClose: () => {},
      open: (url) => {
        this.#socket = new WebSocket(url);
        return this.#socket;
      },
    });
    setInterval(() => this.#poll(), POLL);
    setInterval(() => this.#resend(), UNANSWERED);
  }

  /** Says something and returns its id. @param {{text: string} | {phrase: string}} words */
  sendMessage(words) {
    this.#count += 1;
    /** @type {Say} */
    const frame = { t: "say", id: `${this.page}-${this.#count}`, ...words };
    const entry = { frame, sent: 0 };
    this.#unanswered.set(frame.id, entry);
    this.#deliver(entry);
    return frame.id;
  }

  /** Reads over HTTP: what there is, or what is before a message. @param {number} [before] */
  async read(before) {
    await this.#http(before === undefined ? "" : `?before=${before}`, {}, null);
  }

  /** Sends a small request beside the chat; its answer, or null where it failed. @param {string} url @param {object} body */
  async post(url, body) {
    try {
      const answer = await this.options.fetch(url, this.#request(body));
      return answer.ok ? await answer.json() : null;
    } catch {
      return null;
    }
  }

  get #open() {
    return this.#socket?.readyState === 1;
  }

  /** @param {ChatFrame} frame */
  #receive(frame) {
    if (frame.t === "refused" && frame.code === UNWRITABLE) return; // kept, and sent again
    if ((frame.t === "ack" || frame.t === "refused") && frame.id) this.#unanswered.delete(frame.id);
    this.options.onFrame(frame);
  }

  /** @param {{frame: Say, sent: number}} entry */
  #deliver(entry) {
    entry.sent = Date.now();
    if (this.#open) this.#socket?.send(JSON.stringify(entry.frame));
    else void this.#http("say/", this.#request(entry.frame), entry.frame.id);
  }

  #resend() {
    for (const entry of this.#unanswered.values()) if (Date.now() - entry.sent >= UNANSWERED) this.#deliver(entry);
  }

  /** Where the socket is blocked the page polls. */
  #poll() {
    if (!this.#open && !document.hidden) void this.read();
  }

  /** @param {object} body @returns {RequestInit} */
  #request(body) {
    const headers = { "Content-Type": "application/json", "X-CSRFToken": this.options.csrf() };
    return { method: "POST", body: JSON.stringify(body), headers, credentials: "same-origin" };
  }

  /**
   * One request. Its answers lack what a frame carries.
   * @param {string} path
   * @param {RequestInit} request
   * @param {string | null} id of what was said
   */
  async #http(path, request, id) {
    try {
      const answer = await this.options.fetch(this.options.url + path, request);
      if (answer.status >= 500) return;
      const body = await answer.json();
      if (answer.ok) this.#receive(id ? { t: "ack", id, ...body } : body);
      else if (id) this.#receive({ ...body, t: "refused", id });
      if (id && answer.ok) await this.read();
    } catch {
      // the next poll finds it
    }
  }
}
