/**
 * The line to the match: one WebSocket, kept alive, resumed after every loss, with the HTTP API in its place where sockets
 * are blocked. Contract: docs/protocol.md. An act is sent again under its own id until it is answered, so that nothing is
 * lost and nothing happens twice. Versions make sure that every action is shown once and in order.
 */
import { Outbox } from "./outbox.js";
import { UNWRITABLE } from "../unwritable.js";
import { RESTARTS, retryDelay } from "./retry.js";

const PING = 4000;
const DEAD = 8000; // looked at every second: a dead line is seen within 9
const NO_ANSWER = 16_000; // to a new line: longer than the site waits for its database before it says that it has none
const POLL = 3000;
const GRACE = 400;
const TRIES_BEFORE_HTTP = 2;
const RESTART = 60_000; // a small, busy machine starts within it; later it is an outage

/** @typedef {import("./outbox.js").Ask} Ask */
/** @typedef {"connecting" | "open" | "http" | "restarting" | "offline" | "logged-out" | "kept-out" | "too-many"} Link */

/**
 * @typedef {object} Options
 * @property {string} socketUrl
 * @property {string} apiUrl
 * @property {number} version the version of the state already drawn
 * @property {Side | null} [you] the seat of the viewer in it
 * @property {(state: State, actions: Action[]) => void} onState a newer state, and the actions that led from ours to it
 * @property {(actions: Action[]) => void} [onRecord] actions of the record, also those that were seen before
 * @property {(message: AckMessage | RefusedMessage | WhyMessage | PresenceMessage | PongMessage) => void} onMessage
 * @property {(link: Link) => void} onLink
 * @property {() => void} [onBack] the site has an earlier version than ours: it was put back to a backup
 * @property {(text: string) => void} [onUnwritable] the site can save nothing now; what was asked is kept and sent again
 * @property {() => string} [csrf]
 * @property {(url: string) => WebSocket} [open]
 * @property {typeof fetch} [fetch]
 * @property {() => number} [now]
 * @property {() => number} [random]
 */

export class MatchSocket {
  /** @type {WebSocket | null} */
  #socket = null;
  #lastReceived = 0;
  #tries = 0;
  #stopped = false;
  #retry = 0;
  #beat = 0;
  #polled = 0;
  #syncing = 0;
  /** The last action that we received. Where the site has another one under its number, it was restored from a backup. @type {Action | null} */
  #last = null;
  /** until when the site is restarting, and nobody need worry */
  #restarting = 0;
  /** the server says that we are logged out: another page may have changed the session, so it is asked once more */
  #doubted = false;
  /** @type {Link} */
  link = "connecting";

