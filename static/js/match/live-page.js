/** A live match: the board, the line to the server and the panel, wired together. */
import { localized } from "../points/notation.js";
import { boardFor, triedText } from "../boards.js";
import { LiveDice } from "../dice/live-dice.js";
import { rolledDice } from "../dice/verify.js";
import { afterPaint, oncePainted } from "../after-paint.js";
import { fill, gettext } from "../i18n.js";
import { Absence } from "./absence.js";
import { AutomaticActs } from "./automatic-acts.js";
import { shapePage } from "./board-shape.js";
import { ruled, showButtons, showDetail } from "./buttons.js";
import { Clock, LOW } from "./clock.js";
import { Confirm, questionOf } from "./confirm.js";
import { DecisionCheck } from "./decision-check.js";
import { Hints } from "./hints.js";
import { listenToKeys, showKeys } from "./keys.js";
import { showRematch, showResign, showResult } from "./dialogs.js";
import { firstOf, linesOf, showLines } from "./move-list.js";
import { csrf, embedded, page, watchNet } from "./page.js";
import { hide, part, pressed, showClocks, showLink, showScore, showStrips, write } from "./panel.js";
import { Record } from "./record.js";
import { ResultAnalysis } from "./result-analysis.js";
import { offerShare } from "./share.js";
import { arrangeSheets } from "./sheets.js";
import { NextBoard } from "./next-board.js";
import { Orders } from "./orders.js";
import { MatchSocket } from "./socket.js";
import { Sounds } from "./sound.js";
import { statusOf } from "./status.js";
import { TakeBack, standing } from "./take-back.js";
import { Title } from "./title.js";
import { TypedPlay } from "./typed-play.js";
import { describeActions } from "./action-text.js";
import { coloured, gameResult, waitedFor } from "./format.js";
import "../chat/panel.js";

/** What is decided about the cube: a roll is, where one could double. */
const CUBE_ACTIONS = new Set(["double", "roll", "take", "drop"]);
/** How long a request to resume an adjourned match lasts. */
const READY = 601_000;

