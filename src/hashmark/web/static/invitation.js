// An invitation stands behind the # of its link, which a browser never sends by itself.
const said = document.getElementById("join-said");
const form = document.getElementById("join-form");

export const capital = (word) => word.charAt(0).toUpperCase() + word.slice(1);

// Asks what the invitation in this address is for. `show` gets the answer and the form, and gives
// the sentence for it and the field to begin with; without one there is nothing to fill in.
async function look(asked, show) {
  const invitation = location.hash.slice(1);
  if (!invitation) {
    said.textContent = "This link has no invitation in it. Ask for a new one.";
    return;
  }
  const answer = await fetch(asked, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ invitation }),
  });
  const told = await answer.json();
  if (!answer.ok) {
    said.textContent = `${capital(told.detail)}. Ask for a new link.`;
    return;
  }
  const [sentence, first] = show(told, form);
  said.textContent = sentence;
  if (!first) return;
  document.getElementById("invitation").value = invitation;
  history.replaceState(null, "", location.pathname);
  form.hidden = false;
  form.querySelector(first).focus();
}

export function invited(asked, show) {
  look(asked, show).catch(() => { said.textContent = "The server cannot be reached."; });
}
