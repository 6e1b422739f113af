// Moments in the zone of whoever looks. The page brings them as UTC, which stays as their title.
const day = new Intl.DateTimeFormat("en", {
  year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit",
  hourCycle: "h23", timeZoneName: "short",
});

function localText(moment) {
  const part = Object.fromEntries(day.formatToParts(moment).map((one) => [one.type, one.value]));
  return `${part.year}-${part.month}-${part.day} ${part.hour}:${part.minute} ${part.timeZoneName}`;
}

export function local(root) {
  for (const one of root.querySelectorAll("time[datetime]")) {
    const moment = new Date(one.dateTime);
    if (one.title || Number.isNaN(moment.getTime())) continue;
    one.title = one.textContent;
    one.textContent = localText(moment);
  }
}

local(document);
