// Poll until the review is ready.
const status = document.getElementById("review-status");

async function ask() {
  const response = await fetch(status.dataset.review);
  if (response.status === 202) setTimeout(ask, 1500);
  else if (response.ok) location.replace(status.dataset.review);
  else status.textContent = (await response.json()).detail;
}

ask().catch(() => { status.textContent = "Can’t reach the server."; });
