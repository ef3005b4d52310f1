/** The page of the editor: the board, the controls around it, and the ids that the server gives the position. */
import { EditorBoard } from "./board.js";
import { cleared, exchanged, mayBeCrawford, pips, tidied } from "./setup.js";
import { START, read, write } from "./xgid.js";
import { fill, gettext } from "../i18n.js";

/** @typedef {import("./setup.js").Setup} Setup */

const DEBOUNCE = 160; // ms without a change before the server is asked

const page = /** @type {HTMLElement} */ (document.querySelector("[data-editor]"));
const form = /** @type {HTMLFormElement} */ (page.querySelector("form[data-terms]"));
/** @param {string} name */
const part = (name) => /** @type {HTMLElement} */ (page.querySelector(`[data-part=${name}]`));
/** @param {string} name */
const field = (name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name));

/** @type {Setup[]} */
const past = [];
let setup = read(page.dataset.xgid ?? START);
let requests = 0;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let waiting;

const board = new EditorBoard(part("board"), setup, {
  direction: page.dataset.direction === "cw" ? "cw" : "ccw",
  changed: (checkers) => change({ checkers }),
});

/** @param {Partial<Setup>} changes */
function change(changes) {
  past.push(setup);
  setup = tidied({ ...setup, ...changes });
  show();
}

function show() {
  board.set(setup);
  const { checkers, length, cube, phase, dice } = setup;
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
  part("pips").textContent = fill(gettext("Pips: White %(white)s, Black %(black)s"), { white: pips(checkers.white), black: pips(checkers.black) });
  /** @type {HTMLButtonElement} */ (page.querySelector("[data-do=undo]")).disabled = past.length === 0;
  part("xgid").textContent = write(setup);
  clearTimeout(waiting);
  waiting = setTimeout(() => ask(write(setup), false), DEBOUNCE);
}

/** A control of the form shows a value. @param {string} name @param {string | number} value */
function showIn(name, value) {
  const control = form.elements.namedItem(name);
  if (control instanceof RadioNodeList || control instanceof HTMLSelectElement || control instanceof HTMLInputElement) control.value = String(value);
}

/** What the controls say. @returns {Partial<Setup>} */
function formValues() {
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
 * @param {string} id @param {boolean} apply whether the board shall show it
 */
async function ask(id, apply) {
  if (apply) clearTimeout(waiting); // what the board was before must not overtake what is imported
  requests += 1;
  const request = requests;
  const answer = await fetch(`${page.dataset.ids}?id=${encodeURIComponent(id)}`, { headers: { Accept: "application/json" } }).catch(() => null);
  if (request !== requests) return;
  const ids = answer ? await answer.json().catch(() => null) : null;
  const good = !!answer?.ok && ids !== null;
  if (good && apply) change(read(ids.xgid));
  part("gnubg").textContent = good ? ids.gnubg : "–";
  part("wrong").textContent = good ? "" : (ids?.error ?? gettext("Can't reach the server. Check your connection and try again."));
  for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (page.querySelectorAll("a[data-link]"))) {
    link.href = `${link.dataset.link}?id=${encodeURIComponent(write(setup))}`;
    link.setAttribute("aria-disabled", String(!good));
  }
  for (const input of /** @type {NodeListOf<HTMLInputElement>} */ (page.querySelectorAll("input[data-id]"))) input.value = write(setup);
  for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (page.querySelectorAll("button[data-good]"))) button.disabled = !good;
}

form.addEventListener("change", () => change(formValues()));
form.addEventListener("submit", (event) => event.preventDefault());

page.addEventListener("submit", (event) => {
  const sent = /** @type {HTMLFormElement} */ (event.target);
  if (!("paste" in sent.dataset)) return;
  event.preventDefault();
  ask(String(new FormData(sent).get("id") ?? ""), true);
});

/** @type {Record<string, () => void>} */
const ACTIONS = {
  start: () => change({ checkers: read(START).checkers }),
  clear: () => change({ checkers: cleared() }),
  exchange: () => change(exchanged(setup)),
  turn: () => board.flip(),
  undo: () => {
    setup = past.pop() ?? setup;
    show();
  },
};

page.addEventListener("click", (event) => {
  const button = /** @type {HTMLElement} */ (event.target).closest?.("button");
  if (!button) return;
  const { do: name, copy } = button.dataset;
  if (name && name in ACTIONS) ACTIONS[name]();
  else if (copy) void copyText(part(copy).textContent ?? "");
});

/** @param {string} text */
async function copyText(text) {
  await navigator.clipboard.writeText(text);
  part("copied").textContent = gettext("Copied.");
}

// Without https (a club's own network) browsers have no clipboard for pages: the ids are selected by hand there.
if (navigator.clipboard) for (const button of page.querySelectorAll("[data-copy]")) button.removeAttribute("hidden");
page.hidden = false;
show();
