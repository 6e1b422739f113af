// A review takes its time: ask until it is there.
const status = document.getElementById("review-status");

async function ask() {
  const response = await fetch(status.dataset.review);
  if (response.status === 202) setTimeout(ask, 1500);
  else if (response.ok) location.replace(status.dataset.review);
  else status.textContent = (await response.json()).detail;
}

ask().catch(() => { status.textContent = "The server cannot be reached."; });
