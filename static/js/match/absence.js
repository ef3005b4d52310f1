/**
 * Who is away from a match, and what the opponent may do about it. The server says since when and how long is left to wait
 * (`away` in a `pong`, and in what comes over HTTP); here that only runs on. A socket that closes is seen at once, but the
 * server's word decides. Contract: docs/protocol.md.
 */
import { SIDES, opponentOf } from "../board/sides.js";
import { fill, gettext } from "../i18n.js";
import { hide, part, stripOf, write } from "./panel.js";
import { nameOf, waitedFor } from "./format.js";

/** How long a closed socket counts more than the server's word, which is some seconds old. */
const RECENT = 10_000;

/** @typedef {{text: string, does: string[]}} Wait */

/**
 * What a player whose opponent is away sees and may do, or null: nothing while it is their own turn. Pure.
 * @param {State} state
 * @param {Away} away
 * @param {number} elapsed milliseconds since the server said so
 * @returns {Wait | null}
 */
export function waitOf(state, away, elapsed) {
  const { you, match } = state;
  const absent = you && away[opponentOf(you)];
  if (!you || !absent || absent.left_ms === undefined || match.status !== "live" || state.paused) return null;
  if (waitedFor(state) === you || (!waitedFor(state) && !state.ready.includes(you))) return null;
  const name = nameOf(state, opponentOf(you));
  const left = absent.left_ms - elapsed;
  if (left > 0) {
    const time = countdown(left);
    return { text: fill(gettext("%(name)s is away. You can claim the match in %(time)s."), { name, time }), does: [] };
  }
  return { text: fill(gettext("%(name)s is away. You don't have to wait any longer."), { name }), does: absent.may ?? [] };
}

/** Whole seconds, as a clock shows them: `1:37`. @param {number} ms */
function countdown(ms) {
  const seconds = Math.ceil(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

export class Absence {
  /** @type {Away | null} null where the server does not say: by correspondence, or not yet */
  #away = null;
  #updatedAt = 0;
  /** who is at a socket */
  #here = { white: false, black: false };
  /** when a side was last seen to leave */
  #left = { white: -RECENT, black: -RECENT };
  /** @type {Record<Side, boolean>} who was announced to be away */
  #announced = { white: false, black: false };
  #free = false;
  #timer = 0;

  /**
   * @param {HTMLElement} root
   * @param {{state: () => State, bottom: Side, announce: (text: string) => void, now?: () => number}} page
   */
  constructor(root, page) {
    this.root = root;
    this.page = page;
    this.now = page.now ?? (() => performance.now());
  }

  /** What the server says, in whatever message it came. @param {Away | undefined} away */
  update(away) {
    if (!away) return;
    this.#away = away;
    this.#updatedAt = this.now();
    for (const side of SIDES) if (!this.#isAway(side)) this.#here[side] = true;
    this.show();
  }

  /** @param {{white: boolean, black: boolean}} here who is at a socket now */
  setPresence({ white, black }) {
    const here = { white, black };
    for (const side of SIDES) {
      if (this.#here[side] && !here[side]) this.#left[side] = this.now();
      if (here[side] && this.#away) delete this.#away[side];
    }
    this.#here = here;
    this.show();
  }

  show() {
    clearTimeout(this.#timer);
    const state = this.page.state();
    for (const side of SIDES) this.#strip(state, side);
    const wait = this.#away && waitOf(state, this.#away, this.now() - this.#updatedAt);
    const panel = part(this.root, "absence");
    const hadFocus = panel.contains(document.activeElement);
    hide(panel, !wait);
    if (hadFocus && !wait) part(this.root, "headline").focus({ preventScroll: true });
    const free = !!wait?.does.length;
    for (const button of panel.querySelectorAll("button")) hide(button, !wait?.does.includes(button.dataset.ask ?? ""));
    hide(part(panel, "absence-does"), !free);
    if (wait) {
      write(part(panel, "absence-text"), wait.text);
      this.#timer = window.setTimeout(() => this.show(), 500);
    }
    if (free && !this.#free) this.page.announce(gettext("You can claim the match now."));
    this.#free = free;
  }

  /** @param {Side} side */
  #isAway(side) {
    return !!this.#away?.[side] || this.now() - this.#left[side] < RECENT;
  }

  /** @param {State} state @param {Side} side */
  #strip(state, side) {
    const { you, match } = state;
    const playing = match.status === "live";
    const present = side === you || !!match.players[side]?.bot || (this.#away ? !this.#isAway(side) : this.#here[side]);
    const strip = stripOf(this.root, side, this.page.bottom);
    strip.classList.toggle("present", present);
    hide(part(strip, "presence"), present || !playing);
    const away = playing && side !== you && !!this.#away?.[side];
    if (away === this.#announced[side]) return;
    this.#announced[side] = away;
    if (!playing) return;
    const name = nameOf(state, side);
    this.page.announce(fill(away ? gettext("%(name)s is away.") : gettext("%(name)s is back."), { name }));
  }
}
