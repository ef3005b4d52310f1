/**
 * Results on their way to the server. They are kept in the browser until they are answered, sent in their order, and
 * sent again after a lost connection or a reload: the server does each of them once, by its `sent`.
 */

const RETRY = 4000;

/** @typedef {"waiting" | "saved" | "refused"} Status */

/**
 * @typedef {object} Entry
 * @property {string} sent
 * @property {Record<string, string>} fields
 * @property {string} line what was typed, to be typed again
 * @property {string} text what it means, in words
 * @property {Status} status
 * @property {string} [message] the server's words
 * @property {number} [act] to undo it
 * @property {string} [entered] who was there before
 * @property {string} [correct] the page that corrects what is there
 */

/** @typedef {{ok: boolean, body: {text?: string, act?: number, entered?: string, correct?: string}}} Answer */

export class SignedOut extends Error {}

export class Outbox {
  /** @type {Entry[]} */
  entries = [];
  #sending = false;
  #count = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #retry;

  /**
   * @param {object} ways
   * @param {(fields: Record<string, string>) => Promise<Answer>} ways.post rejects where no answer came
   * @param {(online: boolean, why?: Error) => void} ways.onLine whether the server answers
   * @param {() => void} ways.onChange
   * @param {Pick<Storage, "getItem" | "setItem" | "removeItem">} ways.storage
   * @param {string} ways.place the key in the storage
   */
  constructor({ post, onLine, onChange, storage, place }) {
    this.post = post;
    this.onLine = onLine;
    this.onChange = onChange;
    this.storage = storage;
    this.place = place;
    const bytes = crypto.getRandomValues(new Uint8Array(8));
    this.page = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    this.entries = this.#stored();
  }

  /** How many have no answer yet. */
  get waiting() {
    return this.entries.filter(({ status }) => status === "waiting").length;
  }

  /**
   * The pairings that have a result here which the page does not show yet.
   * @param {number} version of the tournament as the page shows it
   */
  keys(version) {
    const unseen = this.entries.filter(({ status, act }) =>
      status === "waiting" || (status === "saved" && act !== undefined && act > version));
    return new Set(unseen.map(({ fields }) => fields.key));
  }

  /**
   * @param {Record<string, string>} fields
   * @param {string} line
   * @param {string} text
   */
  add(fields, line, text) {
    this.#count += 1;
    this.entries.push({ sent: `${this.page}-${this.#count}`, fields, line, text, status: "waiting" });
    this.#changed();
    return this.send();
  }

  /** @param {Entry} entry */
  remove(entry) {
    this.entries = this.entries.filter((other) => other !== entry);
    this.#changed();
  }

  /** Sends what waits, one after the other, until no answer comes. */
  async send() {
    if (this.#sending) return;
    this.#sending = true;
    clearTimeout(this.#retry);
    try {
      for (let entry = this.#next(); entry; entry = this.#next()) {
        const answer = await this.post({ ...entry.fields, sent: entry.sent });
        this.onLine(true);
        const { text, act, entered, correct } = answer.body;
        Object.assign(entry, { status: answer.ok ? "saved" : "refused", message: text, act, entered, correct });
        this.#changed();
      }
    } catch (error) {
      this.onLine(false, /** @type {Error} */ (error));
      if (!(error instanceof SignedOut)) this.#retry = setTimeout(() => this.send(), RETRY);
    } finally {
      this.#sending = false;
    }
  }

  #next() {
    return this.entries.find(({ status }) => status === "waiting");
  }

  #changed() {
    const open = this.entries.filter(({ status }) => status !== "saved");
    try {
      if (open.length) this.storage.setItem(this.place, JSON.stringify(open));
      else this.storage.removeItem(this.place);
    } catch {
      // a browser without storage keeps them as long as the page
    }
    this.onChange();
  }

  /** @returns {Entry[]} */
  #stored() {
    try {
      const stored = JSON.parse(this.storage.getItem(this.place) ?? "[]");
      return Array.isArray(stored) ? stored : [];
    } catch {
      return [];
    }
  }
}
