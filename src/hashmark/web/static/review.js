// A review takes its time: ask until it is there.
const said = document.getElementById("review-said");

async function ask() {
  const answer = await fetch(said.dataset.review);
  if (answer.status === 202) setTimeout(ask, 1500);
  else if (answer.ok) location.replace(said.dataset.review);
  else said.textContent = (await answer.json()).detail;
}

ask().catch(() => { said.textContent = "The server cannot be reached."; });
