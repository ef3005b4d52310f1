/**
 * Passkeys and security keys: the browser holds the ceremony, the form carries what comes of it. A form of the page says
 * which one (`data-passkey`): "make" a new one, "use" one as a second step, "enter" with one alone. Without a browser that
 * knows them, or where the page came over plain http, the page says so and the forms stay hidden.
 */
import { gettext } from "./i18n.js";

/** @param {string} text base64url @returns {ArrayBuffer} */
export function bytes(text) {
  const plain = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
  return Uint8Array.from(plain, (character) => character.charCodeAt(0)).buffer;
}

/** @param {ArrayBuffer} buffer @returns {string} base64url */
export function text(buffer) {
  const plain = String.fromCharCode(...new Uint8Array(buffer));
  return btoa(plain).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/** @param {any} options what the server wrote for `navigator.credentials`, its bytes as base64url */
export function opened(options) {
  const key = { ...options.publicKey, challenge: bytes(options.publicKey.challenge) };
  const list = (/** @type {any[]} */ descriptors) => descriptors.map((descriptor) => ({ ...descriptor, id: bytes(descriptor.id) }));
  if (key.user) key.user = { ...key.user, id: bytes(key.user.id) };
  if (key.excludeCredentials) key.excludeCredentials = list(key.excludeCredentials);
  if (key.allowCredentials) key.allowCredentials = list(key.allowCredentials);
  return { publicKey: key };
}

/** @param {any} made a PublicKeyCredential @returns {any} the same for the server */
export function closed(made) {
  const { response } = made;
  /** @type {Record<string, any>} */
  const encoded = { clientDataJSON: text(response.clientDataJSON) };
  if (response.attestationObject) {
    encoded.attestationObject = text(response.attestationObject);
    encoded.transports = response.getTransports?.() ?? [];
  } else {
    encoded.authenticatorData = text(response.authenticatorData);
    encoded.signature = text(response.signature);
    encoded.userHandle = response.userHandle ? text(response.userHandle) : null;
  }
  return {
    type: made.type,
    id: made.id,
    rawId: text(made.rawId),
    authenticatorAttachment: made.authenticatorAttachment ?? null,
    response: encoded,
    clientExtensionResults: made.getClientExtensionResults(),
  };
}

/** @param {HTMLFormElement} form @returns {Promise<any>} */
async function held(form) {
  if (form.dataset.passkey === "enter") {
    const answer = await fetch(form.action, { headers: { Accept: "application/json" } });
    if (!answer.ok) throw new Error(String(answer.status));
    return navigator.credentials.get(opened((await answer.json()).request_options));
  }
  const data = JSON.parse(document.getElementById("passkey-data")?.textContent ?? "{}");
  if (form.dataset.passkey === "use") return navigator.credentials.get(opened(data.request_options));
  const alone = /** @type {HTMLInputElement | null} */ (form.querySelector("[name=passwordless]"))?.checked ?? false;
  const { publicKey } = opened(data.creation_options);
  const requirements = { residentKey: alone ? "required" : "discouraged", requireResidentKey: alone };
  publicKey.authenticatorSelection = { ...publicKey.authenticatorSelection, ...requirements };
  if (alone) publicKey.authenticatorSelection.userVerification = "required";
  return navigator.credentials.create({ publicKey });
}

/** @param {unknown} error what a person reads of it */
export function errorText(error) {
  const name = error instanceof Error ? error.name : "";
  if (name === "InvalidStateError") return gettext("This device already has a passkey for your account.");
  if (name === "NotAllowedError" || name === "AbortError") return gettext("The request was cancelled or timed out. Try again.");
  if (name === "SecurityError") return gettext("Your browser doesn't allow passkeys at this web address.");
  return gettext("That didn't work. Try again.");
}

/** @param {HTMLFormElement} form */
function ready(form) {
  form.hidden = false;
  form.addEventListener("submit", async (event) => {
    const field = /** @type {HTMLInputElement} */ (form.querySelector("[name=credential]"));
    if (field.value) return;
    event.preventDefault();
    const button = /** @type {HTMLButtonElement} */ (form.querySelector("[type=submit]"));
    const wrong = /** @type {HTMLElement | null} */ (form.querySelector("[data-passkey-error]"));
    if (wrong) wrong.hidden = true;
    button.disabled = true;
    try {
      field.value = JSON.stringify(closed(await held(form)));
      form.submit();
    } catch (error) {
      if (wrong) {
        wrong.textContent = errorText(error);
        wrong.hidden = false;
      }
    } finally {
      button.disabled = false;
    }
  });
}

if (typeof document !== "undefined") {
  const known = "PublicKeyCredential" in window && Boolean(navigator.credentials);
  const forms = /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll("form[data-passkey]"));
  if (known) for (const form of forms) ready(form);
  else for (const explanation of document.querySelectorAll(`[data-passkey-missing=${window.isSecureContext ? "unknown" : "insecure"}]`)) /** @type {HTMLElement} */ (explanation).hidden = false;
}
