// Checks the dice of a finished game: the seal in this browser, every roll on the server.
const button = document.querySelector("[data-check]");
const status = document.getElementById("checked");

async function sealText({ seed, game, salt, promised }) {
  if (!crypto.subtle) return "";
  const bytes = new TextEncoder().encode([seed, game, salt].join("\0"));
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  const hex = [...digest].map((one) => one.toString(16).padStart(2, "0")).join("");
  return hex === promised
    ? "Your browser confirms the seal. "
    : "Your browser finds that the seal does NOT match! ";
}

async function verify() {
  status.textContent = "Checking every roll …";
  const own = await sealText(button.dataset);
  const response = await fetch(button.dataset.check);
  const data = await response.json();
  status.textContent = own + (response.ok ? `${data.sentence}.` : data.detail);
}

button?.addEventListener("click", () => {
  verify().catch(() => { status.textContent = "Can’t reach the server."; });
});
