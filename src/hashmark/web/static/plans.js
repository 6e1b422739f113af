// Upload of a plan file, sent as it is.
const form = document.getElementById("bring-plan");
const file = document.getElementById("plan-file");
const status = document.getElementById("plan-status");
document.getElementById("file-label").hidden = false;

file.addEventListener("change", async () => {
  if (!file.files.length) return;
  status.textContent = "Reading the plan …";
  const whose = new URLSearchParams({ team: form.elements.team.value, season: form.elements.season.value });
  try {
    const response = await fetch(`/plans/file?${whose}`, {
      method: "POST",
      headers: { "Content-Type": "text/plain", "X-Part": "1" },
      body: await file.files[0].text(),
    });
    const data = await response.json();
    if (response.ok) location.assign(`/plans/${data.id}`);
    else status.textContent = data.detail;
  } catch {
    status.textContent = "Can’t reach the server.";
  }
  file.value = "";
});
