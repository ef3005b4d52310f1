/**
 * The card "On this device" of the settings: asks the browser for a subscription when its button is pressed, and never
 * before, and shows what stands in the way. Its texts are in the page, one block for each state; here one is unveiled.
 */

const WORKER = "/sw.js";

/** @typedef {"insecure" | "home" | "unsupported" | "denied" | "off" | "on"} State */
/**
 * @typedef {object} Facts
 * @property {boolean} secure whether the page came over https (or from this machine)
 * @property {boolean} apple an iPhone or iPad
 * @property {boolean} standalone opened from the home screen
 * @property {boolean} able the browser knows web push
 * @property {string} permission of the browser: "default", "granted" or "denied"
 * @property {boolean} known the site has the subscription of this browser
 */

/**
 * What the card shows.
 * @param {Facts} facts
 * @returns {State}
 */
export function stateOf({ secure, apple, standalone, able, permission, known }) {
  if (!secure) return "insecure";
  if (!able) return apple && !standalone ? "home" : "unsupported";
  if (permission === "denied") return "denied";
  return known && permission === "granted" ? "on" : "off";
}

/**
 * The bytes of base64 for addresses.
 * @param {string} text
 */
export function bytes(text) {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}

/**
 * Whether a subscription is bound to this key of the club.
 * @param {ArrayBuffer | null | undefined} bound
 * @param {string} key
 */
export function boundTo(bound, key) {
  const [expected, boundBytes] = [bytes(key), new Uint8Array(bound ?? new ArrayBuffer(0))];
  return expected.length === boundBytes.length && expected.every((byte, n) => byte === boundBytes[n]);
}

/**
 * By which the site names an address, without telling it.
 * @param {string} endpoint
 */
export async function markOf(endpoint) {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(endpoint));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** What the browser says of its machine: the list of devices needs a name to tell them apart. */
function nameOf() {
  const agent = /** @type {any} */ (navigator);
  const brands = (agent.userAgentData?.brands ?? []).map((/** @type {{brand: string}} */ entry) => entry.brand);
  const brand = brands.find((/** @type {string} */ name) => !/not|chromium/i.test(name)) ?? "";
  const machine = agent.userAgentData?.platform || navigator.platform || "";
  return [machine, brand].filter(Boolean).join(" · ").slice(0, 40);
}

function able() {
  return "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
}

/** @returns {Promise<PushSubscription | null>} */
async function subscription() {
  if (!window.isSecureContext || !able()) return null;
  const registration = await navigator.serviceWorker.getRegistration("/");
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/** One card: where it stands in the page. */
class Card {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.key = root.dataset.key ?? "";
  }

  async start() {
    const current = await subscription();
    const bound = current !== null && boundTo(current.options.applicationServerKey, this.key);
    const row = current && bound ? this.root.querySelector(`[data-mark="${await markOf(current.endpoint)}"]`) : null;
    this.unveil(row !== null);
    this.root.querySelector("[data-push-on]")?.addEventListener("click", () => this.on());
    if (!(row instanceof HTMLElement)) return;
    row.querySelector("[data-push-off]")?.addEventListener("submit", () => { current?.unsubscribe().catch(() => undefined); });
    if (current && row.dataset.here === undefined) await this.bring(current); // another log-in than the one that knew it
  }

  /** @param {boolean} known */
  unveil(known) {
    const state = stateOf({
      secure: window.isSecureContext,
      apple: /iPad|iPhone|iPod/.test(navigator.userAgent) || (navigator.platform === "MacIntel" && navigator.maxTouchPoints > 1),
      standalone: window.matchMedia("(display-mode: standalone)").matches,
      able: able(),
      permission: "Notification" in window ? Notification.permission : "default",
      known,
    });
    this.root.dataset.state = state;
    for (const block of this.root.querySelectorAll("[data-when]")) {
      if (block instanceof HTMLElement) block.hidden = block.dataset.when !== state;
    }
  }

  async on() {
    const button = /** @type {HTMLButtonElement} */ (this.root.querySelector("[data-push-on]"));
    button.disabled = true;
    try {
      if ((await Notification.requestPermission()) !== "granted") this.unveil(false);
      else await this.bring(await this.subscribed());
    } catch {
      this.showMessage(this.root.dataset.failed ?? "");
    }
    button.disabled = false;
  }

  /** A subscription that is bound to the club's key of today. */
  async subscribed() {
    await navigator.serviceWorker.register(WORKER, { scope: "/" });
    const { pushManager } = await navigator.serviceWorker.ready;
    const old = await pushManager.getSubscription();
    if (old && !boundTo(old.options.applicationServerKey, this.key)) await old.unsubscribe();
    return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(this.key) });
  }

  /** @param {PushSubscription} subscription */
  async bring(subscription) {
    const token = /** @type {HTMLInputElement} */ (this.root.querySelector("[name=csrfmiddlewaretoken]")).value;
    const answer = await fetch(this.root.dataset.add ?? "", {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-CSRFToken": token },
      body: JSON.stringify({ ...subscription.toJSON(), name: nameOf() }),
    });
    const text = await answer.text();
    if (answer.ok) this.replace(text);
    else this.showMessage(answer.status === 422 ? text : (this.root.dataset.failed ?? ""));
  }

  /** @param {string} html the card anew, as the site makes it */
  replace(html) {
    const held = this.root.contains(document.activeElement);
    const fresh = new DOMParser().parseFromString(html, "text/html").querySelector("[data-push]");
    if (!(fresh instanceof HTMLElement)) return;
    this.root.replaceWith(fresh);
    /** @type {any} */ (window).htmx?.process(fresh);
    if (held) fresh.querySelector("h2")?.focus();
    start();
  }

  /** @param {string} words */
  showMessage(words) {
    const line = this.root.querySelector("[data-push-status]");
    if (line) line.textContent = words;
  }
}

/** Every card that has not begun yet: the page's own, and one that has taken its place. */
function start() {
  for (const root of document.querySelectorAll("[data-push]:not([data-state])")) {
    if (!(root instanceof HTMLElement)) continue;
    root.dataset.state = "asking";
    new Card(root).start().catch(() => undefined);
  }
}

if (typeof document !== "undefined") {
  document.addEventListener("htmx:afterSettle", start);
  start();
}
