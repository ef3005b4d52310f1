/** The page of a finished match: board, buttons and list of plays over replay.js. It opens a game when one goes there. */
import { boardFor } from "../boards.js";
import { higherFirst } from "../board/dice.js";
import { prefersReducedMotion } from "../board/timeline.js";
import { listenDice, showFairDice } from "../dice/dialog.js";
import { KeyStore } from "../dice/key-store.js";
import { rolledDice } from "../dice/verify.js";
import { fairDice } from "../dice/text.js";
import { fill, gettext, isolate } from "../i18n.js";
import { shapePage } from "./board-shape.js";
import { firstOf, linesOf, showLines } from "./move-list.js";
import { embedded, page } from "./page.js";
import { part, pressed, showScore, showSide, stripOf, write } from "./panel.js";
import { Record as Actions } from "./record.js";
import { offerShare } from "./share.js";
import { atEnd, framesOf, go, hashOf, lastPlay, opened, spotOf } from "./replay.js";
import { actionLabel } from "./action-text.js";
import { SIDES } from "../board/sides.js";
import { coloured, gameOver, halves, matchResult } from "./format.js";
import "../chat/panel.js";

const AUTO = 1500;

class Reader {
  #timer = 0;
  /** @type {import("./replay.js").Spot} */
  spot = { game: 0, frame: 0 };
  /** Where one wants to be, while the game there is on its way. */
  #wanted = this.spot;
  /** @type {Map<number, Promise<void>>} */
  #coming = new Map();

  /**
   * @param {HTMLElement} root
   * @param {MatchConfig} config
   * @param {ReplayContent} content its first game is open
   */
  constructor(root, config, content) {
    this.root = root;
    this.content = { ...content, games: content.games.map((game, at) => (at ? game : opened(game, /** @type {Required<ReplayGame>} */ (game)))) };
    this.names = config.names;
    this.bots = config.bots;
    /** @type {Side} */
    this.bottom = config.you ?? "white";
    this.direction = config.prefs.direction;
    if (!this.content.games.length) {
      root.classList.add("ready");
      return;
    }
    const { position } = framesOf(this.content, 0)[0];
    this.board = boardFor(part(root, "board"), position, { direction: this.direction, bottom: this.bottom });
    this.#games();
    offerShare(root);
    this.#listen();
    if (root.querySelector('[data-part="dice-lock"]')) this.#dice(config);
    this.#show([]);
    this.#to(spotOf(this.content, location.hash));
    root.classList.add("ready");
  }

  #games() {
    const select = /** @type {HTMLSelectElement} */ (part(this.root, "game"));
    select.replaceChildren(
      ...this.content.games.map(({ number, score }, at) => {
        const values = { number, white: halves(score.white), black: halves(score.black) };
        const text = score.crawford
          ? gettext("Game %(number)s, %(white)s–%(black)s, Crawford")
          : gettext("Game %(number)s, %(white)s–%(black)s");
        return new Option(fill(text, values), String(at));
      }),
    );
    select.addEventListener("change", () => this.#to({ game: Number(select.value), frame: 0 }));
  }

