// The lobby: upload of a log file.
import "./times.js";

const form = document.getElementById("bring-form");
const file = document.getElementById("bring-file");
const status = document.getElementById("bring-status");

file.addEventListener("change", async () => {
  if (!file.files.length) return;
  status.textContent = "Replaying the game …";
  try {
    const response = await fetch("/bring", {
      method: "POST",
      headers: { "Content-Type": "application/x-ndjson", "X-Part": "1" },
      body: await file.files[0].text(),
    });
    const data = await response.json();
    if (response.ok) location.assign(`/table/${data.id}`);
    else status.textContent = data.detail;
  } catch {
    status.textContent = "Can’t reach the server.";
  }
  form.reset();
});
