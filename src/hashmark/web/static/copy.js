// Buttons that copy what stands in a field; addresses in fields are whole, to be taken by hand too.
export function whole(root) {
  for (const field of root.querySelectorAll("[data-absolute]")) {
    field.value = new URL(field.value, location).href;
  }
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const field = document.querySelector(button.dataset.copy);
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    field.select();
    document.execCommand("copy");
  }
  button.textContent = "Copied";
});

whole(document);
