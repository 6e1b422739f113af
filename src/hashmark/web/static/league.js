// A league: while coaches play, look again now and then; what is open stays open.
import { local } from "./times.js";

const AGAIN = 1500;

function renew(fresh) {
  local(fresh);
  for (const part of document.querySelectorAll("[data-part]")) {
    const other = fresh.querySelector(`[data-part="${part.dataset.part}"]`);
    if (!other) continue;
    const open = new Set([...part.querySelectorAll("details[open]")].map((one) => one.id));
    const was = new Set([...part.querySelectorAll("details")].map((one) => one.id));
    for (const one of other.querySelectorAll("details"))
      if (one.id && was.has(one.id) && !one.open) one.open = open.has(one.id);
    part.dataset.busy = other.dataset.busy ?? "no";
    if (part.innerHTML !== other.innerHTML) part.innerHTML = other.innerHTML;
  }
}

async function look() {
  const next = document.querySelector("[data-busy]");
  if (next?.dataset.busy !== "yes") return;
  if (!document.hidden) {
    try {
      const answer = await fetch(location.pathname, { headers: { Accept: "text/html" } });
      if (answer.ok) renew(new DOMParser().parseFromString(await answer.text(), "text/html"));
    } catch { /* the server is away: try again */ }
  }
  setTimeout(look, AGAIN);
}

setTimeout(look, AGAIN);

// A date is chosen in the zone in which all others are shown; it is sent as UTC.
const until = document.getElementById("until");
if (until) {
  document.getElementById("zone").textContent = "(your time)";
  until.form.addEventListener("formdata", ({ formData }) => {
    if (until.value) formData.set("until", new Date(until.value).toISOString());
  });
}