  /** The check of the dice; the lock says what it found. @param {MatchConfig} config */
  #dice({ matchId, you, apiUrl }) {
    const keys = you ? new KeyStore(matchId, you) : null;
    keys?.over();
    listenDice(this.root, {
      url: `${location.pathname}dice.json`,
      played: async () => {
        const count = this.content.games.reduce((sum, game) => sum + game.count, 0);
        const record = new Actions(apiUrl);
        await record.load(count);
        const actions = record.whole(count);
        if (!actions) throw new Error("the record is not whole");
        return rolledDice(actions);
      },
      promised: () => keys?.kept?.promised ?? null,
      onResult: ({ fault, count, held }) => {
        const seats = held.map((seat) => (seat === "A" ? /** @type {const} */ ("white") : /** @type {const} */ ("black")));
        const named = seats.map((side) => ({ side, name: isolate(this.names[side]), bot: false }));
        showFairDice(this.root, fairDice({ fault, count, known: count }, { held: named, you }));
      },
    });
  }

  #listen() {
    this.root.addEventListener("click", (event) => {
      const button = /** @type {HTMLElement} */ (event.target).closest?.("[data-go],[data-do]");
      if (button instanceof HTMLElement) this.#press(button);
    });
    addEventListener("hashchange", () => {
      this.#to(spotOf(this.content, location.hash));
      part(this.root, "board").scrollIntoView({ block: "nearest" }); // the link may stand below the board
    });
    document.addEventListener("keydown", (event) => {
      const direction = /** @type {Record<string, "back" | "next" | "first" | "last">} */ ({
        ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last",
      })[event.key];
      const on = /** @type {HTMLElement} */ (event.target);
      if (!direction || event.altKey || event.ctrlKey || event.metaKey || on.closest("input, select, textarea, [role=grid], [data-part=moves]")) return;
      event.preventDefault();
      this.#stop();
      this.#go(direction);
    });
  }

  /** @param {HTMLElement} button */
  #press(button) {
    const direction = button.dataset.go;
    if (direction === "auto") {
      if (this.#timer) this.#stop();
      else this.#auto(button);
      return;
    }
    if (direction) {
      this.#stop();
      this.#go(/** @type {"first"} */ (direction));
    } else if (button.dataset.do === "flip") {
      this.direction = this.direction === "ccw" ? "cw" : "ccw";
      this.board?.setDirection(this.direction);
      pressed(button, button.getAttribute("aria-pressed") !== "true");
    } else if (button.dataset.do === "text") {
      pressed(button, button.getAttribute("aria-pressed") !== "true");
      this.board?.setText(button.getAttribute("aria-pressed") === "true");
    }
  }

  /** @param {HTMLElement} button */
  #auto(button) {
    pressed(button, true);
    this.#timer = window.setInterval(() => {
      if (atEnd(this.content, this.spot)) this.#stop();
      else this.#to(go(this.content, this.spot, "next"));
    }, AUTO);
  }

  #stop() {
    clearInterval(this.#timer);
    this.#timer = 0;
    const button = this.root.querySelector('[data-go="auto"]');
    if (button instanceof HTMLElement) pressed(button, false);
  }

  /**
   * From where one wants to be, also while that game is prefersReducedMotion on its way: only a step has to wait for its frames.
   * @param {"first" | "back" | "next" | "last"} direction
   */
  #go(direction) {
    const from = this.#wanted;
    const step = direction === "next" || direction === "back";
    if (!step || this.content.games[from.game].frames) this.#to(go(this.content, from, direction));
  }

  /** Goes to a spot, as soon as its game is here. @param {import("./replay.js").Spot} spot */
  #to(spot) {
    const before = this.spot;
    this.#wanted = spot;
    if (spot.game === before.game && spot.frame === before.frame) return;
    const { frames, number } = this.content.games[spot.game];
    if (!frames) {
      void this.#later(spot);
      return;
    }
    this.spot = spot;
    const forward = spot.game === before.game && spot.frame > before.frame && spot.frame - before.frame <= 3;
    const actions = forward && !prefersReducedMotion() ? frames.slice(before.frame + 1, spot.frame + 1) : [];
    history.replaceState(null, "", hashOf(this.content, spot));
    this.#show(actions.map(({ action }) => ({ ...action, game: number })));
  }

  /** Fetches the game of a spot and goes there, unless one has gone elsewhere meanwhile. @param {import("./replay.js").Spot} spot */
  async #later(spot) {
    try {
      await this.#open(spot.game);
      if (this.#wanted === spot) this.#to(spot);
    } catch {
      if (this.#wanted !== spot) return;
      this.#wanted = this.spot;
      this.#stop();
      write(part(this.root, "detail"), gettext("Couldn't load this game. Try again."));
      /** @type {HTMLSelectElement} */ (part(this.root, "game")).value = String(this.spot.game);
    }
  }

  /** The frames of a game, fetched once; what failed can be tried again. @param {number} game */
  #open(game) {
    const coming = this.#coming.get(game) ?? this.#fetch(game);
    this.#coming.set(game, coming);
    coming.catch(() => this.#coming.delete(game));
    return coming;
  }

  /** @param {number} game */
  async #fetch(game) {
    const { games } = this.content;
    const answer = await fetch(games[game].url, { headers: { Accept: "application/json" } });
    if (!answer.ok) throw new Error(String(answer.status));
    games[game] = opened(games[game], await answer.json());
  }

  /** In the second half of a game the next one is fetched, so that nobody waits for it. */
  #ahead() {
    const { game, frame } = this.spot;
    const next = this.content.games[game + 1];
    if (next && !next.frames && frame > this.content.games[game].count / 2) this.#open(game + 1).catch(() => {});
  }

  /** @param {Action[]} actions */
  #show(actions) {
    const { root, spot, content, bottom } = this;
    const game = content.games[spot.game];
    const { action, position } = framesOf(content, spot.game)[spot.frame];
    const ended = (spot.frame === game.count && game.outcome) || null;
    const score = ended ? (content.games[spot.game + 1]?.score ?? content.score) : game.score;
    this.board?.set({ position, you: null, may: [], last: lastPlay(content, spot), game: game.number }, actions);
    if (this.board) shapePage(part(root, "board"));
    for (const side of SIDES) {
      const strip = stripOf(root, side, bottom);
      strip.classList.toggle("turn", position.turn === side);
      part(strip, "bot").hidden = !this.bots.includes(side);
      showSide(strip, side, position, this.names[side], score);
    }
    showScore(root, { match: this.#match(game.number, score), position });
    write(part(root, "headline"), this.#headline(action, framesOf(content, spot.game)[spot.frame - 1]?.position.phase === "opening"));
    write(part(root, "detail"), this.#detail(ended));
    this.#plays();
    /** @type {HTMLSelectElement} */ (part(root, "game")).value = String(spot.game);
    this.#ahead();
  }

  /** @param {number} n */
  #pick(n) {
    this.#stop();
    const frame = framesOf(this.content, this.spot.game).findIndex(({ action }) => action.n === n);
    this.#to({ game: this.spot.game, frame });
    const here = this.root.querySelector("[data-part=moves] .here");
    if (here instanceof HTMLElement) here.focus({ preventScroll: true });
  }

  /** @param {ReplayFrame["action"]} action @param {boolean} opening each die belongs to a player */
  #headline({ seat, text }, opening) {
    const dice = /^dice ([1-6])([1-6])/.exec(text);
    if (dice) {
      const rolled = [Number(dice[1]), Number(dice[2])];
      const [first, second] = opening ? rolled : higherFirst(rolled);
      return fill(gettext("Roll: %(first)s-%(second)s"), { first, second });
    }
    if (seat !== "white" && seat !== "black") return actionLabel(text);
    return fill(gettext("%(name)s: %(action)s"), { name: isolate(this.names[seat]), action: text === "roll" ? gettext("Rolls") : actionLabel(text) });
  }

  /** Where the reader stands; at the end of a game how it ended, and at the very end the match. @param {Outcome | null} ended */
  #detail(ended) {
    const { spot, content } = this;
    const { number, count } = content.games[spot.game];
    const result = content.result && atEnd(content, spot) ? matchResult({ match: this.#match(number, content.score) }) : "";
    if (ended) return [gameOver(ended, (side) => isolate(this.names[side])), result].filter(Boolean).join(" ");
    return result || fill(gettext("Game %(number)s, position %(at)s of %(count)s"), { number, at: spot.frame, count });
  }

  /** The list of plays of the game, each a button that leads to it. */
  #plays() {
    const frames = framesOf(this.content, this.spot.game);
    // Colours are drawn by the opening roll: the last position of a game knows them.
    const { position } = frames[frames.length - 1];
    const first = firstOf(position);
    /** @param {Side} side */
    const head = (side) => ({ name: this.names[side], colour: coloured(position, side) });
    showLines(part(this.root, "moves"), linesOf(frames.map((frame) => frame.action), first), {
      heads: { white: head("white"), black: head("black") },
      first,
      current: frames[this.spot.frame].action.n,
      pick: (n) => this.#pick(n),
    });
  }

  /** @param {number} game @param {Score} score @returns {MatchInfo} */
  #match(game, score) {
    /** @param {Side} side */
    const player = (side) => ({ name: this.names[side], bot: this.bots.includes(side), guest: false });
    const players = { white: player("white"), black: player("black") };
    return /** @type {MatchInfo} */ ({ players, score, game, result: this.content.result ?? null });
  }
}

new Reader(...page(), embedded("replay-data"));
