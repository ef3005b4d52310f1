/** Says that the connection is lost, when that lasts. */

const DELAY = 4000; // milliseconds

/** @param {HTMLElement | null} place a hidden element that says it */
export function connectionNotice(place) {
  let timer = 0;
  /** @param {boolean} open */
  return (open) => {
    clearTimeout(timer);
    if (!place) return;
    if (open) place.hidden = true;
    else timer = window.setTimeout(() => (place.hidden = false), DELAY);
  };
}
