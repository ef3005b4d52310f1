"""A device notification end to end: the button, the worker's call, the push service, the service worker, the click.

A browser under test reaches no push service of its own, so `PushManager.subscribe` gives a subscription of the one on
this machine. What the site sends there is opened with the receiver's keys, as a browser does, and handed to the service
worker of the page by the browser's own tools: from there on everything is real again.
"""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.e2e import axe
from tests.e2e.table import sign_up
from tests.services import push_service
from tests.services.push_service import PushService, b64
from tools.services import chromium
from tools.services.environment import missing
from tools.services.site import Site

pytestmark = [pytest.mark.browser, pytest.mark.processes, pytest.mark.looks]

Open = Callable[..., Any]
SETTINGS = "/settings/notices/"
# A push manager of the test: one subscription until it is ended, on the next page too.
BROWSER = """(() => {
  const made = (subscription) => ({
    endpoint: subscription.endpoint,
    options: { applicationServerKey: Uint8Array.from(subscription.key, (each) => each).buffer },
    toJSON: () => ({ endpoint: subscription.endpoint, expirationTime: null, keys: subscription.keys }),
    unsubscribe: async () => { localStorage.removeItem('subscription'); return true; },
  });
  const kept = () => JSON.parse(localStorage.getItem('subscription') ?? 'null');
  PushManager.prototype.getSubscription = async () => kept() && made(kept());
  PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey }) => {
    if (!userVisibleOnly) throw new TypeError('silent pushes are not allowed');
    const key = [...new Uint8Array(applicationServerKey)];
    const subscription = { ...await window.subscribeWithTheService(key), key };
    localStorage.setItem('subscription', JSON.stringify(subscription));
    return made(subscription);
  };
})()"""
SHOWN = """async () => {
  const list = await (await navigator.serviceWorker.ready).getNotifications();
  return list.map(({ title, body, tag, lang, data }) => ({ title, body, tag, lang, url: data.url }));
}"""
# How often the worker has shown a notification. Asking for the shown ones earlier removes them: the browser
# compares what was requested with what is on the screen.
COUNT = """() => {
  const show = self.registration.showNotification.bind(self.registration);
  self.shownCount = 0;
  self.registration.showNotification = async (...options) => { await show(...options); self.shownCount += 1; };
}"""
# What a click on the notification does. Only a real click may open windows, so its target is recorded.
PRESS = """async () => {
  let led = null;
  self.clients.openWindow = async (url) => { led = `opened ${new URL(url).pathname}`; return null; };
  WindowClient.prototype.focus = async function () { led = `focused ${new URL(this.url).pathname}`; return this; };
  const [notification] = await self.registration.getNotifications();
  const event = new NotificationEvent('notificationclick', { notification });
  const ends = [];
  event.waitUntil = (end) => ends.push(end);
  self.dispatchEvent(event);
  await Promise.all(ends);
  return { led, left: (await self.registration.getNotifications()).length };
}"""
CHALLENGE = """
from accounts.models import User
from games import services
ana, bea = (User.objects.get(username=name) for name in ({ana!r}, {bea!r}))
match = services.match_create(
    creator=bea, variant="backgammon", length=5, clock="club", rated=False, invited=ana)
answer = match.pk
"""
WORDS = """
from django.utils import translation
from notifications import sentences
from notifications.models import Notification
notification = Notification.objects.get(kind="challenge", key={match!r})
with translation.override({language!r}):
    text = sentences.text_of(notification)
answer = {{"title": text.title, "body": text.body}}
"""


@pytest.fixture(scope="module")
def browser(browsers: Callable[..., Any]) -> Iterator[Any]:
    """The full browser without a window: the headless shell of the other tests blocks all notifications."""
    path = next((path for name in chromium.NAMES[1:] if (path := shutil.which(name))), None)
    if path is None:
        missing("Chromium", install="apt install chromium")
    arguments = ["--headless=new" if each == "--headless" else each for each in chromium.ARGUMENTS]
    launched = browsers(path, arguments, ignore_default_args=["--headless"])
    yield launched
    launched.close()


@pytest.fixture
def service() -> Iterator[PushService]:
    with push_service.running() as running_service:
        yield running_service


def opened(open_page: Open, service: PushService, name: str, **context: Any) -> Any:
    """A user's notification settings in a browser that may show notifications."""
    page = open_page(**context)
    page.context.grant_permissions(["notifications"])
    page.context.expose_function("subscribeWithTheService", lambda key: service.subscribe(b64(bytes(key))))
    page.context.add_init_script(BROWSER)
    sign_up(page, name)
    page.goto(SETTINGS)
    return page


def pushed(page: Any, word: dict[str, Any]) -> None:
    """Hand a push to the service worker of the page, as the browser does with what its service brings."""
    tools = page.context.new_cdp_session(page)
    found: list[str] = []
    tools.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: found.extend(each["registrationId"] for each in event["registrations"]),
    )
    tools.send("ServiceWorker.enable")
    while not found:
        page.wait_for_timeout(100)
    origin = page.evaluate("location.origin")
    about = {"origin": origin, "registrationId": found[0], "data": json.dumps(word)}
    tools.send("ServiceWorker.deliverPushMessage", about)
    tools.detach()


