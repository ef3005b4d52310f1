/** The dice of a live match: sends what this seat owes, verifies what is rolled, and shows both. Made once for the page of a match. */
import { nameOf } from "../match/format.js";
import { SIDES } from "../board/sides.js";
import { askToPlayOn, listenDice, showAfter, showFairDice } from "./dialog.js";
import { DiceParticipant } from "./participant.js";
import { KeyStore } from "./key-store.js";
import { AutoRoll, listenToAutoRoll, showAutoRoll } from "./auto-roll.js";
import { LiveVerifier } from "./live-verifier.js";
import { fairDice, waitText } from "./text.js";

/** How long until the result of what was sent is asked for, and then again while the opponent's part is missing. */
const FIRST_SYNC = 600;
const NEXT_SYNC = 3000;
/** Refusals of what came at the wrong moment: a later state says whether it is still owed. */
const RETRY_CODES = new Set(["stale", "dice_early", "dice_not_now"]);

/**
 * @typedef {object} Line
 * @property {(frame: import("./participant.js").DiceFrame) => string} give sends a frame until it is answered; its id
 * @property {() => void} sync
 * @property {() => void} onReady something may be rolled now that could not
 * @property {() => number[][] | null} played the dice of the whole record, when the page has it
 */

export class LiveDice {
  /** @type {DiceParticipant | null} */
  #participant = null;
  #lastSent = "";
  #order = new AutoRoll();
  /** @type {Set<string>} ids of what was sent and nobody answered */
  #open = new Set();
  #timer = 0;

  /**
   * @param {HTMLElement} root
   * @param {State} state
   * @param {Line} line
   */
  constructor(root, state, line) {
    this.root = root;
    this.state = state;
    this.line = line;
    this.keys = state.you && state.dice ? new KeyStore(state.match.id, state.you) : null;
    this.verifier = new LiveVerifier(state.match.id, this.keys?.kept?.promised);
    if (!state.dice) return;
    listenDice(root, {
      url: `${location.pathname}dice.json`,
      played: line.played,
      promised: () => this.verifier.promised,
      onResult: ({ fault }) => {
        this.verifier.fault ??= fault;
        this.#show();
      },
    });
    if (this.keys && state.you && state.match.status === "live") {
      listenToAutoRoll(root, (choice) => this.#choose(choice));
      this.#participant = new DiceParticipant(state.you, this.keys);
      void this.#participant.open(state.dice).then(() => this.#go());
    }
    this.take(state, []);
  }

  /** A state came, with what led to it. @param {State} state @param {Action[]} actions */
  take(state, actions) {
    this.state = state;
    if (!state.dice) return;
    if (state.you) this.#order.receiveState(state.dice, state.you);
    this.verifier.receiveState(state.dice);
    this.verifier.add(actions);
    this.#give();
    this.#show();
    if (state.match.status === "over") this.keys?.over();
  }

  /** Actions of the record came, also such that are known. @param {Action[]} actions */
  keep(actions) {
    if (!this.state.dice) return;
    this.verifier.add(actions);
    this.#show();
  }

  /** Whether a message answers what this file sent; then it is done with. @param {AckMessage | RefusedMessage | WhyMessage | PresenceMessage} message */
  answer(message) {
    if (message.t === "presence" || !this.#open.delete(message.id)) return false;
    if (message.t === "ack" || message.t === "refused") this.#order.answered(message);
    if (message.t === "refused") this.#refused(message.code);
    this.#later(FIRST_SYNC);
    return true;
  }

  /** @param {string} code */
  #refused(code) {
    if (RETRY_CODES.has(code)) this.#lastSent = "";
    else if (this.state.dice) void this.#participant?.refused(this.state.dice).then(() => this.#go());
  }

  /** What a roll carries now. @returns {import("./participant.js").Roll} */
  roll() {
    return this.#participant?.roll(this.state) ?? {};
  }

  /** Tells the player that this device has no key; when the player goes on here, `then` follows. @param {() => void} then */
  ask(then) {
    askToPlayOn(this.root, () => {
      if (this.#participant) this.#participant.agreed = true;
      then();
    });
  }

  /** A roll was refused for its element: the key of this browser is not this seat's. */
  wrong() {
    if (this.state.dice) void this.#participant?.refused(this.state.dice);
    this.line.sync();
  }

  /** Why a roll waits. */
  get waitText() {
    return waitText(this.#waits(), this.state.you);
  }

  #go() {
    this.#give();
    this.line.onReady();
  }

  /** The player wants the server to roll, or not: what it needs for that goes with it. @param {import("./auto-roll.js").AutoRollChoice} choice */
  #choose(choice) {
    this.#order.chosen(choice, "");
    const owed = this.#participant?.owes(this.#wished());
    const frame = choice.order && owed && "order" in owed ? owed : { t: /** @type {const} */ ("dice"), ...choice };
    this.#order.chosen(choice, this.#send(frame));
    this.#show();
  }

  /** The state, with what the player has just chosen. */
  #wished() {
    const { dice, you } = this.state;
    return dice && you ? { ...this.state, dice: this.#order.on(dice, you) } : this.state;
  }

  /** @param {import("./participant.js").DiceFrame} frame */
  #send(frame) {
    this.#lastSent = JSON.stringify(frame);
    const id = this.line.give(frame);
    this.#open.add(id);
    return id;
  }

  #give() {
    const frame = this.#participant?.owes(this.#wished());
    if (frame && JSON.stringify(frame) !== this.#lastSent) this.#send(frame);
    const { dice, match } = this.state;
    if (this.#participant && dice && !dice.ready && match.status === "live") this.#later(NEXT_SYNC);
  }

  /** Asks for news by and by: what others gave changes no version, so no heartbeat would tell of a lost word. @param {number} ms */
  #later(ms) {
    window.clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.line.sync(), ms);
  }

  /** Whose browser has not done its part yet. */
  #waits() {
    const { dice } = this.state;
    if (!dice) return [];
    return SIDES.filter((side) => !dice[side].held && (!dice[side].end || (dice.ready && !dice[side].nonce))).map((side) => this.#seated(side));
  }

  /** @param {Side} side */
  #seated(side) {
    const { state } = this;
    return { side, name: nameOf(state, side), bot: state.match.players[side]?.bot ?? false };
  }

  #show() {
    const { dice, match, you } = this.state;
    if (!dice) return;
    if (you) showAutoRoll(this.root, this.#order.on(dice, you)[you], !!this.state.position.cube);
    const held = SIDES.filter((side) => dice[side].held).map((side) => this.#seated(side));
    showFairDice(this.root, fairDice(this.verifier, { waits: this.#waits(), held, you }));
    showAfter(this.root, match.status === "over");
  }
}
