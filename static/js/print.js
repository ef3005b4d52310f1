/** Sheets to print: the button that prints them. Without this script the browser's own menu does. */
const button = /** @type {HTMLButtonElement | null} */ (document.querySelector("#print"));
if (button) {
  button.hidden = false;
  button.addEventListener("click", () => window.print());
}
