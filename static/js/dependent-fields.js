/**
 * A part of a form that the server sends anew when an answer in it changes what else can be asked: another length has
 * other clocks. What is answered while that is under way is newer than what comes, so it is put back where it still fits.
 */

/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Field */
/** @typedef {CustomEvent<{xhr: XMLHttpRequest, target: Element, shouldSwap?: boolean}>} Swap */

/** @type {WeakMap<XMLHttpRequest, Map<string, string | boolean>>} */
const answersSent = new WeakMap(); // what the part said when each request left
/** @type {Map<string, string | boolean>} */
let newer = new Map();

/**
 * The fields of a part by what tells them apart after it was replaced: the name, and of a radio also its value.
 * @param {Element} part
 * @returns {Map<string, Field>}
 */
function fields(part) {
  const found = new Map();
  for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (part.querySelectorAll("[name]"))) {
    found.set(field.type === "radio" ? `${field.name} ${field.value}` : field.name, field);
  }
  return found;
}

/** @param {Field | undefined} field */
const ticked = (field) => field instanceof HTMLInputElement && ["radio", "checkbox"].includes(field.type);

/**
 * @param {Element} part
 * @returns {Map<string, string | boolean>}
 */
export function answers(part) {
  return new Map(
    [...fields(part)].map(([key, field]) => [key, ticked(field) ? /** @type {HTMLInputElement} */ (field).checked : field.value]),
  );
}

/**
 * What was answered between two looks at a part.
 * @param {Map<string, string | boolean>} before
 * @param {Map<string, string | boolean>} after
 * @returns {Map<string, string | boolean>}
 */
export function since(before, after) {
  return new Map([...after].filter(([key, value]) => before.get(key) !== value));
}

/**
 * Gives these answers again where they can still be given. A radio is never unset: another one of its group is set.
 * @param {Element} part
 * @param {Map<string, string | boolean>} previous
 */
export function answer(part, previous) {
  const now = fields(part);
  for (const [key, value] of previous) {
    const field = now.get(key);
    if (!field || field.disabled) continue;
    if (!ticked(field)) {
      const before = field.value;
      field.value = String(value);
      if (field.value !== value) field.value = before; // a choice that this game has not
    } else if (value || /** @type {HTMLInputElement} */ (field).type === "checkbox") {
      /** @type {HTMLInputElement} */ (field).checked = Boolean(value);
    }
  }
}

/** @param {Event} event */
const swap = (event) => /** @type {Swap} */ (event).detail;

/** @param {Element} part */
const kept = (part) => part.hasAttribute("data-keeps");

export function keepAnswers() {
  document.addEventListener("htmx:beforeRequest", (event) => {
    const { xhr, target } = swap(event);
    if (kept(target)) answersSent.set(xhr, answers(target));
  });
  document.addEventListener("htmx:beforeSwap", (event) => {
    const { xhr, target } = swap(event);
    const before = answersSent.get(xhr);
    if (before) newer = since(before, answers(target));
  });
  // After the settling, which writes the attributes of the new fields: no event of the reader's comes in between.
  document.addEventListener("htmx:afterSettle", (event) => {
    const part = /** @type {Element} */ (event.target);
    if (part instanceof Element && kept(part)) {
      answer(part, newer);
      newer = new Map();
    }
  });
}

/**
 * Whether somebody has answered otherwise than the page came.
 * @param {Element} field
 * @returns {boolean}
 */
export function answered(field) {
  if (field instanceof HTMLInputElement) return field.checked && !field.defaultChecked;
  if (!(field instanceof HTMLSelectElement)) return false;
  const options = [...field.options];
  return field.value !== (options.find((option) => option.defaultSelected) ?? options[0])?.value;
}

/** What was chosen before the scripts had come, or was put back by the browser after a reload, is asked for now. */
function requestForChosenValues() {
  for (const field of document.querySelectorAll("[name][hx-get]")) {
    if (answered(field)) field.dispatchEvent(new Event("change", { bubbles: true }));
  }
}

if (typeof document !== "undefined") {
  keepAnswers();
  if (document.readyState === "complete") requestForChosenValues();
  else document.addEventListener("DOMContentLoaded", requestForChosenValues); // htmx, which came first, is ready then
}
