/**
 * The service worker, served as /sw.js: it shows notices while no page of the site is open, and opens what they lead to.
 * It keeps no pages and answers no requests, so the site is as fresh with it as without.
 */

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

/** The browser has changed the address of this device: the site is told, in the name of who is logged in. */
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

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("push", (event) => event.waitUntil(show(contentOf(event.data))));
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data?.url ?? HOME));
});
self.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renew(event)));
