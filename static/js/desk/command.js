/**
 * The result line of the desk: a director types "12 7-4" and presses Enter, the result is on its way and the line is
 * empty again. What was sent is listed below it, with an undo; what was refused stays, to be typed again.
 */
import { completed, fields, meanings } from "./line.js";
import { Outbox, SignedOut } from "./outbox.js";
import { refresh } from "./fresh-page.js";
import { fill, gettext, isolate, ngettext } from "../i18n.js";

const MOST_SHOWN = 8;
const MOST_LISTED = 6;

/** @typedef {import("./line.js").Meaning} Meaning */
/** @typedef {import("./line.js").OpenPairing} OpenPairing */
/** @typedef {import("./outbox.js").Entry} Entry */
/** @typedef {OpenPairing & {text: string, correct?: string}} Finished */

/** @param {string} tag @param {string} [text] @param {string} [className] */
function element(tag, text = "", className = "") {
  const made = document.createElement(tag);
  made.textContent = text;
  if (className) made.className = className;
  return made;
}

/** A text whose scores stay in one line. @param {string} tag @param {string} text */
function scored(tag, text) {
  const made = element(tag);
  const parts = text.split(/(\d+–\d+)/u); // every other one is a score
  made.append(...parts.map((part, at) => (at % 2 ? element("span", part, "number") : part)));
  return made;
}

/** @param {string} text @param {() => void} press */
function button(text, press) {
  const made = /** @type {HTMLButtonElement} */ (element("button", text, "btn"));
  made.type = "button";
  made.addEventListener("click", press);
  return made;
}

/** A result in words. @param {Meaning} meaning */
function words({ pairing, winner, points, how }) {
  const names = { winner: isolate(pairing.sides[winner][1]), loser: isolate(pairing.sides[1 - winner][1]) };
  const values = { ...names, place: pairing.label, score: points ? points.join("–") : "" };
  if (pairing.series) return seriesWords(values, how);
  if (how === "walkover") return fill(gettext("%(place)s: %(winner)s beats %(loser)s by walkover"), values);
  if (!points) return fill(gettext("%(place)s: %(winner)s beats %(loser)s, score unknown"), values);
  return fill(gettext("%(place)s: %(winner)s beats %(loser)s %(score)s"), values);
}

/** The result of a whole series in words. @param {Record<string, string>} values @param {Meaning["how"]} how */
function seriesWords(values, how) {
  if (how === "walkover") return fill(gettext("%(place)s, whole series: %(winner)s beats %(loser)s by walkover"), values);
  if (!values.score) return fill(gettext("%(place)s, whole series: %(winner)s beats %(loser)s, score unknown"), values);
  return fill(gettext("%(place)s, whole series: %(winner)s beats %(loser)s %(score)s"), values);
}

export class ResultLine {
  /** @type {Meaning[]} */
  #meanings = [];
  #active = -1;
  /** @type {Map<string, OpenPairing>} */
  #sentPairings = new Map();
  /** @type {Set<string>} */
  #acts = new Set();
  #offline = false;
  #signedOut = false;

