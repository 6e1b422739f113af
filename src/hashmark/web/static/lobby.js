// The lobby: a log file that somebody brings.
import "./times.js";

const form = document.getElementById("bring-form");
const file = document.getElementById("bring-file");
const said = document.getElementById("bring-said");

file.addEventListener("change", async () => {
  if (!file.files.length) return;
  said.textContent = "It is being played again …";
  try {
    const answer = await fetch("/bring", {
      method: "POST",
      headers: { "Content-Type": "application/x-ndjson", "X-Part": "1" },
      body: await file.files[0].text(),
    });
    const told = await answer.json();
    if (answer.ok) location.assign(`/table/${told.id}`);
    else said.textContent = told.detail;
  } catch {
    said.textContent = "The server cannot be reached.";
  }
  form.reset();
});
