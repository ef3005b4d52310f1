/** The chat beside a board: what was said, what one may say, and how many messages nobody has read yet. */
import { embedded } from "../match/page.js";
import { Sounds } from "../match/sound.js";
import { fill, gettext, isolate, ngettext } from "../i18n.js";
import { messageElement } from "./message-element.js";
import { Messages } from "./messages.js";
import { ChatSocket } from "./socket.js";

const NEAR = 60; // pixels from the end: who is there sees the next message too

/** @typedef {{matchId: string, socket: string | null, url: string, reportUrl: string, preferencesUrl: string, user: boolean, seated: boolean, sound: boolean}} ChatConfig */

class Panel {
  lines = new Messages();
  /** @type {Map<number, HTMLElement>} */
  #drawn = new Map();
  /** @type {ChatState | null} the last frame of what this reader may do */
  #terms = null;
  /** @type {ChatRoom} */
  #room = "watchers";
  /** @type {Map<string, string>} what was typed, by the id under which it went out */
  #sent = new Map();
  #chosen = false;
  #started = false;

  /** @param {HTMLElement} root @param {ChatConfig} config */
  constructor(root, config) {
    this.root = root;
    this.config = config;
    this.disclosure = /** @type {HTMLDetailsElement} */ (this.#part("disclosure"));
    this.sounds = new Sounds(config.sound);
    this.line = new ChatSocket({
      socket: config.socket,
      url: config.url,
      last: () => this.lines.last,
      onFrame: (frame) => this.#take(frame),
      csrf,
    });
    this.#listen();
    if (config.socket) this.#start();
  }

  /** @param {string} name @returns {HTMLElement} */
  #part(name) {
    return /** @type {HTMLElement} */ (this.root.querySelector(`[data-chat="${name}"]`));
  }

  #start() {
    if (this.#started) return;
    this.#started = true;
    this.line.start();
  }

