"""Match chat, reports, moderation, notifications and devices."""

from tests.access.matrix_format import Area, Row, call, form, page

KEYS = {
    "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    "auth": "BTBZMqHH6r4Tts7J_aSIgg",
}
DEVICE = {"endpoint": "https://updates.push.services.mozilla.com/wpush/v2/x", "keys": KEYS}

ROWS: tuple[Row, ...] = (
    page("talk", "{table}", "VV VVVH VVVV"),
    call("talk-say", "{table}", "LR RDDH DDDD", id="m-1", text="Good roll"),
    call("talk-mute", "{table}", "LH DRHH HHHH", message="{message}"),
    page("talk-settings", "", "LV VVVV VVVV"),
    form("talk-settings", "", "LD DDDD DDDD", level="phrases"),
    call("talk-wish", "", "LD DDDD DDDD", announce=True),
    page("report-new", "", "LV VVVV VVVV", query="player=tercera"),
    Row("report-new", "POST", "LD DDDD DDDD", form={"reason": "rude", "words": "Shouts"}, query="player=tercera"),
    page("report-new", "", "LH VVHH HHHH", query="message={message}"),
    page("reports", "", "LV VVVV VVVV"),
    page("about-me", "", "LV VVVV VVVV"),
    form("warning-read", "{sanction}", "LN DNNN NNNN"),
    page("moderation", "", "LS HHHH HHVV"),
    page("moderation-log", "", "LS HHHH HHVV"),
    page("case", "{case}", "LS HHHH HHVV"),
    form("case", "{case}", "LS HHHH HHDD", act="dismiss", why="Harmless"),
    page("notices", "", "LV VVVV VVVV"),
    form("notice", "{notice}", "LN DNNN NNNN"),
    form("notices-read", "", "LN DDNN DNDD"),
    form("notices-here", "", "LN DNNN NNNN", path="/"),
    page("notices-stop", "{stop}", "VV VVVV VVVV"),
    Row("notices-stop", "POST {stop}", "DD DDDD DDDD", form={}, csrf=False),
    page("notice-settings", "", "LS VVVV VVVV"),
    form("notice-settings", "", "LS DDDD DDDD", digest="never", hour="8", timezone="UTC"),
    page("service-worker", "", "VV VVVV VVVV"),
    page("push-key", "", "LS VVVV VVVV"),
    call("push-device-add", "", "LS DDDD DDDD", **DEVICE),
    form("push-device-remove", "{device}", "LS DNNN NNNN"),
    form("push-device-try", "{device}", "LS NHHH HHHH"),
)

AREA = Area("chat and notifications", ROWS)
