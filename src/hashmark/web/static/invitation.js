// An invitation stands behind the # of its link, which a browser never sends by itself.
const status = document.getElementById("join-status");
const form = document.getElementById("join-form");

export const capital = (word) => word.charAt(0).toUpperCase() + word.slice(1);

// Asks what the invitation in this address is for. `show` gets the response and the form, and gives
// the sentence for it and the field to begin with; without one there is nothing to fill in.
async function look(asked, show) {
  const invitation = location.hash.slice(1);
  if (!invitation) {
    status.textContent = "This link has no invitation. Ask for a new one.";
    return;
  }
  status.textContent = "Checking your invitation …";
  const response = await fetch(asked, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ invitation }),
  });
  const data = await response.json();
  if (!response.ok) {
    status.textContent = `${capital(data.detail)}. Ask for a new link.`;
    return;
  }
  const [sentence, first] = show(data, form);
  status.textContent = sentence;
  if (!first) return;
  document.getElementById("invitation").value = invitation;
  history.replaceState(null, "", location.pathname);
  form.hidden = false;
  form.querySelector(first).focus();
}

export function invited(asked, show) {
  look(asked, show).catch(() => { status.textContent = "Can’t reach the server."; });
}
