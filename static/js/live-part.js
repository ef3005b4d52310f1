/**
 * A part of a page that htmx replaces while people use it: never under a finger, and never while somebody writes in it.
 * What was open, scrolled or written there stays as it was.
 */

const CLICK_COMES = 350;

/** @typedef {{open: string[], scrolled: [string, number, number][], written: [string, string | boolean][]}} Kept */

/**
 * @param {string} id - of the part
 * @param {() => void} ask - has the server asked for it
 * @param {(part: Element) => void} [shown] - called with each new part
 * @returns {() => void} asks now, or as soon as it may
 */
export function livePart(id, ask, shown = () => undefined) {
  let pressed = false; // a button that is replaced under a finger is never clicked
  let waiting = false;
  /** @type {Kept | null} */
  let kept = null;

  const part = () => document.getElementById(id);
  const busy = () => pressed || writesIn(part());

  function refresh() {
    waiting = busy();
    if (!waiting) ask();
  }

  const refreshWhenIdle = () => {
    if (waiting && !busy()) refresh();
  };

  document.addEventListener("pointerdown", () => (pressed = true));
  /** @param {number} wait - milliseconds: on a touch screen the click comes some time after the finger has left */
  const released = (wait) => () =>
    setTimeout(() => {
      pressed = false;
      refreshWhenIdle();
    }, wait);
  document.addEventListener("pointerup", released(CLICK_COMES));
  for (const end of ["click", "pointercancel"]) document.addEventListener(end, released(0));
  document.addEventListener("focusout", () => setTimeout(refreshWhenIdle)); // when the next one has the focus
  document.addEventListener("htmx:beforeSwap", (event) => {
    const { detail } = /** @type {CustomEvent<{target: Element, shouldSwap: boolean}>} */ (event);
    if (detail.target.id !== id) return;
    if (busy()) {
      detail.shouldSwap = false;
      waiting = true;
    } else {
      kept = keep(detail.target);
    }
  });
  document.addEventListener("htmx:afterSwap", (event) => {
    const { target } = /** @type {CustomEvent<{target: Element}>} */ (event).detail;
    if (target.id !== id) return;
    if (kept) restore(target, kept);
    kept = null;
    shown(target);
  });
  return refresh;
}

/** @param {Element | null} part */
function writesIn(part) {
  const at = document.activeElement;
  return Boolean(part?.contains(at) && at?.matches("textarea, select, input:not([type=radio], [type=checkbox])"));
}

/**
 * The fields of a part that can be told apart after it was replaced: by the nearest id, the name, and a radio's value.
 * @param {Element} part
 * @returns {Map<string, HTMLInputElement | HTMLTextAreaElement>}
 */
function fields(part) {
  const found = new Map();
  for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (
    part.querySelectorAll("input:not([type=hidden]), textarea")
  )) {
    const chosen = field.type === "radio" || field.type === "checkbox";
    const form = field.form?.getAttribute("action") ?? "";
    found.set([field.closest("[id]")?.id, form, field.name, chosen ? field.value : ""].join(" "), field);
  }
  return found;
}

/**
 * @param {Element} part
 * @returns {Kept}
 */
function keep(part) {
  /** @type {Kept["written"]} */
  const written = [];
  for (const [key, field] of fields(part)) {
    if (field instanceof HTMLInputElement && field.checked !== field.defaultChecked) written.push([key, field.checked]);
    else if (field.value !== field.defaultValue) written.push([key, field.value]);
  }
  return {
    open: [...part.querySelectorAll("details[open][id]")].map((details) => details.id),
    scrolled: [...part.querySelectorAll("[id]")]
      .filter((element) => element.scrollLeft || element.scrollTop)
      .map((element) => [element.id, element.scrollLeft, element.scrollTop]),
    written,
  };
}

/**
 * @param {Element} part
 * @param {Kept} kept
 */
function restore(part, kept) {
  for (const id of kept.open) document.getElementById(id)?.setAttribute("open", "");
  for (const [id, left, top] of kept.scrolled) document.getElementById(id)?.scrollTo({ left, top, behavior: "instant" });
  const now = fields(part);
  for (const [key, value] of kept.written) {
    const field = now.get(key);
    if (field && typeof value === "string") field.value = value;
    else if (field instanceof HTMLInputElement) field.checked = Boolean(value);
  }
}
