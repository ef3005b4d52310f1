/**
 * The forms of the desk are sent without leaving the page: the focus stays, and what is refused stays written. Where the
 * answer is another page (a question, the sign-in), nothing was done yet, and the form is sent again the usual way.
 */
import { readPage, showMessages, showPage } from "./fresh-page.js";

/** @param {HTMLFormElement} form @param {HTMLElement | null} button */
function sendPlainly(form, button) {
  if (button instanceof HTMLButtonElement && button.name) {
    const pressed = document.createElement("input");
    Object.assign(pressed, { type: "hidden", name: button.name, value: button.value });
    form.append(pressed);
  }
  HTMLFormElement.prototype.submit.call(form);
}

/** @param {HTMLFormElement} form @param {HTMLElement | null} button @param {HTMLElement} live */
async function send(form, button, live) {
  live.setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(form.action, { method: "POST", body: new FormData(form, button) });
    const isDesk = new URL(answer.url).pathname === location.pathname;
    const fresh = isDesk && answer.ok ? readPage(await answer.text()) : null;
    if (isDesk && answer.redirected && !fresh) {
      location.reload(); // it was done, and only the page after it failed: it must not be sent twice
      return;
    }
    if (!fresh) {
      sendPlainly(form, button);
      return; // busy until the other page is there
    }
    const refused = showMessages(fresh);
    if (!refused) form.reset();
    showPage(fresh);
  } catch {
    document.dispatchEvent(new CustomEvent("tablero:unsent"));
  }
  live.removeAttribute("aria-busy");
}

export function sendFormsInPlace() {
  document.addEventListener("submit", (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    const live = document.getElementById("tournament-live");
    if (event.defaultPrevented || !live?.contains(form) || form.method !== "post") return;
    event.preventDefault();
    send(form, /** @type {SubmitEvent} */ (event).submitter, live);
  });
}
