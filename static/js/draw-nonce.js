/**
 * What a browser adds to the draw: a number that nobody could have foreseen, in every form with a field `nonce`.
 * Without this script the server throws it.
 */

const NONCE_BYTES = 32;

/** A number for the draw that nobody could have foreseen, as 64 hex digits. */
export function nonce() {
  const bytes = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// At the last moment, so that forms which arrived later have theirs too; before htmx reads the form.
document.addEventListener(
  "submit",
  (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement)) return;
    const field = form.elements.namedItem("nonce");
    if (field instanceof HTMLInputElement && !field.value) field.value = nonce();
  },
  true,
);
