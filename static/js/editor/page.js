/** The page of the editor: the board, the controls around it, and the ids that the server gives to what stands there. */
import { EditorBoard } from "./board.js";
import { cleared, exchanged, mayBeCrawford, pips, tidied } from "./setup.js";
import { START, read, write } from "./xgid.js";
import { fill, gettext } from "../words.js";

/** @typedef {import("./setup.js").Setup} Setup */

const PATIENCE = 160; // ms without a change before the server is asked

const page = /** @type {HTMLElement} */ (document.querySelector("[data-editor]"));
const form = /** @type {HTMLFormElement} */ (page.querySelector("form[data-terms]"));
/** @param {string} name */
const part = (name) => /** @type {HTMLElement} */ (page.querySelector(`[data-part=${name}]`));
/** @param {string} name */
const field = (name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name));

/** @type {Setup[]} */
const past = [];
let setup = read(page.dataset.xgid ?? START);
let asked = 0;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let waiting;

const board = new EditorBoard(part("board"), setup, {
  direction: page.dataset.direction === "cw" ? "cw" : "ccw",
  changed: (men) => change({ men }),
});

/** @param {Partial<Setup>} what */
function change(what) {
  past.push(setup);
  setup = tidied({ ...setup, ...what });
  show();
}

function show() {
  board.set(setup);
  const { men, length, cube, phase, dice } = setup;
  showIn("length", length);
  showIn("white", setup.score.white);
  showIn("black", setup.score.black);
  for (const name of ["white", "black"]) field(name).max = length ? String(length - 1) : "";
  showIn("turn", setup.turn);
  showIn("dice", phase === "move" ? [...dice].sort().reverse().join("") : phase);
  showIn("cube", cube.cap === 1 || length === 1 ? "none" : cube.value === 1 ? "1" : `${cube.value} ${cube.owner ?? "middle"}`);
  field("crawford").checked = setup.crawford;
  field("crawford").disabled = !mayBeCrawford(setup);
  field("jacoby").checked = setup.jacoby;
  field("beavers").checked = setup.beavers;
  for (const [name, shown] of /** @type {[string, boolean][]} */ ([["match", length > 0], ["money", length === 0]])) part(name).hidden = !shown;
  part("pips").textContent = fill(gettext("White %(white)s pips, Black %(black)s"), { white: pips(men.white), black: pips(men.black) });
  /** @type {HTMLButtonElement} */ (page.querySelector("[data-do=undo]")).disabled = past.length === 0;
  part("xgid").textContent = write(setup);
  clearTimeout(waiting);
  waiting = setTimeout(() => ask(write(setup), false), PATIENCE);
}

/** A control of the form shows a value. @param {string} name @param {string | number} value */
function showIn(name, value) {
  const one = form.elements.namedItem(name);
  if (one instanceof RadioNodeList || one instanceof HTMLSelectElement || one instanceof HTMLInputElement) one.value = String(value);
}

/** What the controls say. @returns {Partial<Setup>} */
function said() {
  const value = /** @param {string} name */ (name) => String(new FormData(form).get(name) ?? "");
  const number = /** @param {string} name */ (name) => Math.max(0, Math.floor(Number(value(name)) || 0));
  const [dice, [cube, owner]] = [value("dice"), value("cube").split(" ")];
  const rolled = /^\d\d$/.test(dice);
  return {
    turn: value("turn") === "black" ? "black" : "white",
    phase: rolled ? "move" : dice === "doubled" ? "doubled" : "roll",
    dice: rolled ? [...dice].map(Number) : [],
    length: number("length"),
    score: { white: number("white"), black: number("black") },
    crawford: field("crawford").checked,
    jacoby: field("jacoby").checked,
    beavers: field("beavers").checked,
    cube: cube === "none"
      ? { value: 1, owner: null, cap: 1 }
      : { value: Number(cube), owner: owner === "white" || owner === "black" ? owner : null, cap: Math.max(setup.cube.cap, 64) },
  };
}

/**
 * Asks the server to read an id: what it is called elsewhere, or why it is no position.
 * @param {string} id @param {boolean} take whether the board shall show it
 */
async function ask(id, take) {
  if (take) clearTimeout(waiting); // what the board was before must not overtake what is brought in
  asked += 1;
  const mine = asked;
  const answer = await fetch(`${page.dataset.ids}?id=${encodeURIComponent(id)}`, { headers: { Accept: "application/json" } }).catch(() => null);
  if (mine !== asked) return;
  const told = answer ? await answer.json().catch(() => null) : null;
  const good = !!answer?.ok && told !== null;
  if (good && take) change(read(told.xgid));
  part("gnubg").textContent = good ? told.gnubg : "–";
  part("wrong").textContent = good ? "" : (told?.error ?? gettext("The server cannot be reached."));
  for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (page.querySelectorAll("a[data-link]"))) {
    link.href = `${link.dataset.link}?id=${encodeURIComponent(write(setup))}`;
    link.setAttribute("aria-disabled", String(!good));
  }
  for (const input of /** @type {NodeListOf<HTMLInputElement>} */ (page.querySelectorAll("input[data-id]"))) input.value = write(setup);
  for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (page.querySelectorAll("button[data-good]"))) button.disabled = !good;
}

form.addEventListener("change", () => change(said()));
form.addEventListener("submit", (event) => event.preventDefault());

page.addEventListener("submit", (event) => {
  const sent = /** @type {HTMLFormElement} */ (event.target);
  if (!("paste" in sent.dataset)) return;
  event.preventDefault();
  ask(String(new FormData(sent).get("id") ?? ""), true);
});

/** @type {Record<string, () => void>} */
const DEEDS = {
  start: () => change({ men: read(START).men }),
  clear: () => change({ men: cleared() }),
  exchange: () => change(exchanged(setup)),
  turn: () => board.turn(),
  undo: () => {
    setup = past.pop() ?? setup;
    show();
  },
};

page.addEventListener("click", (event) => {
  const button = /** @type {HTMLElement} */ (event.target).closest?.("button");
  if (!button) return;
  const { do: what, copy } = button.dataset;
  if (what && what in DEEDS) DEEDS[what]();
  else if (copy) keep(part(copy).textContent ?? "");
});

/** @param {string} text */
async function keep(text) {
  await navigator.clipboard.writeText(text);
  part("copied").textContent = gettext("Copied.");
}

// Without https (a club's own network) browsers have no clipboard for pages: the ids are selected by hand there.
if (navigator.clipboard) for (const button of page.querySelectorAll("[data-copy]")) button.removeAttribute("hidden");
page.hidden = false;
show();
