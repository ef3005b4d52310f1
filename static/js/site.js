/**
 * What every page does: links of the navigation without room are folded, the account menu closes itself, the theme
 * changes without a reload, the page's tab is in sight, and players keep one small socket to the lobby, so that a
 * challenge or an arranged match finds them on any page. Everything works without this script, by forms.
 */
import { reconnectingSocket } from "./reconnecting-socket.js";
import { bell, showCount } from "./notifications/bell.js";
import { fill, gettext, isolate } from "./i18n.js";

const BEAT = 30000; // a word that the server could not pass on is heard this much later

/** Takes the links for which the row has no room out of the order of focus; the style sheet cuts them off. */
function foldNavigation() {
  const nav = document.querySelector(".site-nav");
  if (!nav) return;
  const links = /** @type {HTMLElement[]} */ ([...nav.children]);
  const fold = () => links.forEach((link) => link.classList.toggle("nav-folded", link.offsetTop > links[0].offsetTop));
  const observer = new ResizeObserver(fold);
  for (const each of [nav, ...links]) observer.observe(each);
}

function menus() {
  const menu = /** @type {HTMLDetailsElement | null} */ (document.querySelector("#account-menu"));
  if (!menu) return;
  document.addEventListener("click", (event) => {
    if (menu.open && !menu.contains(/** @type {Node} */ (event.target))) menu.open = false;
  });
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    menu.open = false;
    menu.querySelector("summary")?.focus();
  });
}

function themes() {
  for (const form of document.querySelectorAll("form[data-theme-form]")) {
    form.addEventListener("submit", (event) => {
      const sender = /** @type {SubmitEvent} */ (event).submitter;
      if (!(sender instanceof HTMLButtonElement) || !(form instanceof HTMLFormElement)) return;
      event.preventDefault();
      document.documentElement.dataset.theme = sender.value;
      for (const button of form.querySelectorAll("button[name=theme]")) {
        button.setAttribute("aria-pressed", String(button === sender));
      }
      const body = new FormData(form);
      body.set("theme", sender.value);
      fetch(form.action, { method: "POST", body, headers: { "X-Requested-With": "fetch" } }).catch(() => undefined);
    });
  }
}

/** Where tabs are wider than a phone, the page's own one comes into sight. */
function tabs() {
  for (const bar of document.querySelectorAll(".tabs")) {
    const here = /** @type {HTMLElement | null} */ (bar.querySelector("[aria-current]"));
    if (here && bar.clientWidth) bar.scrollLeft = here.offsetLeft - (bar.clientWidth - here.offsetWidth) / 2;
  }
}

/**
 * Shows a word for the player with a link, until it is closed.
 * @param {string} text
 * @param {string} url
 * @param {string} label
 */
export function toast(text, url, label) {
  const container = document.querySelector("#toasts");
  if (!container) return;
  const card = document.createElement("div");
  card.className = "toast";
  const words = document.createElement("p");
  words.textContent = text;
  const row = document.createElement("div");
  row.className = "cluster";
  if (url) {
    const link = document.createElement("a");
    link.className = "btn btn-primary";
    link.href = url;
    link.textContent = label;
    row.append(link);
  }
  const close = document.createElement("button");
  close.type = "button";
  close.className = "btn";
  close.textContent = gettext("Close");
  close.addEventListener("click", () => card.remove());
  row.append(close);
  card.append(words, row);
  container.append(card);
}

/** What was already said on this page, so that a word that is repeated after a gap is heard once. */
const known = new Set();

/** @param {{t: string, id?: string, url?: string, from?: string, title?: string, unread?: number}} message */
function handleMessage(message) {
  if (["go", "challenge", "ladder", "ready", "remind"].includes(message.t)) {
    const key = `${message.t} ${message.id}`;
    if (known.has(key)) return;
    known.add(key);
  }
  const event = new CustomEvent(`tablero:${message.t}`, { detail: message, cancelable: true });
  if (!document.dispatchEvent(event)) return; // the page has seen to it
  const name = isolate(message.from ?? "");
  if (message.t === "notice") {
    showCount(message);
  } else if (message.t === "go" && message.url && message.id === new URLSearchParams(location.search).get("waiting")) {
    location.assign(message.url); // this match was only played while the other one waited
  } else if (message.t === "go" && message.url && message.url !== location.pathname) {
    toast(gettext("Your opponent is ready."), message.url, gettext("Go to match"));
  } else if (message.t === "challenge" && message.id) {
    toast(fill(gettext("%(name)s challenges you."), { name }), `/match/${message.id}/`, gettext("View"));
  } else if (message.t === "ladder" && message.url) {
    const words = { name, ladder: isolate(message.title ?? "") };
    toast(fill(gettext("%(name)s challenges you on %(ladder)s."), words), message.url, gettext("View ladder"));
  } else if (message.t === "ready" && message.url && message.url !== location.pathname) {
    toast(fill(gettext("Your match against %(name)s is ready."), { name }), message.url, gettext("Go to board"));
  } else if (message.t === "remind" && message.url && message.url !== location.pathname) {
    toast(fill(gettext("Less than a day left to move against %(name)s."), { name }), message.url, gettext("Go to board"));
  } else if (message.t === "resume" && message.url && message.url !== location.pathname) {
    toast(fill(gettext("%(name)s wants to resume your match."), { name }), message.url, gettext("Go to board"));
  } else if (message.t === "alert" && message.url && message.url !== location.pathname) {
    toast(fill(gettext("%(name)s needs your attention."), { name: message.title ?? "" }), message.url, gettext("Go to director's desk"));
  } else if (message.t === "case" && message.url && message.url !== location.pathname) {
    toast(gettext("There is a new report to review."), message.url, gettext("View"));
  } else if (message.t === "admitted" && message.url && message.url !== location.pathname) {
    toast(fill(gettext("You have a place in %(name)s."), { name: isolate(message.title ?? "") }), message.url, gettext("View"));
  } else if (message.t === "declined") {
    toast(fill(gettext("%(name)s declined your challenge."), { name }), "", "");
  }
}

/**
 * The socket to the lobby. It says since when this page knows, so that nothing is missed between the making of the page
 * and the opening of the socket, or in a gap.
 */
function lobby() {
  let since = document.body.dataset.since ?? "";
  const { dataset } = document.documentElement;
  reconnectingSocket({
    path: () => `/ws/lobby/?since=${since}`,
    beat: BEAT,
    onOpen: () => { dataset.lobbySocket = "open"; },
    onMessage: (message) => {
      if (message.since) since = String(message.since);
      handleMessage(message);
    },
    onClose: () => { delete dataset.lobbySocket; },
  });
}

menus();
foldNavigation();
themes();
tabs();
bell();
if (document.body.dataset.player !== undefined) {
  addEventListener("DOMContentLoaded", lobby); // not before: by then every script of the page listens
  // What an installed app shows without a network; it needs https, and the page does not wait for it.
  addEventListener("load", () => navigator.serviceWorker?.register("/sw.js").catch(() => undefined));
}