def shown(page: Any, worker: Any, *, times: int) -> None:
    """Wait until the worker has shown so many notifications."""
    end = time.monotonic() + 30
    while worker.evaluate("self.shownCount") < times:
        assert time.monotonic() < end
        page.wait_for_timeout(100)


def test_a_challenge_notifies_the_device_and_a_click_opens_the_match(
    site: Site, service: PushService, open_page: Open
) -> None:
    ana, bea = site.name("ana"), site.name("bea")
    sign_up(open_page(), bea)
    page = opened(open_page, service, ana, locale="es-ES")
    page.locator("[data-push-on]").click()
    page.locator("[data-when=on]").wait_for()
    assert page.locator("#push li").count() == 1
    assert page.locator("#push li[data-here]").count() == 1

    match = site.ask(CHALLENGE.format(ana=ana, bea=bea))
    (message,) = service.wait(1)
    text = site.ask(WORDS.format(match=match, language="es"))
    word = {**text, "url": f"/match/{match}/", "tag": f"challenge:{match}", "lang": "es"}
    assert (message.word, message.headers["Urgency"], service.errors) == (word, "high", [])
    assert bea in word["body"]

    (worker,) = page.context.service_workers
    worker.evaluate(COUNT)
    pushed(page, message.word)
    shown(page, worker, times=1)
    assert page.evaluate(SHOWN) == [word]
    pushed(page, {**message.word, "body": "A newer word"})
    shown(page, worker, times=2)
    assert page.evaluate(SHOWN) == [{**word, "body": "A newer word"}]  # the same tag replaces it

    assert worker.evaluate(PRESS) == {"led": f"opened /match/{match}/", "left": 0}
    page.goto(f"/match/{match}/")
    pushed(page, message.word)
    shown(page, worker, times=3)
    assert worker.evaluate(PRESS) == {"led": f"focused /match/{match}/", "left": 0}


def test_a_device_is_tested_and_removed_and_signing_out_ends_its_notifications(
    site: Site, service: PushService, open_page: Open
) -> None:
    page = opened(open_page, service, site.name("ana"))
    card = page.locator("#push")
    card.locator("[data-push-on]").click()
    card.get_by_role("button", name="Send a test").click()
    card.get_by_text("Sent. It should appear").wait_for()
    (message,) = service.wait(1)
    assert (message.word["url"], message.word["tag"]) == (SETTINGS, "trial")

    page.reload()
    card.locator("[data-when=on]").wait_for()  # recognised by its mark
    card.get_by_role("button", name="Remove").click()
    card.locator("[data-push-on]").wait_for()
    assert card.locator("li").count() == 0
    assert page.evaluate("localStorage.getItem('subscription')") is None

    card.locator("[data-push-on]").click()
    card.locator("[data-when=on]").wait_for()
    assert site.rows("SELECT count(*) FROM notifications_pushdevice WHERE endpoint LIKE ?", f"{service.origin}%") == [
        (1,)
    ]
    page.locator("#account-menu > summary").click()
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url(site.url + "/")
    assert site.rows("SELECT count(*) FROM notifications_pushdevice WHERE endpoint LIKE ?", f"{service.origin}%") == [
        (0,)
    ]


def test_the_card_explains_why_push_is_unavailable(site: Site, service: PushService, open_page: Open) -> None:
    page = opened(open_page, service, site.name("ana"))
    says = page.locator("#push [data-when]:visible")

    def state(script: str) -> str:
        page.add_init_script(script)
        page.reload()
        page.locator("#push[data-state]:not([data-state=asking])").wait_for()
        return " ".join(says.all_inner_texts())

    assert "Turn on notifications on this device" in state("")
    assert "blocks notifications from this site" in state(
        "Object.defineProperty(Notification, 'permission', { get: () => 'denied' })"
    )
    assert "cannot show notifications" in state("delete window.PushManager")
    assert "home screen" in state("Object.defineProperty(navigator, 'userAgent', { get: () => 'iPhone' })")
    assert "https" in state("Object.defineProperty(window, 'isSecureContext', { get: () => false })")


def test_the_manifest_makes_the_site_installable(site: Site, open_page: Open) -> None:
    page = open_page("/")
    manifest = page.evaluate("""async () => (await fetch(document.querySelector('link[rel=manifest]').href)).json()""")
    assert (manifest["name"], manifest["start_url"], manifest["display"]) == ("Tablero", "/", "standalone")
    icons = [(each["src"], each["sizes"]) for each in manifest["icons"]]
    for src, sizes in [*icons, ("/static/img/app/badge-96.png", "96x96")]:
        size = page.evaluate(
            """async (src) => { const one = new Image(); one.src = src; await one.decode();
                return `${one.naturalWidth}x${one.naturalHeight}`; }""",
            src,
        )
        assert size == sizes


def test_the_card_is_accessible_in_both_themes_on_a_phone_and_a_desktop(
    site: Site, service: PushService, open_page: Open
) -> None:
    page = opened(open_page, service, site.name("ana"))
    page.locator("[data-push-on]").click()
    page.locator("[data-when=on]").wait_for()
    assert axe.sweep(page) == []
    for width in (360, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        card = page.locator("#push").bounding_box()
        assert 0 <= card["x"] < card["x"] + card["width"] <= width
