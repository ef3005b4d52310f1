/**
 * Does what nobody waits for once the answer to a press is on the screen.
 * @param {() => void} work
 */
export function afterPaint(work) {
  if (document.hidden) setTimeout(work); // a page that nobody sees is not painted
  else requestAnimationFrame(() => setTimeout(work));
}

/**
 * The same work for later (`soon`), once however often it is asked for before the page is painted. Who cannot wait for
 * the paint has it done `now`, if it is due.
 * @param {() => void} work
 * @returns {{soon: () => void, now: () => void}}
 */
export function oncePainted(work) {
  let due = false;
  const now = () => {
    if (!due) return;
    due = false;
    work();
  };
  const soon = () => {
    if (!due) afterPaint(now);
    due = true;
  };
  return { soon, now };
}
