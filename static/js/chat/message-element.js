/** One message as an element of the list. Messages are text, never markup: links in them cannot be pressed. */
import { gettext } from "../i18n.js";

/**
 * @param {ChatLine} line
 * @param {{onMute: ((line: ChatLine) => void) | null, reportUrl: string}} does what a reader may do with it; nothing for visitors
 */
export function messageElement(line, { onMute, reportUrl }) {
  const item = document.createElement("li");
  item.className = "chat-line";
  item.classList.toggle("mine", line.mine);
  item.classList.toggle("removed", line.gone);
  const head = document.createElement("p");
  head.className = "chat-author";
  const name = document.createElement("bdi");
  name.textContent = line.by || gettext("deleted account");
  head.append(name, " ", when(line.at));
  const words = document.createElement("p");
  words.className = "chat-text";
  words.dir = "auto";
  words.textContent = line.gone ? gettext("message removed") : line.text;
  item.append(head, words);
  if (onMute && !line.mine && !line.gone && line.by) item.append(...choices(line, onMute, reportUrl, head));
  return item;
}

/** @param {string} at */
function when(at) {
  const time = document.createElement("time");
  const moment = new Date(at);
  const { lang } = document.documentElement;
  const today = moment.toDateString() === new Date().toDateString();
  time.dateTime = at;
  time.title = moment.toLocaleString(lang);
  time.textContent = today
    ? moment.toLocaleTimeString(lang, { hour: "2-digit", minute: "2-digit" })
    : moment.toLocaleDateString(lang, { day: "numeric", month: "short" });
  return time;
}

/**
 * A small button that shows what one can do about a message.
 * @param {ChatLine} line
 * @param {(line: ChatLine) => void} onMute
 * @param {string} reportUrl
 * @param {HTMLElement} head where the button goes
 */
function choices(line, onMute, reportUrl, head) {
  const row = document.createElement("p");
  row.className = "chat-actions";
  row.hidden = true;
  const mute = document.createElement("button");
  mute.type = "button";
  mute.className = "btn";
  mute.textContent = gettext("Mute");
  mute.addEventListener("click", () => onMute(line));
  const report = document.createElement("a");
  report.className = "btn";
  report.href = reportUrl + line.id;
  report.target = "_blank";
  report.rel = "noopener";
  report.textContent = gettext("Report");
  row.append(mute, report);
  const more = document.createElement("button");
  more.type = "button";
  more.className = "chat-menu";
  more.textContent = "⋯";
  more.setAttribute("aria-label", gettext("Message options"));
  more.setAttribute("aria-expanded", "false");
  more.addEventListener("click", () => {
    row.hidden = !row.hidden;
    more.setAttribute("aria-expanded", String(!row.hidden));
  });
  head.append(more);
  return [row];
}
