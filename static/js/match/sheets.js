/** The folds beside the board: open on a wide page; on a phone tabs, of which one at a time is open as a sheet. */

const PHONE = "(width < 44rem), (height < 32rem) and (orientation: landscape)";

/** @param {HTMLElement} root */
export function arrangeSheets(root) {
  const phone = matchMedia(PHONE);
  const sheets = /** @type {HTMLDetailsElement[]} */ ([...root.querySelectorAll("details.match-sheet, details.chat-box")]);
  const arrange = () => {
    for (const sheet of sheets) sheet.open = !phone.matches && sheet.matches(".match-sheet");
  };
  arrange();
  phone.addEventListener("change", arrange);
  for (const sheet of sheets) {
    sheet.addEventListener("toggle", () => {
      if (!phone.matches || !sheet.open) return;
      for (const other of sheets) if (other !== sheet) other.open = false;
    });
    sheet.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !phone.matches || !sheet.open) return;
      sheet.open = false;
      sheet.querySelector("summary")?.focus();
    });
  }
}
