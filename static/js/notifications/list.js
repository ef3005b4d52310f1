/** The list of notifications is loaded again when the count has changed. */
let known = document.querySelectorAll(".notification-unread").length;

document.addEventListener("tablero:notice", async (event) => {
  const { detail } = /** @type {CustomEvent<{unread?: number, url?: string}>} */ (event);
  if (detail.unread === known && !detail.url) return;
  known = detail.unread ?? 0;
  const answer = await fetch(location.href).catch(() => null);
  if (!answer?.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const [current, fresh] = [document.querySelector("#notifications"), page.querySelector("#notifications")];
  if (current && fresh && !current.contains(document.activeElement)) current.replaceWith(fresh);
});
