/**
 * The service worker, served as /sw.js: it shows notifications while no page of the site is open, and opens what they lead to.
 * While the network is away it shows the one page that it keeps, /offline/; every other page comes from the site, so
 * the site is as fresh with it as without.
 */

const OFFLINE = "/offline/";
const CACHE = "offline";
const FRESH = 12 * 3600 * 1000; // milliseconds after which the kept page is asked for again
const PARTS = /(?:href|src)="(\/static\/[^"]+)"/g;

/** Keep the offline page with its styles. */
async function keepOffline() {
  const answer = await fetch(OFFLINE, { cache: "no-cache" });
  if (!answer.ok) return;
  const page = await answer.clone().text();
  const cache = await caches.open(CACHE);
  await cache.addAll([...page.matchAll(PARTS)].map(([, part]) => part));
  await cache.put(OFFLINE, answer);
}

/** Keep it anew where the kept one is old. */
async function renewOffline() {
  const kept = await caches.match(OFFLINE);
  const age = Date.now() - Date.parse(kept?.headers.get("Date") ?? "1970-01-01");
  if (age > FRESH) await keepOffline();
}

/** A page of the site, or the kept one where the site cannot be reached. */
async function navigate(event) {
  try {
    const answer = (await event.preloadResponse) ?? (await fetch(event.request));
    event.waitUntil(renewOffline().catch(() => undefined));
    return answer;
  } catch (error) {
    const kept = await caches.match(OFFLINE);
    if (kept) return kept;
    throw error;
  }
}

/** What the offline page needs, where the browser itself has not kept it. */
async function keptPart(request) {
  return (await caches.match(request)) ?? fetch(request);
}

const HOME = "/notices/";
const IMAGES = "/static/img/app/";

/** What a push says; one that cannot be read still says that there is something. */
function contentOf(data) {
  try {
    const word = data.json();
    if (typeof word.title === "string") return word;
  } catch {
    // no word of ours
  }
  return { title: "Tablero", body: "", url: HOME, tag: "notice", lang: "" };
}

function show({ title, body, url, tag, lang }) {
  return self.registration.showNotification(title, {
    body,
    lang,
    tag, // a newer word about the same thing takes the place of the older one
    renotify: true, // and is heard
    dir: "auto",
    icon: `${IMAGES}icon-192.png`,
    badge: `${IMAGES}badge-96.png`,
    data: { url },
  });
}

/** Come back to the page where it is open, or open it; only ever a page of this site. */
async function open(url) {
  const to = new URL(url, self.location.origin);
  if (to.origin !== self.location.origin) return null;
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = windows.find((client) => new URL(client.url).pathname === to.pathname);
  return there ? there.focus() : self.clients.openWindow(to.href);
}

/** The browser has changed the address of this device: the site is notified, in the name of who is signed in. */
async function renew(event) {
  const { key, token } = await (await fetch("/push/")).json();
  const options = { userVisibleOnly: true, applicationServerKey: key };
  const fresh = event.newSubscription ?? (await self.registration.pushManager.subscribe(options));
  await fetch("/push/devices/", {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-CSRFToken": token },
    body: JSON.stringify({ ...fresh.toJSON(), was: event.oldSubscription?.endpoint }),
  });
}

self.addEventListener("install", (event) => {
  event.waitUntil(keepOffline().catch(() => undefined)); // it is asked for again later
  self.skipWaiting();
});
self.addEventListener("activate", (event) => event.waitUntil(self.registration.navigationPreload?.enable()));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  if (request.mode === "navigate") event.respondWith(navigate(event));
  else if (!self.navigator.onLine && new URL(request.url).pathname.startsWith("/static/")) event.respondWith(keptPart(request));
});
self.addEventListener("push", (event) => event.waitUntil(show(contentOf(event.data))));
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data?.url ?? HOME));
});
self.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renew(event)));