  /** @param {Options} options */
  constructor(options) {
    this.options = {
      csrf: () => "",
      open: (/** @type {string} */ url) => new WebSocket(url),
      fetch: globalThis.fetch.bind(globalThis),
      now: () => performance.now(),
      random: Math.random,
      onRecord: () => {},
      onBack: () => {},
      onUnwritable: () => {},
      ...options,
    };
    this.version = options.version;
    this.seated = Boolean(options.you);
    this.outbox = new Outbox(this.options.now, (frame) => this.#deliver(frame));
  }

  start() {
    this.#stopped = false;
    this.#beat = Number(setInterval(() => this.#heartbeat(), 1000));
    this.#connect();
  }

  stop() {
    this.#stopped = true;
    clearInterval(this.#beat);
    clearTimeout(this.#retry);
    this.#socket?.close();
  }

  /** This window is the one to use, where the site was open in too many. */
  resume() {
    if (!this.#stopped) return;
    this.#tries = 0;
    this.start();
  }

  /**
   * Acts. The answer comes as `ack` or `refused` with the id that is returned.
   * @param {string} action
   * @param {{c?: string}} [element] of a roll: the next number of the roller's chain
   */
  act(action, { c } = {}) {
    return this.outbox.keep({ t: "act", id: this.outbox.id(), after: this.version, action, ...(c && { c }) });
  }

  /** Gives what the dice need of this seat. Answered like an act. @param {import("../dice/participant.js").DiceFrame} frame */
  give(frame) {
    return this.outbox.keep({ ...frame, id: this.outbox.id() });
  }

  /** Says beforehand what the site does for this seat. Answered like an act. @param {string} order */
  order(order) {
    return this.outbox.keep({ t: "order", id: this.outbox.id(), after: this.version, order });
  }

  /** Asks for something beside the game. Answered like an act. @param {Ask["t"]} t */
  ask(t) {
    return this.outbox.keep({ t, id: this.outbox.id() });
  }

  /**
   * Asks why a half-move is illegal.
   * @param {string} path
   * @param {string} attempt
   */
  why(path, attempt) {
    const id = this.outbox.id();
    if (this.#send({ t: "why", id, path, attempt })) return;
    void this.#http(`why/?${new URLSearchParams({ path, attempt })}`, {}, { t: "why", id });
  }

  /** Asks for what came after our version. */
  sync() {
    const now = this.options.now();
    if (now - this.#syncing < 500) return;
    this.#syncing = now;
    if (!this.#send({ t: "sync", after: this.version })) void this.#poll();
  }

  /** The page came back to sight: a phone may have slept through a dead line. */
  wake() {
    if (this.#stopped) return;
    if (this.#isOpen()) {
      this.#lastReceived = Math.min(this.#lastReceived, this.options.now() - DEAD + 3000);
      this.sync();
    } else {
      clearTimeout(this.#retry);
      this.#tries = 0;
      this.#connect();
    }
  }

  /** The browser says that the network is gone. Where that is not true, the next try is open at once. */
  lost() {
    if (this.#stopped || !this.#socket) return;
    this.#giveUp(this.#socket);
    this.#set("offline");
  }

  /** From where to ask after a loss: the last action that we know is sent once more, to be compared. */
  #before() {
    return Math.max(0, Math.min(this.version, this.#last?.n ?? this.version) - 1);
  }

  #isOpen() {
    return this.#socket?.readyState === 1;
  }

  /** @param {object} frame */
  #send(frame) {
    if (!this.#isOpen()) return false;
    this.#socket?.send(JSON.stringify(frame));
    return true;
  }

  #connect() {
    if (this.#stopped || (this.#socket && this.#socket.readyState < 2)) return;
    const socket = this.options.open(this.options.socketUrl);
    this.#socket = socket;
    this.#lastReceived = this.options.now();
    /** What the site had said before this line was asked for: its first word is read later. @type {number | null} */
    let held = this.version;
    socket.onopen = () => {
      this.#tries = 0;
      this.#restarting = 0;
      this.#lastReceived = this.options.now();
      this.#set("open");
      this.#send({ t: "sync", after: this.#before() });
      this.outbox.resend();
    };
    socket.onmessage = (event) => {
      this.#lastReceived = this.options.now();
      const message = JSON.parse(event.data);
      if (held !== null && message.t === "state") {
        if (message.version < held) return this.#back();
        held = null;
      }
      this.receive(message);
    };
    socket.onclose = (event) => {
      if (this.#socket === socket) this.#closed(event.code);
    };
  }

  /** @param {WebSocket} dead */
  #giveUp(dead) {
    this.#closed(4000);
    dead.close();
  }

  /** @param {number} code */
  #closed(code) {
    this.#socket = null;
    if (this.#stopped) return;
    if (code === 4401 && this.seated) {
      if (this.#doubted) {
        this.#logout();
        return;
      }
      this.#doubted = true;
    }
    if (code === 4403 || code === 4404 || code === 4430) {
      this.stop();
      if (code === 4403) this.#set("kept-out");
      if (code === 4430) this.#set("too-many");
      return;
    }
    this.#tries += 1;
    if (code === RESTARTS) this.#restart();
    else if (this.link !== "http") this.#set(this.#tries > 1 ? "offline" : "connecting");
    if (this.#tries >= TRIES_BEFORE_HTTP) void this.#poll();
    this.#retry = Number(setTimeout(() => this.#connect(), retryDelay(code, this.#tries, this)));
  }

  /** What we hold has never been, as far as the site knows: only a new page takes its word for all of it. */
  #back() {
    if (this.#stopped) return;
    this.stop();
    this.options.onBack();
  }

  /** The site says that it restarts. */
  #restart() {
    this.#restarting = this.options.now() + RESTART;
    this.#set("restarting");
  }

  #logout() {
    this.stop();
    this.#set("logged-out");
  }

  #heartbeat() {
    const now = this.options.now();
    if (this.#isOpen()) {
      if (this.#socket && now - this.#lastReceived > DEAD) {
        this.#giveUp(this.#socket);
        return;
      }
      if (now - this.#polled >= PING) {
        this.#polled = now;
        this.#send({ t: "ping" });
      }
    } else if (this.#socket && now - this.#lastReceived > NO_ANSWER) {
      this.#giveUp(this.#socket);
    } else if (this.link === "http" || this.#tries >= TRIES_BEFORE_HTTP) {
      if (now - this.#polled >= POLL) void this.#poll();
    }
    this.outbox.late();
  }

  /** @param {import("./outbox.js").Frame} frame */
  #deliver(frame) {
    if (this.#send(frame)) return;
    if (this.link === "http" || this.#tries >= TRIES_BEFORE_HTTP) void this.#post(frame);
  }

  /** @param {import("./outbox.js").Frame} frame */
  async #post({ t, ...body }) {
    const request = {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "Content-Type": "application/json", "X-CSRFToken": this.options.csrf() },
    };
    await this.#http(`${t}/`, request, { t: "ack", id: body.id });
    await this.#poll();
  }

  async #poll() {
    this.#polled = this.options.now();
    await this.#http(`sync/?after=${this.#before()}`, {}, undefined, this.version);
  }

  /**
   * One request to the API. Its answers lack what a frame carries (`t`, `id`): `around` names them.
   * @param {string} path
   * @param {RequestInit} request
   * @param {{t: "ack" | "why", id: string}} [around]
   * @param {number} [held] our version when it was asked for
   */
  async #http(path, request, around, held = 0) {
    try {
      const answer = await this.options.fetch(this.options.apiUrl + path, {
        credentials: "same-origin",
        ...request,
        headers: { Accept: "application/json", ...request.headers },
      });
      if (answer.status >= 500) throw new Error(String(answer.status));
      const body = await answer.json();
      if (answer.ok && body.version < held) {
        this.#back();
        return;
      }
      if (!this.#isOpen()) this.#set("http");
      if (answer.ok) this.receive({ ...around, ...body });
      else if (answer.status === 401) this.#logout();
      else if (body.code && around) this.receive({ ...body, t: "refused", id: around.id, version: this.version });
      else if (answer.status === 403) this.#logout();
      if (body.state) this.receive(body.state);
    } catch {
      if (!this.#isOpen() && !this.#stopped) this.#set("offline");
    }
  }

  /** One message of the server, from whichever line. @param {ServerMessage} message */
  receive(message) {
    switch (message.t) {
      case "state":
        if (this.#doubted && !message.you) {
          this.#logout();
          break;
        }
        this.#doubted = false;
        // The same version again can still differ: who may act, an offer, the clock.
        if (message.version >= this.version) this.#take(message, []);
        break;
      case "event":
      case "actions":
        this.#actions(message);
        break;
      case "ack":
      case "refused":
        this.#answered(message);
        break;
      case "pong":
        if (message.stamp !== undefined) this.#send({ t: "lag", stamp: message.stamp }); // at once: the way is measured
        this.options.onMessage(message);
        this.#soon(message.version);
        break;
      case "restart":
        this.#restart();
        break;
      case "why":
      case "presence":
        this.options.onMessage(message);
        break;
      default:
    }
  }

  /** The answer to one of our frames. Where nothing can be saved it is none: the frame is kept, and sent again. @param {AckMessage | RefusedMessage} message */
  #answered(message) {
    if (message.t === "refused" && message.code === UNWRITABLE) {
      this.options.onUnwritable(message.text);
      return;
    }
    this.outbox.answered(message.id);
    this.options.onMessage(message);
    this.#soon(message.version);
  }

  /** An event comes by another way than an answer, and may be a moment later. @param {number} version that the server has */
  #soon(version) {
    const syncIfBehind = () => {
      if (version > this.version && !this.#stopped) this.sync();
    };
    if (version > this.version) setTimeout(syncIfBehind, GRACE);
  }

  /** @param {ActionsMessage} message */
  #actions(message) {
    if (message.actions.some((action) => action.n === this.#last?.n && action.at !== this.#last.at)) return this.#back();
    const latest = message.actions.at(-1);
    if (latest && latest.n >= (this.#last?.n ?? 0)) this.#last = latest;
    this.options.onRecord(message.actions);
    const more = Boolean(message.more && message.actions.length);
    if (more) this.#next(message.actions[message.actions.length - 1].n);
    if (message.version < this.version) return;
    if (message.version === this.version && message.t === "event") return;
    if (more) {
      // A long gap comes in pages: what is true now is shown at once, and the record fills.
      if (message.version > this.version) this.#take(message, []);
      return;
    }
    const news = message.actions.filter((action) => action.n > this.version);
    if (message.from <= this.version) {
      this.#take(message, news);
      return;
    }
    // We missed something: the state is true, its history is asked for.
    const after = this.version;
    this.#take(message, []);
    this.#next(after);
  }

  /** Asks for the actions after one that need not be our version. @param {number} after */
  #next(after) {
    if (!this.#send({ t: "sync", after })) void this.#http(`sync/?after=${after}`, {});
  }

  /** @param {State} state @param {Action[]} actions */
  #take(state, actions) {
    this.version = state.version;
    this.options.onState(state, actions);
  }

  /** @param {Link} link */
  #set(link) {
    const calm = link === "offline" || link === "connecting" || link === "http"; // all of them pass
    if (this.link === "restarting" && calm && this.options.now() < this.#restarting) return;
    if (this.link === link) return;
    this.link = link;
    this.options.onLink(link);
  }
}
