/** A live match: the board, the line to the server and the panel, wired together. */
import { createBoard } from "../board/index.js";
import { textOf } from "../board/play.js";
import { written } from "../board/typed.js";
import { fill, gettext } from "../words.js";
import { Clock, LOW } from "./clock.js";
import { linesOf, showLines } from "./moves.js";
import { part, showButtons, showClocks, showPresence, showScore, showStrips, write } from "./panel.js";
import { showRematch, showResign, showResult } from "./dialogs.js";
import { MatchSocket } from "./socket.js";
import { Sounds } from "./sound.js";
import { Title } from "./title.js";
import { announce, gameResult, statusOf, waitedFor } from "./words.js";

const FORCED_PAUSE = 650;

export class LiveMatch {
  /** @type {Action[]} */
  #actions = [];
  /** @type {string | null} the id of the act that waits for its answer */
  #sent = null;
  /** the version that was last answered by itself, so that nothing is sent twice */
  #answered = -1;
  /** the game for which this player pressed "Next game" */
  #next = 1;
  #note = "";
  #lowWarned = false;
  #here = { white: false, black: false };

  /**
   * @param {HTMLElement} root
   * @param {MatchConfig} config
   * @param {State} state
   */
  constructor(root, config, state) {
    this.root = root;
    this.config = config;
    this.state = state;
    this.prefs = { ...config.prefs };
    /** @type {Side} */
    this.bottom = state.you ?? "white";
    const stock = (state.position.board.white.stock ?? 0) + (state.position.board.black.stock ?? 0) > 0;
    this.board = createBoard(part(root, "board"), { direction: this.prefs.direction, bottom: this.bottom, stock });
    this.sounds = new Sounds(this.prefs.sound);
    this.title = new Title(root.dataset.turnIcon);
    this.clock = new Clock((reading) => this.#time(reading));
    this.socket = new MatchSocket({
      socketUrl: config.socketUrl,
      apiUrl: config.apiUrl,
      version: state.version,
      csrf,
      onState: (next, actions) => this.#take(next, actions),
      onRecord: (actions) => this.#keep(actions),
      onMessage: (message) => this.#answer(message),
      onLink: (link) => this.#link(link),
    });
    this.#listen();
    this.#show([]);
    root.classList.add("ready");
    this.socket.start();
    void this.#history();
    if (state.match.status === "over") showResult(root, state);
    else this.#byItself();
  }

  #listen() {
    const { board, root } = this;
    board.events.on("play", () => this.#played());
    board.events.on("illegal", ({ from, to }) => this.#why(from, to));
    board.events.on("cube", () => this.#act("double"));
    board.events.on("sound", (name) => this.sounds.play(name));
    root.addEventListener("click", (event) => {
      const button = /** @type {HTMLElement} */ (event.target).closest?.("[data-act],[data-do]");
      if (button instanceof HTMLElement) this.#press(button);
    });
    const typed = part(root, "typed");
    typed.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#type(/** @type {HTMLFormElement} */ (typed));
    });
    // Not the dialog's `close`: browsers send that a frame late, when the next dialog may be open.
    part(root, "resign-dialog").addEventListener("submit", (event) => {
      const { value } = /** @type {HTMLButtonElement} */ (event.submitter);
      if (value) this.#act(value);
    });
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.socket.wake();
    });
    addEventListener("online", () => this.socket.wake());
    addEventListener("offline", () => this.socket.lost());
    addEventListener("pageshow", (event) => {
      if (event.persisted) this.socket.wake();
    });
  }

  /** @param {HTMLElement} button */
  #press(button) {
    if (button.dataset.act) {
      this.#act(button.dataset.act);
      return;
    }
    const { board } = this;
    switch (button.dataset.do) {
      case "undo": board.undo(); break;
      case "done": this.#done(); break;
      case "next": this.#nextGame(); break;
      case "result": showResult(this.root, this.state); break;
      case "resign": showResign(this.root, this.state); break;
      case "flip":
        this.prefs.direction = this.prefs.direction === "ccw" ? "cw" : "ccw";
        board.setDirection(this.prefs.direction);
        pressed(button, this.prefs.direction !== this.config.prefs.direction);
        break;
      case "text":
        pressed(button, button.getAttribute("aria-pressed") !== "true");
        board.setText(button.getAttribute("aria-pressed") === "true");
        break;
      case "sound":
        this.sounds.on = !this.sounds.on;
        pressed(button, this.sounds.on);
        break;
      default:
    }
  }

  /** @param {string} action */
  #act(action) {
    if (this.#sent) return;
    this.#note = "";
    this.#sent = this.socket.act(action);
    this.#show();
  }

  #done() {
    const { board } = this;
    if (!board.complete || this.#sent) return;
    const text = board.text;
    board.lock();
    this.#act(text);
  }

  #nextGame() {
    this.#next = this.state.match.game;
    this.#act("roll");
  }

  /** @param {HTMLFormElement} form */
  #type(form) {
    const field = /** @type {HTMLInputElement} */ (form.elements.namedItem("play"));
    if (!field.value.trim()) {
      this.#done();
    } else if (this.board.type(field.value)) {
      field.value = "";
    } else {
      this.#say(fill(gettext("The play %(play)s is not legal now."), { play: field.value.trim() }));
      field.select();
    }
  }

  /** A half-move was made or taken back, or a new play begins. */
  #played() {
    if (this.board.complete && this.board.started && !this.#sent) {
      if (!this.prefs.confirm) {
        this.#done();
        return;
      }
      this.board.say(fill(gettext("Your play: %(play)s. Done?"), { play: written(this.board.text) }));
    }
    this.#note = "";
    this.#show();
  }

  /** @param {number} from @param {number} to */
  #why(from, to) {
    const made = this.board.view?.play?.halves ?? [];
    this.socket.why(textOf(made), textOf([[from, to, 0, 0, -1]]));
    this.#say(gettext("That move is not legal."));
  }

  /** @param {State} next @param {Action[]} actions */
  #take(next, actions) {
    const before = this.state;
    this.state = next;
    if (next.version !== before.version) this.#note = "";
    if (actions.length || next.version !== before.version) this.#sent = null;
    const result = gameResult(before, next);
    if (result && next.match.status === "live") this.#note = result;
    for (const action of actions) this.board.say(announce(action, next));
    if (result) this.board.say(result);
    const turned = waitedFor(next) === next.you && waitedFor(before) !== next.you && next.you !== null;
    if (turned) this.sounds.play("turn");
    this.#show(actions);
    if (next.match.status === "over" && before.match.status === "over") showRematch(this.root, next.match);
    if (next.match.status === "over" && before.match.status !== "over") {
      this.sounds.play("end");
      window.setTimeout(() => showResult(this.root, next), actions.length ? 1600 : 0);
    }
    this.#byItself();
  }

  /** @param {AckMessage | RefusedMessage | WhyMessage | PresenceMessage} message */
  #answer(message) {
    if (message.t === "presence") {
      this.#here = { white: message.white, black: message.black };
      showPresence(this.root, this.#here, this.state, this.bottom);
    } else if (message.t === "why") {
      if (message.code) this.#say(ruled(message));
    } else if (message.t === "refused" && message.id === this.#sent) {
      this.#sent = null;
      this.board.reset();
      this.#show();
      this.#say(ruled(message));
    } else if (message.t === "ack" && message.id === this.#sent && message.version <= this.socket.version) {
      this.#sent = null;
      this.#show();
    }
  }

  /** What the preferences let the page do without a press: roll, play a forced play. */
  #byItself() {
    const { state, prefs } = this;
    const { phase } = state.position;
    if (!state.you || this.#answered === state.version || this.#sent || state.offer) return;
    const roll = state.may.includes("roll") && !state.may.includes("double") && prefs.auto_roll;
    const asked = phase !== "opening" || this.#next === state.match.game;
    if (roll && asked) {
      this.#answered = state.version;
      this.#act("roll");
    } else if (prefs.auto_forced && this.board.forced) {
      this.#answered = state.version;
      window.setTimeout(() => this.#force(state.version), FORCED_PAUSE);
    }
  }

  /** @param {number} version */
  #force(version) {
    if (this.state.version !== version || this.board.started || this.#sent) return;
    this.board.playForced();
    this.board.say(gettext("Forced play."));
    const wait = () => {
      if (this.board.complete) window.setTimeout(() => this.state.version === version && this.#done(), FORCED_PAUSE);
      else if (this.board.started && this.state.version === version) window.setTimeout(wait, 120);
    };
    wait();
  }

  /** @param {Action[]} [actions] */
  #show(actions) {
    const { root, state, bottom } = this;
    if (actions) {
      this.board.set({ ...state, game: state.match.game }, actions);
      this.clock.set(state.clock);
    }
    showStrips(root, state, bottom);
    showPresence(root, this.#here, state, bottom);
    showScore(root, state);
    const { headline, detail } = statusOf(state);
    write(part(root, "headline"), headline);
    const forced = this.board.forced && !this.board.started ? gettext("Forced play.") : "";
    write(part(root, "detail"), this.#note || (this.board.started ? written(this.board.text) : "") || forced || detail);
    showButtons(root, this.#buttons());
    // It stays between turns, so that nothing jumps and he who writes keeps his place.
    part(root, "typed").hidden = !state.you || state.match.status !== "live";
    const yours = state.you !== null && waitedFor(state) === state.you;
    this.title.set(yours);
    root.classList.toggle("yours", yours);
    root.classList.toggle("waiting", this.#sent !== null);
    showLines(part(root, "moves"), linesOf(this.#actions.filter((action) => action.game === state.match.game)));
    const sound = root.querySelector('[data-do="sound"]');
    if (sound instanceof HTMLElement) pressed(sound, this.sounds.on);
  }

  /** @returns {Map<string, boolean>} */
  #buttons() {
    const { state, board } = this;
    /** @type {Map<string, boolean>} */
    const shown = new Map();
    const resign = /** @type {HTMLElement} */ (this.root.querySelector('[data-do="resign"]'));
    const able = state.may.some((name) => name.startsWith("resign"));
    if (!able && document.activeElement === resign) part(this.root, "headline").focus({ preventScroll: true });
    resign.hidden = !able;
    if (state.match.status === "over") return shown.set("result", true);
    if (this.#sent) return shown;
    for (const name of state.may) shown.set(name, true);
    if (state.position.phase === "opening" && state.may.includes("roll") && state.match.game > 1) {
      shown.delete("roll");
      shown.set("next", true);
    }
    if (board.view?.mine) shown.set("undo", board.started).set("done", board.started && board.complete);
    this.#names(state.may.filter((name) => name.startsWith("name ")));
    return shown;
  }

  /** Naming a double: one button a number. @param {string[]} names */
  #names(names) {
    const box = part(this.root, "names");
    if (box.childElementCount === names.length) return;
    box.replaceChildren(
      ...names.map((name) => {
        const button = document.createElement("button");
        button.type = "button";
        button.className = "btn btn-large";
        button.dataset.act = name;
        button.textContent = fill(gettext("Double %(number)s"), { number: name.slice(5) });
        return button;
      }),
    );
  }

  /** @param {import("./clock.js").Reading | null} reading */
  #time(reading) {
    showClocks(this.root, reading, this.bottom);
    const { you } = this.state;
    const low = !!you && reading?.running === you && reading.delay === 0 && reading.left[you] < LOW;
    if (low && !this.#lowWarned) {
      this.sounds.play("low");
      this.board.say(gettext("Your time is running out."));
    }
    this.#lowWarned = low;
  }

  /** @param {import("./socket.js").Link} link */
  #link(link) {
    const banner = part(this.root, "link");
    /** @type {Record<string, string>} */
    const said = {
      offline: gettext("The connection is lost. Trying again…"),
      http: gettext("The live connection is blocked here; play goes on a little slower."),
      "logged-out": gettext("You were logged out. Log in and open the match again."),
    };
    banner.hidden = !(link in said);
    write(banner, said[link] ?? "");
  }

  /** The actions before this page was opened, for the list of plays. */
  async #history() {
    try {
      for (let after = 0, pages = 0; after < this.state.version && pages < 40; pages += 1) {
        const answer = await fetch(`${this.config.apiUrl}sync/?after=${after}`, { headers: { Accept: "application/json" } });
        /** @type {{actions?: Action[]}} */
        const { actions = [] } = await answer.json();
        if (!actions.length) break;
        this.#keep(actions);
        after = actions[actions.length - 1].n;
      }
    } catch {
      return;
    }
    this.#show();
  }

  /** @param {Action[]} actions */
  #keep(actions) {
    const known = new Set(this.#actions.map((action) => action.n));
    this.#actions.push(...actions.filter((action) => !known.has(action.n)));
    this.#actions.sort((a, b) => a.n - b.n);
  }

  /** Shows a sentence under the headline and speaks it. @param {string} text */
  #say(text) {
    this.#note = text;
    write(part(this.root, "detail"), text);
    this.board.say(text);
  }
}

/** @param {HTMLElement} button @param {boolean} on */
export function pressed(button, on) {
  button.setAttribute("aria-pressed", String(on));
}

/** @param {RefusedMessage | WhyMessage} message */
function ruled({ text, ruling }) {
  return ruling ? fill(gettext("%(reason)s (rule %(ruling)s)"), { reason: text, ruling }) : text;
}

function csrf() {
  const meta = document.querySelector('meta[name="csrf-token"]')?.getAttribute("content");
  return meta ?? /(?:^|; )csrftoken=([^;]+)/.exec(document.cookie)?.[1] ?? "";
}
