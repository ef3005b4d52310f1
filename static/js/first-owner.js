// The code of the printed link stands after `#`, which no browser sends: it is put into the form, and out of sight.

const field = document.querySelector("[data-first-owner] [data-code]");
if (field instanceof HTMLInputElement && location.hash.length > 1) {
  field.value = decodeURIComponent(location.hash.slice(1));
  history.replaceState(null, "", location.pathname + location.search);
  const next = document.querySelector("[data-first-owner] [name=username]");
  if (next instanceof HTMLInputElement) next.focus();
}
