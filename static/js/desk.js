/**
 * What a browser adds to the director's pages: a link to a pairing opens its form. Everything works without.
 */
import "./draw-nonce.js";
import "./dependent-fields.js";

/** Browsers open the details around a link's target, but not all of them. */
function openTarget() {
  const target = location.hash ? document.getElementById(location.hash.slice(1)) : null;
  const around = target?.closest("details");
  if (!around || around.open) return;
  around.open = true;
  target?.scrollIntoView();
}

/** A pairing that somebody unfolds is shown whole, with the button at its end. */
addEventListener("click", ({ target }) => {
  const table = target instanceof Element ? target.closest(".desk-table summary")?.closest("details") : null;
  if (table) requestAnimationFrame(() => table.open && table.scrollIntoView({ block: "nearest" }));
});
addEventListener("hashchange", openTarget);
openTarget();
