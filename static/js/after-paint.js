/**
 * Does what nobody waits for once the answer to a press is on the screen.
 * @param {() => void} work
 */
export function afterPaint(work) {
  if (document.hidden) setTimeout(work); // a page that nobody sees is not painted
  else requestAnimationFrame(() => setTimeout(work));
}

/**
 * The same work for later, once however often it is asked for before the page is painted.
 * @param {() => void} work
 * @returns {() => void}
 */
export function oncePainted(work) {
  let due = false;
  return () => {
    if (due) return;
    due = true;
    afterPaint(() => {
      due = false;
      work();
    });
  };
}
