/**
 * A filter's address holds only what was chosen, so that it is short enough to pass on. Without this script it also
 * holds the empty fields, and means the same.
 */
for (const form of document.querySelectorAll("form[data-tidy]")) {
  form.addEventListener("formdata", (event) => {
    const { formData } = /** @type {FormDataEvent} */ (event);
    for (const [name, value] of [...formData.entries()]) {
      if (value === "" || (name === "sort" && value === "newest")) formData.delete(name);
    }
  });
}