class LiveMatch {
  /** @type {string | null} the id of the act that waits for its answer */
  #sent = null;
  /** the game for which this player pressed "Next game" */
  #next = 1;
  /** what the page has to say for the moment, in the place of the usual detail; a refusal cites its ruling */
  #note = { text: "", ruling: /** @type {string | null} */ (null) };
  #lowWarned = false;
  #lapsing = 0;
  /** the player pressed "Roll" before the dice were prepared: the roll follows */
  #locking = false;
  /** the sentence that said so */
  #spokenWait = "";
  /** The board answers the hand at once: what stands around it follows a frame later. */
  #around = oncePainted(() => this.#show());

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
    this.board = boardFor(part(root, "board"), state.position, { direction: this.prefs.direction, bottom: this.bottom });
    this.record = new Record(config.apiUrl);
    this.sounds = new Sounds(this.prefs.sound);
    this.title = new Title(root.dataset.turnIcon);
    this.clock = new Clock((reading) => this.#time(reading));
    this.absence = new Absence(root, { state: () => this.state, bottom: this.bottom, announce: (text) => this.board.announce(text) });
    this.socket = new MatchSocket({
      socketUrl: config.socketUrl,
      apiUrl: config.apiUrl,
      version: state.version,
      you: state.you,
      csrf,
      onState: (next, actions) => this.#take(next, actions),
      onRecord: (actions) => this.#keep(actions),
      onMessage: (message) => this.#answer(message),
      onLink: (link) => showLink(root, link),
      onBack: () => location.reload(),
      onUnwritable: (text) => this.#showNote(text),
    });
    this.dice = new LiveDice(root, state, {
      give: (frame) => this.socket.give(frame),
      sync: () => this.socket.sync(),
      onReady: () => this.#follow(),
      played: () => this.#thrown(),
    });
    this.confirm = new Confirm(root);
    this.hints = Hints.of(root);
    this.check = new DecisionCheck(this.hints, {
      version: () => this.state.version,
      note: (text) => this.#showNote(text),
      clear: () => {
        this.#forget();
        this.#show();
      },
      ask: (question, follows) => this.confirm.ask(question, follows),
    });
    this.takeBack = new TakeBack(root, this.hints, {
      state: () => this.state,
      sent: () => this.#sent !== null,
      act: (action) => this.#act(action),
      announce: (text) => this.board.announce(text),
      follow: () => this.automatic.run(),
    });
    this.analysis = ResultAnalysis.of(root);
    this.orders = new Orders(root, {
      state: () => this.state,
      order: (order) => this.socket.order(order),
      sync: () => this.socket.sync(),
      forced: this.prefs.auto_forced,
    });
    this.nextBoard = NextBoard.of(root, {
      busy: () => this.#sent !== null,
      announce: (text) => this.board.announce(text),
    });
    this.typed = new TypedPlay(root, {
      board: this.board,
      plays: () => this.state.you !== null,
      sent: () => this.#sent !== null,
      send: (text) => this.socket.act(text),
      done: () => this.#done(),
      show: () => this.#show(),
      note: (text, ruling) => this.#showNote(text, ruling),
    });
    this.automatic = new AutomaticActs({
      board: this.board,
      state: () => this.state,
      sent: () => this.#sent !== null,
      waits: () => this.#locking || this.takeBack.holds,
      asks: () => this.confirm.isOpen,
      rolls: () => this.prefs.auto_roll,
      forced: () => this.orders.forced,
      game: () => this.#next,
      roll: () => this.#act("roll"),
      done: () => this.#done(),
    });
    arrangeSheets(root);
    offerShare(root);
    this.#listen();
    this.#play([]);
    this.#show();
    root.classList.add("ready");
    this.socket.start();
    void this.record.load(state.version, (actions) => this.dice.keep(actions)).then(() => this.#show());
    if (state.match.status === "over") this.#showResult();
    else this.automatic.run();
  }

  #listen() {
    const { board, root } = this;
    board.events.on("play", () => this.#played());
    board.events.on("illegal", (tried) => this.#why(tried));
    board.events.on("cube", () => this.#intend("double"));
    board.events.on("done", () => this.#done());
    board.events.on("sound", (name) => afterPaint(() => this.sounds.play(name)));
    root.addEventListener("click", (event) => {
      const button = /** @type {HTMLElement} */ (event.target).closest?.("[data-act],[data-ask],[data-do]");
      if (button instanceof HTMLElement) this.#press(button);
    });
    listenToKeys(root, { openTyped: () => this.typed.open(true), catchUp: () => this.#around.now() });
    // Not the dialog's `close`: browsers send that a frame late, when the next dialog may be open.
    part(root, "resign-dialog").addEventListener("submit", (event) => {
      const { value } = /** @type {HTMLButtonElement} */ (event.submitter);
      if (value) window.setTimeout(() => this.#intend(value)); // once this dialog is closed
    });
    watchNet(() => this.socket.wake(), () => this.socket.lost());
  }

  /** @param {HTMLElement} button */
  #press(button) {
    const { act, ask } = button.dataset;
    if (act ?? ask) {
      this.#intend(act ?? ask ?? "", ask);
      return;
    }
    const { board } = this;
    switch (button.dataset.do) {
      case "undo": this.#forget(); board.undo(); break;
      case "done": this.#done(); break;
      case "next": this.#nextGame(); break;
      case "result": this.#showResult(); break;
      case "resign": showResign(this.root, this.state); break;
      case "resume": this.socket.resume(); break;
      case "flip":
        this.prefs.direction = this.prefs.direction === "ccw" ? "cw" : "ccw";
        board.setDirection(this.prefs.direction);
        pressed(button, this.prefs.direction !== this.config.prefs.direction);
        this.#show();
        break;
      case "text":
        pressed(button, button.getAttribute("aria-pressed") !== "true");
        board.setText(button.getAttribute("aria-pressed") === "true");
        this.#show();
        break;
      case "keys": showKeys(this.root); break;
      case "hint": void this.hints?.show(); break;
      case "take-back": this.takeBack.take(); break;
      case "keep-play": this.takeBack.keep(); break;
      case "sound":
        this.sounds.on = !this.sounds.on;
        pressed(button, this.sounds.on);
        break;
      default:
    }
  }

  /** Acts, or asks for something beside the game; what cannot be taken back is asked first. @param {string} action @param {string} [ask] */
  #intend(action, ask) {
    const follows = ask ? () => this.#ask(ask) : () => this.#act(action);
    const question = questionOf(this.state, action, this.prefs.confirm);
    if (question) this.confirm.ask(question, follows);
    else if (CUBE_ACTIONS.has(action) && (action !== "roll" || this.state.may.includes("double"))) this.check.run(action, follows);
    else follows();
  }

  /** @param {string} ask */
  #ask(ask) {
    if (this.#sent) return;
    this.#sent = this.socket.ask(/** @type {import("./outbox.js").Ask["t"]} */ (ask));
    this.#show();
  }

  /** @param {string} action */
  #act(action) {
    if (this.#sent) return;
    const element = action === "roll" ? this.dice.roll() : {};
    if (element === "ask") {
      this.dice.ask(() => this.#act(action));
      return;
    }
    this.#forget();
    this.#locking = element === "wait";
    if (element === "wait") {
      this.#announceWait(this.dice.waitText);
    } else {
      this.#announceWait("");
      this.#sent = this.socket.act(action, element);
    }
    this.#around.soon();
  }

  /** Says once what the dice wait for: every message tries the roll again. @param {string} text */
  #announceWait(text) {
    if (text !== this.#spokenWait) this.board.announce(text);
    this.#spokenWait = text;
  }

  /** Something that was waited for came: the roll that was pressed, or what the preferences do. */
  #follow() {
    if (this.#locking && this.state.may.includes("roll")) this.#act("roll");
    else this.automatic.run();
  }

  /** @param {Action[]} actions */
  #keep(actions) {
    this.record.keep(actions);
    this.dice.keep(actions);
  }

  /** The dice of the whole match, when this page knows them all. */
  #thrown() {
    const actions = this.record.whole(this.state.version);
    return actions && rolledDice(actions);
  }

  #done() {
    const { board } = this;
    if (!board.complete || this.#sent) return;
    const { text } = board;
    this.check.run(text, () => {
      if (board.text !== text || this.#sent) return;
      board.lock();
      this.#act(text);
    });
  }

  #nextGame() {
    this.#next = this.state.match.game;
    this.#act("roll");
  }

  /** Looks again when one's request to resume an adjourned match has lapsed. */
  #lapse() {
    clearTimeout(this.#lapsing);
    const { you, paused } = this.state;
    if (you && paused?.ready?.includes(you)) this.#lapsing = window.setTimeout(() => this.socket.sync(), READY);
  }

  /** A half-move was made or taken back, or a new play begins. */
  #played() {
    if (this.board.complete && this.board.started && !this.#sent) {
      if (!this.prefs.confirm) {
        this.#done();
        return;
      }
      this.board.announce(fill(gettext("Your play: %(play)s. Press Done to confirm."), { play: localized(this.board.text) }));
    }
    // A new play that nobody has begun leaves the word about the last game alone.
    if (this.board.started) this.#forget();
    this.#around.soon();
  }

  /** @param {{from: number, to: number, path?: string}} tried */
  #why(tried) {
    this.socket.why(tried.path ?? this.board.text, triedText(this.state.position, tried));
    this.#showNote(gettext("That move isn't legal."));
  }

  /** @param {State} next @param {Action[]} actions */
  #take(next, actions) {
    const before = this.state;
    this.state = next;
    if (next.version !== before.version) this.#forget();
    if (next.version !== before.version && this.confirm.withdraw()) this.#showNote(gettext("The match has moved on. Check the board and try again."));
    if (actions.length || next.version !== before.version) this.#sent = null;
    if (!next.may.includes("roll")) {
      this.#locking = false;
      this.#announceWait("");
    }
    this.dice.take(next, actions);
    this.orders.take();
    this.absence.update(next.away);
    this.#lapse();
    const result = gameResult(before, next);
    if (result && next.match.status === "live") this.#note = { text: result, ruling: null };
    for (const sentence of describeActions(actions, before, next)) this.board.announce(sentence);
    if (result) this.board.announce(result);
    const turned = waitedFor(next) === next.you && waitedFor(before) !== next.you && next.you !== null;
    if (turned) this.sounds.play("turn");
    this.#play(actions);
    this.#around.soon();
    this.takeBack.update();
    if (next.match.status === "over" && before.match.status === "over") showRematch(this.root, next.match);
    if (next.match.status === "over" && before.match.status !== "over") {
      this.sounds.play("end");
      window.setTimeout(() => this.#showResult(), actions.length ? 1600 : 0);
    }
    this.#follow();
  }

  /** @param {AckMessage | RefusedMessage | WhyMessage | PresenceMessage | PongMessage} message */
  #answer(message) {
    if (message.t === "presence") {
      this.absence.setPresence(message);
    } else if (message.t === "pong") {
      this.absence.update(message.away);
    } else if (this.dice.answer(message)) {
      return;
    } else if (this.orders.answer(message)) {
      if (message.t === "refused") this.#showNote(message.text, message.ruling);
    } else if (message.t === "why") {
      if (message.code) this.#showNote(message.text, message.ruling);
    } else if (this.typed.answer(message)) {
      return;
    } else if (message.t === "refused" && message.id === this.#sent) {
      this.#sent = null;
      this.board.reset();
      if (message.code === "element_wrong") this.dice.wrong();
      this.#show();
      this.#showNote(message.text, message.ruling);
    } else if (message.t === "ack" && message.id === this.#sent && message.version <= this.socket.version) {
      this.#sent = null;
      this.#show();
    }
  }

  /** The board and the clock as they are after these actions. @param {Action[]} actions */
  #play(actions) {
    const { state } = this;
    this.board.set({ ...state, game: state.match.game }, standing(actions));
    shapePage(part(this.root, "board"));
    this.clock.set(state.clock);
  }

