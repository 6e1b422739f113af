// A plan file that somebody brings: it is read here and sent as it is.
const form = document.getElementById("bring-plan");
const file = document.getElementById("plan-file");
const said = document.getElementById("plan-said");
document.getElementById("file-label").hidden = false;

file.addEventListener("change", async () => {
  if (!file.files.length) return;
  said.textContent = "It is being read …";
  const whose = new URLSearchParams({ team: form.elements.team.value, season: form.elements.season.value });
  try {
    const answer = await fetch(`/plans/file?${whose}`, {
      method: "POST",
      headers: { "Content-Type": "text/plain", "X-Part": "1" },
      body: await file.files[0].text(),
    });
    const told = await answer.json();
    if (answer.ok) location.assign(`/plans/${told.id}`);
    else said.textContent = told.detail;
  } catch {
    said.textContent = "The server cannot be reached.";
  }
  file.value = "";
});
