/** Notification settings: the browser knows its time zone, and what does not apply now is out of the way. */
const form = /** @type {HTMLFormElement} */ (document.querySelector("[data-notification-preferences]"));
const zone = /** @type {HTMLSelectElement} */ (form.elements.namedItem("timezone"));

if (!zone.value) {
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if ([...zone.options].some((option) => option.value === here)) zone.value = here;
}

function fit() {
  const daily = form.querySelector('input[name="digest"][value="daily"]');
  const hour = form.querySelector('[name="hour"]')?.closest(".field");
  if (hour instanceof HTMLElement) hour.hidden = !(daily instanceof HTMLInputElement && daily.checked);
  const quiet = form.querySelector('input[name="quiet"]');
  const hours = form.querySelector(".hours");
  if (hours instanceof HTMLElement) hours.hidden = !(quiet instanceof HTMLInputElement && quiet.checked);
}

form.addEventListener("change", fit);
fit();
