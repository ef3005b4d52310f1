/** The list of notices looks again when the count has changed. */
let known = document.querySelectorAll(".notice-unread").length;

document.addEventListener("tablero:notice", async (event) => {
  const { detail } = /** @type {CustomEvent<{unread?: number, url?: string}>} */ (event);
  if (detail.unread === known && !detail.url) return;
  known = detail.unread ?? 0;
  const answer = await fetch(location.href).catch(() => null);
  if (!answer?.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const [mine, theirs] = [document.querySelector("#notices"), page.querySelector("#notices")];
  if (mine && theirs && !mine.contains(document.activeElement)) mine.replaceWith(theirs);
});
