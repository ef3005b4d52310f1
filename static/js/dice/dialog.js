/** The dialog of the dice: what is proved, and after the match the check of all of it. */
import { gettext } from "../i18n.js";
import { hide, part, write } from "../match/panel.js";
import { checkTranscript } from "./verify.js";
import { resultText } from "./text.js";

/** @typedef {{fault: import("./verify.js").Fault | null, count: number, held: ("A" | "B")[]}} Result */

/**
 * Makes the lock open its dialog, and "Check the dice" check them.
 * @param {HTMLElement} root
 * @param {{url: string, played: () => number[][] | null | Promise<number[][]>, promised: () => import("./live-verifier.js").Promised | null, onResult: (result: Result) => void}} match
 * `url` leads to the transcript; `played` are the dice that the page knows from the record
 */
export function listenDice(root, match) {
  const dialog = /** @type {HTMLDialogElement} */ (part(root, "dice-dialog"));
  const button = /** @type {HTMLButtonElement} */ (part(root, "dice-check"));
  root.addEventListener("click", (event) => {
    const opener = /** @type {HTMLElement} */ (event.target).closest?.('[data-do="dice"]');
    if (opener && !dialog.open) dialog.showModal();
  });
  button.addEventListener("click", () => void check(root, button, match));
}

/** @param {HTMLElement} root @param {HTMLButtonElement} button @param {Parameters<typeof listenDice>[1]} match */
async function check(root, button, { url, played, promised, onResult }) {
  if (button.getAttribute("aria-disabled") === "true") return;
  const bar = /** @type {HTMLProgressElement} */ (part(root, "dice-progress"));
  const resultLine = part(root, "dice-result");
  // It keeps the focus: a button that is disabled under a finger loses it.
  button.setAttribute("aria-disabled", "true");
  bar.hidden = false;
  bar.value = 0;
  resultLine.className = "dice-result";
  write(resultLine, gettext("Checking the dice…"));
  try {
    const answer = await fetch(url, { headers: { Accept: "application/json" } });
    if (!answer.ok) throw new Error(String(answer.status));
    const result = await checkTranscript(await answer.json(), {
      played: await played(),
      promised: promised(),
      onProgress: (done, of) => {
        bar.max = Math.max(1, of);
        bar.value = done;
      },
    });
    resultLine.classList.add(result.fault ? "wrong" : "good");
    write(resultLine, resultText(result));
    onResult(result);
  } catch {
    write(resultLine, gettext("Couldn't load the dice record. Try again."));
  } finally {
    bar.hidden = true;
    button.removeAttribute("aria-disabled");
  }
}

/** Shows how the dice stand: a link on the page, the details in the dialog; an alarm is said at once and stays. @param {HTMLElement} root @param {import("./text.js").FairDice} status */
export function showFairDice(root, { kind, text, detail }) {
  const link = part(root, "dice-lock");
  const sentence = text.endsWith("…") ? text : `${text}.`;
  hide(link, false);
  if (link.dataset.kind !== kind) link.dataset.kind = kind;
  write(part(link, "dice-text"), text);
  write(part(link, "dice-detail"), kind === "wrong" || kind === "none" ? detail : "");
  write(part(root, "dice-summary"), [sentence, detail].filter(Boolean).join(" "));
  const alarm = part(root, "dice-alarm");
  hide(alarm, kind !== "wrong");
  if (kind === "wrong") write(part(alarm, "dice-alarm-text"), `${sentence} ${detail}`);
}

/** The check and the downloads exist once the match is over. @param {HTMLElement} root @param {boolean} over */
export function showAfter(root, over) {
  hide(part(root, "dice-after"), !over);
  hide(part(root, "dice-later"), over);
}

/** The dialog that tells a player that this device has no key. @param {HTMLElement} root @param {() => void} agreed what follows when the player goes on here */
export function askToPlayOn(root, agreed) {
  const dialog = /** @type {HTMLDialogElement} */ (part(root, "dice-ask"));
  if (dialog.open) return;
  dialog.returnValue = "";
  dialog.onclose = () => {
    if (dialog.returnValue === "on") agreed();
  };
  dialog.showModal();
}