  /** @param {HTMLElement} bar */
  constructor(bar) {
    this.bar = bar;
    const find = (/** @type {string} */ name) => /** @type {HTMLElement} */ (bar.querySelector(`[data-part=${name}]`));
    this.input = /** @type {HTMLInputElement} */ (bar.querySelector("input[role=combobox]"));
    this.form = /** @type {HTMLFormElement} */ (bar.querySelector("form"));
    this.list = find("meanings");
    this.sent = find("sent");
    this.status = find("status");
    this.line = find("connection");
    this.news = /** @type {HTMLAnchorElement} */ (find("news"));
    const player = document.body.dataset.player ?? "";
    this.outbox = new Outbox({
      post: (data) => this.#post(/** @type {string} */ (bar.dataset.send), data),
      onLine: (online, why) => this.#connection(online, why),
      onChange: () => this.#showSent(),
      storage: localStorage,
      place: `tablero.desk.${bar.dataset.tournament}.${player}`,
    });
    this.#acts = this.#shownActs();
    this.form.addEventListener("submit", (event) => this.#enter(event));
    this.input.addEventListener("input", () => this.#read());
    this.input.addEventListener("keydown", (event) => this.#key(event));
    this.input.addEventListener("blur", () => setTimeout(() => this.#close()));
    this.list.addEventListener("mousedown", (event) => this.#choose(event));
    addEventListener("online", () => this.outbox.send());
    addEventListener("offline", () => this.#connection(false));
    this.news.addEventListener("click", () => { this.news.hidden = true; });
    this.#showSent();
    this.outbox.send();
  }

  /** The open pairings that have no result on its way. */
  get pairings() {
    const keys = this.#unseen;
    return /** @type {OpenPairing[]} */ (this.#data("desk-pairings")).filter(({ key }) => !keys.has(key));
  }

  /** @param {string} id */
  #data(id) {
    return JSON.parse(document.getElementById(id)?.textContent ?? "[]");
  }

  get #unseen() {
    return this.outbox.keys(Number(document.querySelector("[data-version]")?.getAttribute("data-version")));
  }

  /** Sends a result by a click on the winner. @param {string} key @param {string} winner @param {string} lost */
  click(key, winner, lost) {
    const pairing = this.pairings.find((open) => open.key === key);
    if (!pairing) return;
    const side = pairing.sides.findIndex(([number]) => String(number) === winner);
    /** @type {[string, string] | null} */
    const points = lost ? [String(pairing.length), lost.replace(",", ".")] : null;
    const meaning = { pairing, winner: side, points, how: /** @type {const} */ ("played") };
    this.#send(meaning, completed(meaning) + (points?.join("-") ?? ""));
  }

  /** The page was brought up to date: what others entered meanwhile is said, what is shown there needs no line here. */
  follow() {
    const before = this.#acts;
    this.#acts = this.#shownActs();
    const own = new Set(this.outbox.entries.map(({ act }) => String(act)));
    const fresh = [...this.#acts].filter((act) => !before.has(act) && !own.has(act));
    const by = [...document.querySelectorAll("#results [data-act]")].filter((row) =>
      row instanceof HTMLElement && fresh.includes(row.dataset.act ?? "") && row.dataset.by !== document.body.dataset.player);
    if (by.length) {
      const text = ngettext("%(count)s new result", "%(count)s new results", by.length);
      this.news.textContent = fill(text, { count: by.length });
      this.news.hidden = false;
    }
    this.#markRows();
    if (!this.input.value || this.list.hidden) return; // what was said about the line stays
    this.#meanings = meanings(this.input.value, this.pairings);
    this.#active = -1;
    this.#showMeanings();
  }

  #shownActs() {
    return new Set([...document.querySelectorAll("#results [data-act]")].map((row) => row.getAttribute("data-act") ?? ""));
  }

  // Typing

  #read() {
    this.#meanings = meanings(this.input.value, this.pairings);
    this.#active = -1;
    this.input.removeAttribute("aria-invalid");
    this.#say("");
    this.#showMeanings();
  }

  #showMeanings() {
    const shown = this.#meanings.slice(0, MOST_SHOWN);
    this.list.replaceChildren(...shown.map((meaning, at) => {
      const option = element("li", words(meaning));
      Object.assign(option, { id: `meaning-${at}`, role: "option" });
      option.setAttribute("aria-selected", String(at === this.#chosen));
      option.dataset.at = String(at);
      return option;
    }));
    this.list.hidden = !shown.length;
    this.input.setAttribute("aria-expanded", String(shown.length > 0));
    if (this.#chosen >= 0) this.input.setAttribute("aria-activedescendant", `meaning-${this.#chosen}`);
    else this.input.removeAttribute("aria-activedescendant");
  }

  /** Which meaning Enter takes: the one that was moved to, else the only one; -1 for none. */
  get #chosen() {
    return this.#active >= 0 ? this.#active : this.#meanings.length === 1 ? 0 : -1;
  }

  #close() {
    this.list.hidden = true;
    this.input.setAttribute("aria-expanded", "false");
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const count = Math.min(this.#meanings.length, MOST_SHOWN);
    if (event.key === "Escape") this.#close();
    else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && count) {
      event.preventDefault();
      const step = event.key === "ArrowDown" ? 1 : -1;
      this.#active = this.#active < 0 && step > 0 ? 0 : (Math.max(this.#active, 0) + step + count) % count;
      this.#showMeanings();
    } else if (event.key === "Tab" && !event.shiftKey && !this.list.hidden && this.#chosen >= 0) {
      const meaning = this.#meanings[this.#chosen];
      if (meaning.points || this.input.value === completed(meaning)) return;
      event.preventDefault();
      this.input.value = completed(meaning);
      this.#read();
    }
  }

  /** @param {MouseEvent} event */
  #choose(event) {
    const option = event.target instanceof Element ? event.target.closest("li") : null;
    if (!option) return;
    event.preventDefault(); // the focus stays in the line
    this.#active = Number(option.dataset.at);
    this.form.requestSubmit();
  }

  /** @param {SubmitEvent} event */
  #enter(event) {
    event.preventDefault();
    if (!this.input.value.trim()) return;
    if (this.#active < 0) this.#meanings = meanings(this.input.value, this.pairings); // the page may have changed
    const meaning = this.#meanings[this.#chosen];
    if (!meaning) {
      this.input.setAttribute("aria-invalid", "true");
      this.#explain();
      return;
    }
    this.#send(meaning, this.input.value.trim());
    this.input.value = "";
    this.#read();
    this.input.focus();
  }

  /** Says why Enter saves nothing: several results fit, the match has one already, or nothing fits. */
  #explain() {
    if (this.#meanings.length) {
      this.#say(gettext("Several results fit. Choose one with the arrow keys."));
      return;
    }
    const finished = /** @type {Finished[]} */ ([...this.#data("desk-finished"), ...this.#sentLately()]);
    const found = meanings(this.input.value, finished)[0]?.pairing;
    const there = finished.find(({ key }) => key === found?.key);
    this.#say(there?.text ?? gettext("No open match fits. Type its number or a name, then the score: 12 7-4."));
    if (there?.correct) this.status.append(" ", this.#link(there.correct, gettext("Correct it")));
  }

  /** The pairings whose result was sent from here and is not on the page yet. @returns {Finished[]} */
  #sentLately() {
    const keys = this.#unseen;
    const sent = this.outbox.entries.filter(({ fields: { key } }) => keys.has(key));
    return sent.flatMap(({ fields: { key }, message, text }) => {
      const pairing = this.#sentPairings.get(key);
      return pairing ? [{ ...pairing, text: fill(gettext("You have just entered it: %(result)s"), { result: message ?? text }) }] : [];
    });
  }

  /** @param {Meaning} meaning @param {string} line */
  #send(meaning, line) {
    this.#sentPairings.set(meaning.pairing.key, meaning.pairing);
    this.outbox.add(fields(meaning), line, words(meaning)).then(() => {
      const last = this.outbox.entries.findLast(({ fields: { key } }) => key === meaning.pairing.key);
      if (last?.status !== "refused" || this.input.value || document.activeElement !== this.input) return;
      this.#again(last); // nothing else was typed meanwhile
    });
  }

  /** @param {string} text */
  #say(text) {
    this.status.textContent = text;
  }

  // What was sent

  /** @param {string} url @param {Record<string, string>} data */
  async #post(url, data) {
    const body = new URLSearchParams(data);
    const token = /** @type {HTMLInputElement} */ (this.form.elements.namedItem("csrfmiddlewaretoken"));
    const headers = { "X-CSRFToken": token.value };
    const answer = await fetch(url, { method: "POST", body, headers, redirect: "manual" });
    const isJson = answer.headers.get("Content-Type")?.includes("json");
    if (answer.type === "opaqueredirect" || (answer.status === 403 && !isJson)) throw new SignedOut();
    if (!isJson) throw new Error(String(answer.status)); // a proxy, or a site that restarts
    return { ok: answer.ok, body: await answer.json() };
  }

  /** Types a line again. @param {Entry} entry */
  #again(entry) {
    this.outbox.remove(entry);
    this.input.value = entry.line;
    this.#read();
    this.#close();
    this.input.setAttribute("aria-invalid", "true");
    this.#say([entry.message, entry.entered].filter(Boolean).join(" "));
    if (entry.correct) this.status.append(" ", this.#link(entry.correct, gettext("Correct it")));
    this.input.focus();
    this.input.select();
  }

  /** @param {Entry} entry */
  async #undo(entry) {
    try {
      const answer = await this.#post(/** @type {string} */ (this.bar.dataset.undo), { act: String(entry.act) });
      this.outbox.remove(entry);
      await refresh().catch((error) => this.#connection(false, error));
      if (answer.ok) this.#say(fill(gettext("Undone: %(result)s"), { result: entry.text }));
      else {
        this.#say(answer.body.text ?? "");
        this.status.append(" ", this.#link("#log", gettext("Open the log")));
      }
    } catch (error) {
      this.#connection(false, /** @type {Error} */ (error));
    }
  }

  /** @param {string} url @param {string} text */
  #link(url, text) {
    const link = /** @type {HTMLAnchorElement} */ (element("a", text));
    link.href = url;
    return link;
  }

  #showSent() {
    const entries = this.outbox.entries;
    const unsaved = entries.filter(({ status }) => status !== "saved");
    const saved = entries.filter(({ status }) => status === "saved").slice(-Math.max(1, MOST_LISTED - unsaved.length));
    this.sent.replaceChildren(...[...unsaved, ...saved].reverse().map((entry) => this.#row(entry)));
    this.#showConnection();
    this.#markRows();
  }

  /** @param {Entry} entry */
  #row(entry) {
    const row = element("li", "", `desk-sent-${entry.status}`);
    const text = scored("span", entry.status === "saved" ? (entry.message ?? entry.text) : entry.text);
    row.append(text);
    if (entry.status === "waiting") row.append(element("span", gettext("waiting"), "badge badge-warn"));
    if (entry.status === "refused") {
      text.after(scored("strong", [entry.message, entry.entered].filter(Boolean).join(" ")));
      if (entry.correct) row.append(this.#link(entry.correct, gettext("Correct it")));
      row.append(button(gettext("Edit"), () => this.#again(entry)), button(gettext("Discard"), () => this.outbox.remove(entry)));
    }
    if (entry.status === "saved" && entry.act) {
      const undo = button(gettext("Undo"), () => this.#undo(entry));
      undo.setAttribute("aria-label", fill(gettext("Undo: %(result)s"), { result: entry.message ?? entry.text }));
      row.append(undo);
    }
    return row;
  }

  /** The rows of results on their way are shown as such. */
  #markRows() {
    const keys = this.#unseen;
    for (const row of document.querySelectorAll(".desk-table[data-key]")) {
      row.classList.toggle("is-sent", keys.has(row.getAttribute("data-key") ?? ""));
    }
  }

  /** @param {boolean} online @param {Error} [why] */
  #connection(online, why) {
    this.#signedOut = why instanceof SignedOut;
    this.#offline = !online;
    this.#showConnection();
  }

  #showConnection() {
    const count = this.outbox.waiting;
    let text = "";
    if (this.#signedOut) {
      text = gettext("You are signed out. Results stay in this browser: sign in and open the desk again.");
    } else if (this.#offline) {
      text = count
        ? fill(ngettext(
          "No connection. %(count)s result is kept in this browser and sent as soon as the connection is back.",
          "No connection. %(count)s results are kept in this browser and sent as soon as the connection is back.",
          count,
        ), { count })
        : gettext("No connection. You can go on: results are kept in this browser and sent later.");
    }
    if (this.line.textContent !== text) this.line.textContent = text;
    this.line.hidden = !text;
  }

  /** Whether the server answers now, after something did not. */
  async probe() {
    try {
      await fetch(location.pathname, { method: "HEAD" });
      if (this.#offline) this.#connection(true);
      this.outbox.send();
    } catch {
      this.#connection(false);
      setTimeout(() => this.probe(), 4000);
    }
  }
}
