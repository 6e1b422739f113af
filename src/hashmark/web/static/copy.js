// Buttons that copy what stands in a field.
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const field = document.querySelector(button.dataset.copy);
  const text = field.hasAttribute("data-absolute") ? new URL(field.value, location).href : field.value;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    field.value = text;
    field.select();
    document.execCommand("copy");
  }
  button.textContent = "Copied";
});
