/** Completes a name while a director types it: people of the club, in the browser's own list. */

const PAUSE = 150;
const SHORTEST = 2;

export function completeNames() {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let soon;
  let last = "";

  /** @param {HTMLInputElement} input */
  async function complete(input) {
    const typed = input.value.trim();
    if (typed.length < SHORTEST || typed === last) return;
    last = typed;
    const answer = await fetch(`${input.dataset.people}?${new URLSearchParams({ q: typed })}`);
    if (!answer.ok || input.value.trim() !== typed) return;
    const { names } = /** @type {{names: string[]}} */ (await answer.json());
    input.list?.replaceChildren(...names.map((name) => new Option(name, name)));
  }

  document.addEventListener("input", ({ target }) => {
    if (!(target instanceof HTMLInputElement) || !target.dataset.people) return;
    clearTimeout(soon);
    soon = setTimeout(() => complete(target).catch(() => undefined), PAUSE); // without a network nothing is completed
  });
}
