/** What a page has asked of its match and has had no answer to: it is sent again, the same bytes, until it is answered. */

const UNANSWERED = 6000;

/** @typedef {{t: "act", id: string, after: number, action: string, c?: string}} Act */
/** @typedef {import("../dice/participant.js").DiceFrame & {id: string}} Give */
/** @typedef {{t: "claim" | "adjourn" | "go-on", id: string}} Ask */
/** @typedef {{t: "order", id: string, after: number, order: string}} Order */
/** @typedef {Act | Give | Ask | Order} Frame */

export class Outbox {
  /** @type {Map<string, {frame: Frame, sent: number}>} */
  #unanswered = new Map();
  #count = 0;

  /**
   * @param {() => number} now
   * @param {(frame: Frame) => void} deliver
   */
  constructor(now, deliver) {
    this.now = now;
    this.deliver = deliver;
    const bytes = crypto.getRandomValues(new Uint8Array(8));
    this.page = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  /** An id that no frame of any page has had: the server knows a repetition by it. */
  id() {
    this.#count += 1;
    return `${this.page}-${this.#count}`;
  }

  /** Sends a frame until it is answered. @param {Frame} frame */
  keep(frame) {
    this.#unanswered.set(frame.id, { frame, sent: 0 });
    this.#send(frame.id);
    return frame.id;
  }

  /** @param {string} id */
  answered(id) {
    this.#unanswered.delete(id);
  }

  /** A new line is open: what was said on the last one may be lost. */
  resend() {
    for (const id of this.#unanswered.keys()) this.#send(id);
  }

  /** Sends what has waited too long. */
  late() {
    for (const [id, { sent }] of this.#unanswered) if (this.now() - sent > UNANSWERED) this.#send(id);
  }

  /** @param {string} id */
  #send(id) {
    const entry = this.#unanswered.get(id);
    if (!entry) return;
    entry.sent = this.now();
    this.deliver(entry.frame);
  }
}
