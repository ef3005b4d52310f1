/** What the server wrote into the page of a match: live.js and reader.js each start from it. */

/** @param {string} id the script element that holds the JSON */
export function embedded(id) {
  const block = document.getElementById(id);
  return block?.textContent ? JSON.parse(block.textContent) : null;
}

/** The element of the match, and what the page must know before it speaks to the server. @returns {[HTMLElement, MatchConfig]} */
export function page() {
  const root = document.getElementById("match");
  if (!root) throw new Error("the page has no match");
  return [root, embedded("match-config")];
}

/** What the server asks of every request that changes something. */
export function csrf() {
  const field = /** @type {HTMLInputElement | null} */ (document.querySelector("[name=csrfmiddlewaretoken]"));
  return field?.value ?? ""; // every page has a form; the cookie is not for scripts
}

/**
 * Tells when the page is seen again or the net is there again, for a line may have died meanwhile, and when the net goes.
 * @param {() => void} wake
 * @param {() => void} lost
 */
export function watchNet(wake, lost) {
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) wake();
  });
  addEventListener("online", wake);
  addEventListener("offline", lost);
  addEventListener("pageshow", (event) => {
    if (event.persisted) wake();
  });
}
