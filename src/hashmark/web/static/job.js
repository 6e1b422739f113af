// Progress of a running job; when it ends, the page shows its result.
import "./times.js";

const main = document.getElementById("main");
const status = document.getElementById("job-status");
const bar = document.getElementById("job-bar");
const count = new Intl.NumberFormat("en");

function show(data) {
  if (data.stopping) {
    status.textContent = "Stopping …";
  } else if (data.state === "waiting") {
    bar.removeAttribute("value");
    status.textContent = data.before
      ? `${data.before} ${data.before === 1 ? "job is" : "jobs are"} ahead of this one.` : "Next in line.";
  } else if (data.total) {
    bar.max = data.total;
    bar.value = data.done;
    status.textContent = `${count.format(data.done)} of ${count.format(data.total)}`;
  } else {
    status.textContent = "Preparing …";
  }
}

let stream = null;

function listen() {
  stream = new EventSource(`/api/works/${main.dataset.work}/stream`);
  stream.addEventListener("work", (event) => {
    const data = JSON.parse(event.data);
    if (data.state === "waiting" || data.state === "running") show(data);
    else {
      stream.close();
      location.reload();
    }
  });
  stream.onerror = () => document.body.classList.toggle("lost", stream.readyState !== EventSource.OPEN);
  stream.onopen = () => document.body.classList.remove("lost");
}

if (bar) {
  if (!document.hidden) listen();
  document.addEventListener("visibilitychange", () => {
    stream?.close(); // a browser has few connections to one server
    if (!document.hidden) listen();
  });
}
