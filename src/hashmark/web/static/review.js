// Progress of a review; when it is ready, the page shows it.
const status = document.getElementById("review-status");
const bar = document.getElementById("review-bar");
const AGAIN_MS = 1200;

async function ask() {
  const response = await fetch(status.dataset.review);
  const data = await response.json();
  if (response.status === 202) {
    if (data.total) {
      bar.max = data.total;
      bar.value = data.done;
      status.textContent = `${data.done} of ${data.total} turns reviewed.`;
    }
    setTimeout(askSafely, AGAIN_MS);
  } else if (response.ok) location.reload();
  else {
    bar.hidden = true;
    status.textContent = data.detail;
  }
}

function askSafely() {
  ask().catch(() => {
    status.textContent = "Can’t reach the server; trying again …";
    setTimeout(askSafely, 5 * AGAIN_MS);
  });
}

askSafely();
