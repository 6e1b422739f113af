// An invitation stands behind the # of its link, which a browser never sends by itself.
const said = document.getElementById("join-said");
const form = document.getElementById("join-form");
const invitation = location.hash.slice(1);
const capital = (word) => word.charAt(0).toUpperCase() + word.slice(1);

async function look() {
  if (!invitation) {
    said.textContent = "This link has no invitation in it. Ask for a new one.";
    return;
  }
  const answer = await fetch("/api/invitations", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ invitation }),
  });
  const told = await answer.json();
  if (!answer.ok) {
    said.textContent = `${capital(told.detail)}. Ask for a new link.`;
    return;
  }
  said.textContent = `${told.title}: you play ${capital(told.names[told.team])}.`;
  document.getElementById("invitation").value = invitation;
  history.replaceState(null, "", "/join");
  form.hidden = false;
  form.querySelector("button").focus();
}

look().catch(() => { said.textContent = "The server cannot be reached."; });
