/**
 * Sign-up: the password can be shown, name and password are checked while they are typed, and where the browser knows
 * passkeys one can take the place of the password. Without this script the form is checked when it is sent.
 */
import { closed, errorText, opened } from "./passkeys.js";

const PAUSE = 400; // milliseconds without a key after which what is typed is checked
const CHECKED = ["username", "password1"];

const form = /** @type {HTMLFormElement | null} */ (document.querySelector("form[data-signup]"));

/** @param {HTMLFormElement} form @param {string} url */
function send(form, url) {
  const body = new FormData(form);
  body.delete("next");
  return fetch(url, { method: "POST", body });
}

/**
 * Shows what is wrong with a field, or that nothing is.
 * @param {HTMLFormElement} form
 * @param {string} name
 * @param {string} error
 */
function show(form, name, error) {
  const box = form.querySelector(`[data-error="${name}"]`);
  const field = /** @type {HTMLInputElement} */ (form.elements.namedItem(name));
  if (!box || !field) return;
  const shown = box.textContent?.trim() ?? "";
  field.toggleAttribute("data-good", !error && Boolean(field.value));
  if (error) field.setAttribute("aria-invalid", "true");
  else field.removeAttribute("aria-invalid");
  if (shown === error) return; // a screen reader hears it once
  box.replaceChildren();
  if (!error) return;
  const [list, item] = [document.createElement("ul"), document.createElement("li")];
  list.className = "errors";
  item.textContent = error;
  list.append(item);
  box.append(list);
}

/** @param {HTMLFormElement} form */
function checkWhileTyping(form) {
  let timer = 0;
  let asked = 0;
  const check = async () => {
    const turn = ++asked;
    const answer = await send(form, form.dataset.signup ?? "").catch(() => null);
    if (!answer?.ok || turn !== asked) return;
    const errors = await answer.json();
    for (const name of CHECKED) if (name in errors) show(form, name, errors[name]);
  };
  form.addEventListener("input", (event) => {
    const field = /** @type {HTMLInputElement} */ (event.target);
    if (!CHECKED.includes(field.name)) return;
    clearTimeout(timer);
    timer = window.setTimeout(check, PAUSE);
  });
}

/** @param {HTMLButtonElement} button */
function showPassword(button) {
  const field = /** @type {HTMLInputElement} */ (document.getElementById(button.dataset.show ?? ""));
  button.hidden = false;
  button.addEventListener("click", () => {
    const shown = field.type === "text";
    field.type = shown ? "password" : "text";
    button.setAttribute("aria-pressed", String(!shown));
    field.focus();
  });
}

/**
 * @param {HTMLFormElement} form
 * @param {HTMLElement} part
 */
function offerPasskey(form, part) {
  const button = /** @type {HTMLButtonElement} */ (part.querySelector("button"));
  const wrong = /** @type {HTMLElement} */ (part.querySelector("[data-passkey-error]"));
  part.hidden = false;
  button.addEventListener("click", async () => {
    const name = /** @type {HTMLInputElement} */ (form.elements.namedItem("username"));
    const address = /** @type {HTMLInputElement | null} */ (form.elements.namedItem("email"));
    if (!name.reportValidity() || !(address?.reportValidity() ?? true)) return;
    wrong.hidden = true;
    button.disabled = true;
    try {
      const answer = await send(form, part.dataset.signupPasskey ?? "");
      const { creation_options: options, token, username: error } = await answer.json();
      if (error) {
        show(form, "username", error);
        name.focus();
        return;
      }
      /** @type {HTMLInputElement} */ (form.elements.namedItem("csrfmiddlewaretoken")).value = token;
      const made = await navigator.credentials.create(opened(options));
      submit(form, part.dataset.action ?? "", JSON.stringify(closed(made)));
    } catch (error) {
      wrong.textContent = errorText(error);
      wrong.hidden = false;
    } finally {
      button.disabled = false;
    }
  });
}

/**
 * @param {HTMLFormElement} form
 * @param {string} action
 * @param {string} credential
 */
function submit(form, action, credential) {
  const field = document.createElement("input");
  Object.assign(field, { type: "hidden", name: "credential", value: credential });
  form.append(field);
  form.querySelector("[name=password1]")?.remove();
  form.action = action;
  form.submit();
}

if (form) {
  checkWhileTyping(form);
  for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (form.querySelectorAll("[data-show]"))) showPassword(button);
  const part = /** @type {HTMLElement | null} */ (form.querySelector("[data-signup-passkey]"));
  if (part && "PublicKeyCredential" in window) offerPasskey(form, part);
}