  /** What stands around the board. */
  #show() {
    const { root, state, bottom } = this;
    root.dataset.version = String(state.version);
    showStrips(root, state, bottom, this.board.pips);
    this.absence.show();
    showScore(root, state);
    const { headline, detail } = statusOf(state);
    write(part(root, "headline"), headline);
    const forced = this.board.forced && !this.board.started ? gettext("Forced play.") : "";
    const prompt = this.#locking ? this.dice.waitText : detail;
    const usual = this.board.started ? localized(this.board.text) : [forced, prompt].filter(Boolean).join(" ");
    showDetail(root, this.#note.text ? this.#note : { text: usual }, this.config.rulesUrl);
    showButtons(root, state, this.board, this.#sent !== null || this.#locking);
    this.takeBack.show();
    this.nextBoard?.update(state.version);
    // It stays between turns, so that nothing jumps while somebody writes.
    const text = root.querySelector('[data-do="text"]')?.getAttribute("aria-pressed") === "true";
    hide(part(root, "typed"), !state.you || state.match.status !== "live" || !(this.typed.wanted || text));
    const yours = state.you !== null && waitedFor(state) === state.you;
    this.title.set(yours);
    root.classList.toggle("yours", yours);
    root.classList.toggle("waiting", this.#sent !== null || this.#locking);
    this.#plays();
    const sound = root.querySelector('[data-do="sound"]');
    if (sound instanceof HTMLElement) pressed(sound, this.sounds.on);
  }

  /** The list of plays of the running game. */
  #plays() {
    const { position, match } = this.state;
    const first = firstOf(position);
    /** @param {Side} side */
    const head = (side) => ({ name: match.players[side]?.name ?? "…", colour: coloured(position, side) });
    const heads = { white: head("white"), black: head("black") };
    showLines(part(this.root, "moves"), linesOf(this.record.ofGame(match.game), first), { heads, first });
  }

  /** @param {import("./clock.js").Reading | null} reading */
  #time(reading) {
    showClocks(this.root, reading, this.bottom);
    const { you } = this.state;
    const low = !!you && reading?.running === you && reading.delay === 0 && reading.left[you] < LOW;
    if (low && !this.#lowWarned) {
      this.sounds.play("low");
      this.board.announce(gettext("Your time is running out."));
    }
    this.#lowWarned = low;
  }

  /** Shows a sentence under the headline and speaks it. @param {string} text @param {string | null} [ruling] */
  #showNote(text, ruling = null) {
    this.#note = { text, ruling };
    showDetail(this.root, this.#note, this.config.rulesUrl);
    this.board.announce(ruled(this.#note));
  }

  #showResult() {
    if (showResult(this.root, this.state)) this.analysis?.show();
  }

  #forget() {
    this.#note = { text: "", ruling: null };
  }
}

new LiveMatch(...page(), embedded("match-state"));
