/**
 * A phone beside the board as match clock and score sheet. Everything works without a network but the report of the
 * result; what is kept in the browser is in `tournaments/clock-state.js`.
 */
import { fill, gettext, isolate } from "./i18n.js";
import { face, LOW } from "./match/clock.js";
import { clockAt, isUnused, newClock, opponentOf, pause, readHalf, resume, touch, undoTouch } from "./tournaments/clock.js";
import { newSent, reportBody, sendReport, SignedOut } from "./tournaments/clock-report.js";
import { newState, readState, recordGame, removeGame, removeOld, withClock, writeState } from "./tournaments/clock-state.js";
import { cubeValues, linesOf, scoreOf, stageOf, winnerOf } from "./tournaments/score-sheet.js";

/** @typedef {import("./tournaments/clock.js").Player} Player */
/** @typedef {import("./tournaments/clock.js").Settings} Settings */
/** @typedef {import("./tournaments/clock-state.js").ClockState} ClockState */

/**
 * @typedef {object} PageData
 * @property {string} place the key in the storage
 * @property {string} key of the pairing
 * @property {number[]} numbers of both entrants
 * @property {string[]} names
 * @property {Player} near
 * @property {import("./tournaments/score-sheet.js").MatchTerms} match
 * @property {Settings} clock
 * @property {import("./tournaments/clock-report.js").ReportWay} report
 */

const TICK = 100;
const MINUTE = 60_000;
const PLAYERS = /** @type {Player[]} */ ([0, 1]);

/** The text of an element, changed only if it differs: a screen reader says only what is new. @param {Element} element @param {string} text */
function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

class ClockPage {
  /** @type {WakeLockSentinel | null} */
  #lock = null;
  #stores = true;
  #sending = false;
  #sure = false;

  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.data = /** @type {PageData} */ (JSON.parse(document.getElementById("clock-data")?.textContent ?? "{}"));
    this.sheet = /** @type {HTMLDialogElement} */ (document.getElementById("clock-sheet"));
    this.settings = /** @type {HTMLDialogElement} */ (document.getElementById("clock-settings"));
    this.form = /** @type {HTMLFormElement} */ (this.#part("game", this.sheet));
    this.settingsForm = /** @type {HTMLFormElement} */ (this.#part("settings", this.settings));
    removeOld(localStorage, Date.now());
    this.state = readState(localStorage, this.data.place) ?? newState(this.data.clock, this.data.near);
    this.#listen();
    this.#showSheet();
    this.#showSettings();
    this.#show();
    setInterval(() => this.#show(), TICK);
  }

  /** @param {string} name @param {ParentNode} [around] */
  #part(name, around = document) {
    return /** @type {HTMLElement} */ (around.querySelector(`[data-part="${name}"]`));
  }

  /** @param {string} name */
  #button(name) {
    return /** @type {HTMLButtonElement} */ (document.querySelector(`[data-press="${name}"]`));
  }

