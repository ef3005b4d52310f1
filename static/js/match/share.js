/** Sharing the page of a match: by the device's own sheet, else by copying the link. Browsers offer both on https alone. */
import { gettext } from "../i18n.js";

/** Shows the buttons where the browser can share. @param {HTMLElement} root */
export function offerShare(root) {
  const able = "share" in navigator || "clipboard" in navigator;
  for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (root.querySelectorAll('[data-do="share"]'))) {
    button.hidden = !able;
    button.addEventListener("click", () => void share(button));
  }
}

/** @param {HTMLButtonElement} button */
async function share(button) {
  const url = location.origin + location.pathname + location.hash;
  try {
    if ("share" in navigator && matchMedia("(pointer: coarse)").matches) {
      await navigator.share({ title: document.title, url });
    } else {
      await navigator.clipboard.writeText(url);
      button.textContent = gettext("Link copied");
    }
  } catch {
    // The reader closed the sheet, or the browser refused: nothing was shared.
  }
}
