/** Says that the line to the server is gone, when that lasts: a screen on a wall is watched by nobody who could help. */

const PATIENCE = 4000;

/** @param {HTMLElement | null} place a hidden element that says it */
export function linkSign(place) {
  let timer = 0;
  /** @param {boolean} open */
  return (open) => {
    clearTimeout(timer);
    if (!place) return;
    if (open) place.hidden = true;
    else timer = window.setTimeout(() => (place.hidden = false), PATIENCE);
  };
}