  #listen() {
    this.disclosure.addEventListener("toggle", () => {
      this.#start();
      if (this.disclosure.open) this.#end();
      this.#count();
    });
    this.root.addEventListener("keydown", (event) => {
      event.stopPropagation(); // keys pressed while writing are not for the board
      if (event.key !== "Escape" || !this.disclosure.open) return;
      this.disclosure.open = false;
      this.disclosure.querySelector("summary")?.focus();
    });
    document.addEventListener("visibilitychange", () => this.#count());
    this.#part("earlier").addEventListener("click", () => void this.line.read(this.lines.first));
    this.#part("rooms").addEventListener("click", (event) => {
      const { target } = event;
      if (!(target instanceof HTMLButtonElement)) return;
      this.#room = /** @type {ChatRoom} */ (target.value);
      this.#chosen = true;
      this.#show();
      this.#end();
    });
    if (!this.config.user) return;
    this.#part("phrases").addEventListener("click", (event) => {
      const { target } = event;
      if (target instanceof HTMLButtonElement) this.line.sendMessage({ phrase: target.value });
    });
    const form = /** @type {HTMLFormElement} */ (this.#part("form"));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const field = this.#field();
      const text = field.value.trim();
      if (!text) return;
      this.#sent.set(this.line.sendMessage({ text }), text);
      field.value = "";
      this.#showStatus("");
    });
    for (const checkbox of this.root.querySelectorAll("[data-preference]")) {
      checkbox.addEventListener("change", () => {
        const { checked, dataset } = /** @type {HTMLInputElement} */ (checkbox);
        void this.line.post(this.config.preferencesUrl, { [String(dataset.preference)]: checked });
      });
    }
  }

  #field() {
    return /** @type {HTMLInputElement} */ (this.#part("form").querySelector("input"));
  }

  /** @param {ChatFrame} frame */
  #take(frame) {
    if (frame.t === "talk") {
      const first = !this.#terms;
      this.#terms = frame;
      const news = this.lines.take(frame);
      if (!this.#chosen || !frame.rooms.includes(this.#room)) this.#room = frame.rooms.includes(frame.room) ? frame.room : (frame.rooms[0] ?? frame.room);
      this.#show();
      if (first) this.#end();
      else if (!frame.anew) news.forEach((line) => this.#announce(line));
    } else if (frame.t === "said") {
      if (this.lines.add(frame)) {
        this.#show();
        this.#announce(frame);
      }
    } else if (frame.t === "gone") {
      this.lines.remove(frame.id);
      this.#show();
    } else if (frame.t === "ack" && frame.id) {
      this.#sent.delete(frame.id);
      this.#showStatus("");
    } else if (frame.t === "refused") {
      this.#refused(frame);
    }
  }

  /** What was refused comes back into the field, unless something else is there. @param {ChatRefused} refusal */
  #refused({ id, text }) {
    const words = this.#sent.get(id ?? "");
    this.#sent.delete(id ?? "");
    this.#showStatus(text);
    if (words && !this.#field().value) this.#field().value = words;
  }

  /** A notice about what was done, with what can be done about it. @param {string} text @param {HTMLElement[]} more */
  #showStatus(text, ...more) {
    const word = this.#part("status");
    word.replaceChildren(text, ...more);
    word.hidden = !text;
  }

  /** A message has just come. @param {ChatLine} line */
  #announce(line) {
    if (line.mine || line.gone) return;
    const checkbox = /** @type {HTMLInputElement | null} */ (this.root.querySelector('[data-preference="announce"]'));
    if (checkbox?.checked ?? true) this.#part("spoken").textContent = `${isolate(line.by)}: ${line.text}`;
    const off = document.querySelector('[data-do="sound"]')?.getAttribute("aria-pressed") === "false";
    if (!off) this.sounds.play("step");
  }

  #show() {
    const terms = this.#terms;
    if (!terms) return;
    const rooms = this.#part("rooms");
    rooms.hidden = terms.rooms.length < 2;
    for (const button of rooms.querySelectorAll("button")) button.setAttribute("aria-pressed", String(button.value === this.#room));
    const scroll = this.#part("scroll");
    const atEnd = scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight < NEAR;
    this.#draw();
    if (atEnd) this.#end();
    this.#part("note").textContent = this.#note(terms);
    this.#part("earlier").hidden = !terms.more;
    this.#mayWrite(terms);
    this.#count();
  }

  /** An element that was made once stays, so that nobody loses their place. */
  #draw() {
    const does = { onMute: this.config.user ? (/** @type {ChatLine} */ line) => void this.#mute(line, true) : null, reportUrl: this.config.reportUrl };
    const items = this.lines.of(this.#room).map((line) => {
      const known = this.#drawn.get(line.id);
      if (known && known.classList.contains("removed") === line.gone) return known;
      const item = messageElement(line, does);
      this.#drawn.set(line.id, item);
      return item;
    });
    const list = this.#part("lines");
    const same = items.length === list.children.length && items.every((item, at) => list.children[at] === item);
    if (!same) {
      const added = items.slice(list.children.length);
      const grows = added.length > 0 && [...list.children].every((child, at) => child === items[at]);
      if (grows) list.append(...added);
      else list.replaceChildren(...items);
    }
  }

  /** @param {ChatState} terms */
  #note(terms) {
    if (!terms.rooms.length) return gettext("Chat is off.");
    if (terms.over) return this.lines.of(this.#room).length ? "" : gettext("No messages.");
    if (this.config.seated) return gettext("Only you and your opponent can read this. After the match, anyone who could watch it can read it too.");
    return gettext("The players can't read this until their match is over.");
  }

  /** @param {ChatState} terms */
  #mayWrite(terms) {
    if (!this.config.user) return;
    const here = this.#room === terms.room;
    this.#part("form").hidden = !here || !terms.may.includes("text");
    this.#part("phrases").hidden = !here || !terms.may.includes("phrase");
    const why = this.#part("why");
    const quiet = terms.over && terms.why?.code === "talk_ended";
    why.hidden = !here || !terms.why || quiet || !terms.rooms.length;
    const [words, link] = why.children;
    words.textContent = terms.why?.text ?? "";
    /** @type {HTMLElement} */ (link).hidden = terms.why?.code !== "talk_warned";
  }

  /** @param {ChatLine} line @param {boolean} on */
  async #mute(line, on) {
    const answer = await this.line.post(`${this.config.url}mute/`, { message: line.id, on });
    if (!answer) return;
    if (!on) {
      this.#showStatus("");
      return;
    }
    const undo = document.createElement("button");
    undo.type = "button";
    undo.className = "btn btn-quiet";
    undo.textContent = gettext("Undo");
    undo.addEventListener("click", () => void this.#mute(line, false));
    this.#showStatus(fill(gettext("%(name)s is muted."), { name: isolate(line.by) }), undo);
    if (!this.config.socket) await this.line.read();
  }

  #end() {
    const scroll = this.#part("scroll");
    scroll.scrollTop = scroll.scrollHeight;
  }

  /** How many messages wait for this reader, in the summary; those in sight count as read. */
  #count() {
    const key = `talk-${this.config.matchId}`;
    if (this.disclosure.open && !document.hidden && this.lines.last) keep(key, this.lines.last);
    const count = this.lines.unread(kept(key));
    const unread = this.#part("unread");
    unread.hidden = !count || !this.config.socket;
    unread.textContent = count > 99 ? "99+" : String(count);
    unread.setAttribute("aria-label", fill(ngettext("%(count)s new message", "%(count)s new messages", count), { count }));
  }
}

/** @param {string} key */
function kept(key) {
  try {
    return Number(localStorage.getItem(key)) || 0;
  } catch {
    return 0;
  }
}

/** @param {string} key @param {number} last */
function keep(key, last) {
  try {
    localStorage.setItem(key, String(Math.max(last, kept(key))));
  } catch {
    // a browser without storage counts from nothing
  }
}

function csrf() {
  return /** @type {HTMLInputElement | null} */ (document.querySelector("[name=csrfmiddlewaretoken]"))?.value ?? "";
}

const root = document.getElementById("chat");
if (root) new Panel(root, embedded("chat-config"));
