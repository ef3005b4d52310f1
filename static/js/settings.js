/** The settings page shows a theme as soon as it is chosen; saving keeps it. */
for (const radio of document.querySelectorAll('[data-settings] input[name="theme"]')) {
  radio.addEventListener("change", () => {
    if (radio instanceof HTMLInputElement) document.documentElement.dataset.theme = radio.value;
  });
}