  /** @param {Player} player */
  #half(player) {
    const side = player === this.state.near ? "near" : "far";
    return /** @type {HTMLButtonElement} */ (this.root.querySelector(`[data-half="${side}"]`));
  }

  /** @param {Element} half @returns {Player} */
  #playerOf(half) {
    const { near } = this.state;
    return half.getAttribute("data-half") === "near" ? near : opponentOf(near);
  }

  get #winner() {
    return winnerOf(this.data.match, this.state.games);
  }

  // What people do

  #listen() {
    for (const half of this.root.querySelectorAll("[data-half]")) {
      half.addEventListener("pointerdown", () => this.#touch(this.#playerOf(half)));
      half.addEventListener("click", () => this.#touch(this.#playerOf(half))); // a second touch of the same half does nothing
      half.addEventListener("contextmenu", (event) => event.preventDefault());
    }
    /** @type {Record<string, () => void>} */
    const presses = {
      pause: () => this.#pause(),
      undo: () => this.#change(withClock(this.state, undoTouch(this.state.clock, Date.now()))),
      sheet: () => this.#open(this.sheet),
      settings: () => this.#open(this.settings),
      remove: () => this.#change(removeGame(this.state)),
      swap: () => this.#change({ ...this.state, near: opponentOf(this.state.near) }),
      restart: () => this.#restart(),
      report: () => void this.#report(),
    };
    for (const [name, press] of Object.entries(presses)) this.#button(name).addEventListener("click", press);
    for (const close of document.querySelectorAll("[data-close]")) close.addEventListener("click", () => close.closest("dialog")?.close());
    this.form.addEventListener("change", () => this.#showRecord());
    this.form.addEventListener("submit", (event) => this.#record(event));
    this.settingsForm.addEventListener("submit", (event) => this.#saveSettings(event));
    document.addEventListener("keydown", (event) => this.#key(event));
    document.addEventListener("keyup", (event) => {
      if (event.key === " " && event.target instanceof Element && event.target.matches("[data-half]")) event.preventDefault();
    });
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState !== "visible") return;
      this.#show();
      void this.#keepAwake();
    });
    addEventListener("storage", (event) => {
      const stored = event.key === this.data.place ? readState(localStorage, this.data.place) : null;
      if (!stored) return;
      this.state = stored;
      this.#showAll();
    });
  }

  /** @param {ClockState} state */
  #change(state) {
    if (state === this.state) return;
    this.state = state;
    this.#stores = writeState(localStorage, this.data.place, state, Date.now());
    this.#showAll();
  }

  /** @param {Player} player */
  #touch(player) {
    if (this.#winner !== null) return;
    this.#change(withClock(this.state, touch(this.state.clock, this.state.settings, player, Date.now())));
    void this.#keepAwake();
  }

  #pause() {
    const now = Date.now();
    const clock = clockAt(this.state.clock, now);
    this.#change({ ...this.state, clock: clock.paused === null ? pause(clock, now) : resume(clock, now) });
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (this.sheet.open || this.settings.open || event.repeat || event.ctrlKey || event.altKey || event.metaKey) return;
    const half = event.target instanceof Element && event.target.matches("[data-half]") ? event.target : null;
    const other = !half && event.target instanceof HTMLButtonElement;
    const { running } = this.state.clock;
    const key = event.key.toLowerCase();
    if (key === " " && !other) {
      if (running !== null) this.#touch(running);
      else if (half) this.#touch(this.#playerOf(half));
    } else if (key === "arrowup" || key === "arrowleft") this.#touch(opponentOf(this.state.near));
    else if (key === "arrowdown" || key === "arrowright") this.#touch(this.state.near);
    else if (key === "p") this.#button("pause").click();
    else if (key === "u") this.#button("undo").click();
    else return;
    event.preventDefault();
  }

  /** @param {HTMLDialogElement} dialog */
  #open(dialog) {
    this.#sure = false;
    this.#showAll();
    dialog.showModal();
  }

  /** @param {Event} event */
  #record(event) {
    event.preventDefault();
    const chosen = new FormData(this.form);
    const [winner, cube, level] = ["winner", "cube", "level"].map((name) => Number(chosen.get(name)));
    const game = { winner: /** @type {Player} */ (winner), cube, level };
    this.#change(recordGame(this.state, this.data.match, game, Date.now()));
    this.form.reset();
    this.#showRecord();
    if (this.#winner === null) this.sheet.close();
    else this.#part("won").focus();
  }

  /** @param {Event} event */
  #saveSettings(event) {
    event.preventDefault();
    const chosen = new FormData(this.settingsForm);
    const settings = { ...this.state.settings, delay: 1000 * Number(chosen.get("delay")), reserve: MINUTE * Number(chosen.get("reserve")) };
    if (this.#mayChange) this.#change({ ...this.state, settings, clock: newClock(settings) });
    this.settings.close();
  }

  #restart() {
    if (!this.#sure) {
      this.#sure = true;
      this.#showSettings();
      return;
    }
    this.#sure = false;
    this.#change(newState(this.data.clock, this.state.near));
    this.settings.close();
  }

  async #report() {
    const winner = this.#winner;
    if (winner === null || this.#sending) return;
    if (!this.state.sent) this.#change({ ...this.state, sent: newSent() });
    const { key, numbers, match, report } = this.data;
    const { sent, games } = this.state;
    const request = reportBody(report, { key, numbers, winner, score: scoreOf(match, games), sent });
    const token = /** @type {HTMLInputElement} */ (document.querySelector("[name=csrfmiddlewaretoken]")).value;
    this.#sending = true;
    this.#answer(gettext("Sending…"));
    try {
      const { ok, text } = await sendReport(report, request, token, (url, options) => fetch(url, options));
      const reported = report.as === "player" ? gettext("Result reported. It counts as soon as it is confirmed.") : text;
      this.#answer(ok ? reported : text, !ok);
      if (ok && sent === this.state.sent) this.#change({ ...this.state, reported: true });
    } catch (error) {
      this.#answer(error instanceof SignedOut
        ? gettext("You are signed out. Sign in and open this page again: the clock and the score are kept.")
        : gettext("No connection. The score is kept on this device: press again when you are online."), true);
    } finally {
      this.#sending = false;
      this.#showSheet();
    }
  }

  /** @param {string} text @param {boolean} [bad] */
  #answer(text, bad = false) {
    const answer = this.#part("answer");
    say(answer, text);
    answer.classList.toggle("is-bad", bad);
  }

  async #keepAwake() {
    const runs = this.state.clock.running !== null || this.state.clock.paused !== null || this.state.games.length > 0;
    if (!runs || this.#winner !== null || (this.#lock && !this.#lock.released) || !("wakeLock" in navigator)) return;
    try {
      this.#lock = await navigator.wakeLock.request("screen");
    } catch {
      // a low battery: the time is right when the screen is on again
    }
  }

  // What is shown

  get #mayChange() {
    return !this.state.games.length && isUnused(this.state.clock, this.state.settings);
  }

  #showAll() {
    this.#show();
    this.#showSheet();
    this.#showSettings();
  }

  #show() {
    const now = Date.now();
    const clock = clockAt(this.state.clock, now);
    if (clock.flags.some((flag, at) => flag !== this.state.clock.flags[at])) {
      this.#change({ ...this.state, clock }); // a flag fell
      return;
    }
    const score = scoreOf(this.data.match, this.state.games);
    for (const player of PLAYERS) this.#showHalf(player, clock, score[player]);
    const paused = clock.paused !== null;
    const pauses = this.#button("pause");
    say(pauses, paused ? gettext("Resume") : gettext("Pause"));
    pauses.disabled = clock.running === null && !paused;
    this.#button("undo").disabled = clock.before === null;
    say(this.#part("status"), this.#status(clock));
    this.root.classList.toggle("is-flagged", clock.flags.includes(true));
  }

  /** @param {Player} player @param {import("./tournaments/clock.js").MatchClock} clock @param {number} points */
  #showHalf(player, clock, points) {
    const half = this.#half(player);
    const shown = readHalf(clock, player, this.state.settings);
    const name = this.#part("name", half);
    say(name, this.data.names[player]);
    say(this.#part("points", half), String(points));
    say(this.#part("time", half), face(shown.left).replace(/^0:(?=\d\d\.)/, "")); // 09.1
    half.classList.toggle("is-hours", shown.left >= 60 * MINUTE);
    say(this.#part("state", half), this.#stateOf(shown, clock));
    say(this.#part("ends", half), shown.running ? gettext("End turn") : "");
    half.classList.toggle("is-running", shown.running);
    half.classList.toggle("is-paused", shown.toMove && !shown.running);
    half.classList.toggle("is-low", shown.left < LOW);
    half.classList.toggle("is-flag", shown.flag);
  }

  /** @param {ReturnType<typeof readHalf>} shown @param {import("./tournaments/clock.js").MatchClock} clock */
  #stateOf(shown, clock) {
    if (shown.flag) return gettext("Time is up");
    if (this.#winner !== null) return "";
    if (clock.running === null && clock.paused === null) return gettext("Touch to start your opponent");
    if (shown.toMove && !shown.running) return gettext("Paused");
    if (shown.delay) return fill(gettext("Delay %(seconds)s s"), { seconds: Math.ceil(shown.delay / 1000) });
    return shown.over ? gettext("Overtime") : "";
  }

  /** @param {import("./tournaments/clock.js").MatchClock} clock */
  #status(clock) {
    const name = (/** @type {Player} */ player) => isolate(this.data.names[player]);
    const winner = this.#winner;
    if (winner !== null) {
      if (this.state.reported) return gettext("Result reported.");
      return fill(gettext("%(name)s won the match. Report the result."), { name: name(winner) });
    }
    const flagged = PLAYERS.find((player) => clock.flags[player]);
    if (flagged !== undefined) return fill(gettext("Time is up for %(name)s. Call the director."), { name: name(flagged) });
    if (!this.#stores) return gettext("This browser stores nothing: a reload loses the clock.");
    if (clock.paused !== null) return gettext("Paused");
    if (clock.running !== null) return fill(gettext("%(name)s to move"), { name: name(clock.running) });
    return fill(gettext("Game %(number)s"), { number: this.state.games.length + 1 });
  }

  #scoreLine() {
    const score = scoreOf(this.data.match, this.state.games);
    const [first, second] = [this.state.near, opponentOf(this.state.near)];
    return [first, second].flatMap((player, at) => {
      const name = document.createElement("bdi");
      name.textContent = this.data.names[player];
      const points = document.createElement("b");
      points.textContent = String(score[player]);
      return at ? [" – ", points, " ", name] : [name, " ", points];
    });
  }

  #showSheet() {
    const { match, names } = this.data;
    const { games, reported } = this.state;
    const winner = this.#winner;
    const stage = stageOf(match, games);
    this.#part("score").replaceChildren(...this.#scoreLine());
    this.#part("sheet-score").replaceChildren(...this.#scoreLine());
    const stages = { crawford: gettext("Match to %(length)s · Crawford game"), after: gettext("Match to %(length)s · post-Crawford"), "": gettext("Match to %(length)s") };
    const note = fill(winner === null ? stages[stage] : stages[""], { length: match.length });
    say(this.#part("note"), note);
    say(this.#part("sheet-note"), winner === null ? note : "");
    this.form.hidden = winner !== null;
    this.#part("result").hidden = winner === null;
    this.#part("leave").hidden = !reported;
    const reports = this.#button("report");
    reports.disabled = reported || this.#sending;
    if (winner === null) this.#answer("");
    else {
      const score = scoreOf(match, games);
      const values = { name: isolate(names[winner]), score: `${score[winner]}–${score[opponentOf(winner)]}` };
      say(this.#part("won"), fill(gettext("%(name)s won %(score)s."), values));
    }
    if (reported && !this.#part("answer").textContent) this.#answer(gettext("Result reported."));
    for (const list of ["games", "lines"]) this.#part(list).replaceChildren(...linesOf(match, games).map((line) => this.#line(line)));
    this.#button("remove").hidden = !games.length || reported;
    const values = cubeValues(match, games);
    for (const input of /** @type {NodeListOf<HTMLInputElement>} */ (this.form.querySelectorAll("input[name=cube]"))) {
      const chip = /** @type {HTMLElement} */ (input.closest(".chip"));
      input.disabled = !values.includes(Number(input.value));
      chip.hidden = input.disabled;
      if (input.disabled && input.checked) /** @type {HTMLInputElement} */ (this.form.querySelector("input[name=cube]")).checked = true;
    }
    this.#showRecord();
  }

  /** @param {ReturnType<typeof linesOf>[number]} line */
  #line({ winner, points, cube, level, score, crawford }) {
    const row = document.createElement("li");
    const name = document.createElement("bdi");
    name.textContent = this.data.names[winner];
    const won = document.createElement("b");
    won.textContent = `+${points}`;
    const kinds = [gettext("Single game"), gettext("Gammon"), gettext("Backgammon")];
    const parts = [kinds[level - 1], cube > 1 ? fill(gettext("cube %(value)s"), { value: cube }) : "", crawford ? gettext("Crawford game") : ""];
    const note = document.createElement("span");
    note.className = "note";
    note.textContent = parts.filter(Boolean).join(" · ");
    const { near } = this.state;
    const standing = document.createElement("span");
    standing.className = "clock-standing";
    standing.textContent = `${score[near]}–${score[opponentOf(near)]}`;
    row.append(name, " ", won, " ", note, " ", standing);
    return row;
  }

  #showRecord() {
    const chosen = new FormData(this.form);
    const winner = chosen.get("winner");
    const points = Number(chosen.get("cube")) * Number(chosen.get("level"));
    const record = this.#part("record");
    if (winner === null) say(record, gettext("Record game"));
    else {
      const values = { name: isolate(this.data.names[Number(winner)]), points };
      say(record, fill(gettext("Record game: %(name)s +%(points)s"), values));
    }
  }

  #showSettings() {
    const { settings } = this.state;
    const field = (/** @type {string} */ name) => /** @type {HTMLInputElement} */ (this.settingsForm.elements.namedItem(name));
    const editing = this.settings.open && this.settingsForm.contains(document.activeElement);
    if (!editing) {
      field("delay").value = String(settings.delay / 1000);
      field("reserve").value = String(settings.reserve / MINUTE);
    }
    for (const element of this.settingsForm.querySelectorAll("input, button")) /** @type {HTMLInputElement} */ (element).disabled = !this.#mayChange;
    const notes = [
      this.#mayChange ? "" : gettext("The match has begun: these times are fixed."),
      settings.eachGame ? gettext("The reserve is for each game.") : "",
      settings.bonus ? fill(gettext("Each move adds %(seconds)s s."), { seconds: settings.bonus / 1000 }) : "",
      settings.overtime ? fill(gettext("After the reserve: %(minutes)s min of overtime, once."), { minutes: settings.overtime / MINUTE }) : "",
    ];
    say(this.#part("settings-note"), notes.filter(Boolean).join(" "));
    say(this.#button("restart"), this.#sure ? gettext("Erase the clock and the score?") : gettext("Start over"));
  }
}

if (typeof document !== "undefined") {
  const root = document.getElementById("match-clock");
  if (root) new ClockPage(root);
}
